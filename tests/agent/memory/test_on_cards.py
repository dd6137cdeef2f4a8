"""What was learned shows on a card, and decides nothing on it (laws 2 and 3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.gate.card import make_card, words_digest
from agent.memory.bank import fold
from agent.memory.entry import Entry
from agent.memory.keeping import change as keep
from agent.memory.keeping import open_bank
from agent.memory.learning import decide
from agent.memory.on_cards import find_learned
from agent.session.replay import Replay
from agent.simulated.card_words import card_words
from console.reports.card_lines import card_lines
from console.widgets.card_head import Head
from console.widgets.card_lines import against_lines, lines_of_learned, question_lines
from console.widgets.card_text import MOST_QUESTIONS, questions_to_put
from domains.core.tool import ToolCall
from sessions.events import Card, CardShown
from sessions.events.memory import RETRIEVE
from sessions.exporting.page import page
from sessions.store.memory import BankRow
from sessions.store.store import Store
from tests.agent.held import coins, events
from tests.agent.memory.entries import change, entries, entry
from tests.agent.memory.test_bank import rows
from tests.agent.memory.test_retrieval import bank, begun
from tests.agent.scripted import ScriptedOperator, call
from tests.toy import toy_domain

FIVE = "no more than five coins at a time"
WORDS = "who waited long may take seven"
SEVEN = ToolCall("take", {"jar": "red", "coins": 7})


def about(effect: str = "relaxes", name: str = FIVE, condition: str = WORDS) -> Entry:
    check = {"name": name, "effect": effect, "condition": condition}
    return entry("more", tool="take", check=check)


def card_with(*held: Entry, read: bool = False) -> Card:
    domain = toy_domain()
    tool = domain.tools.get("take")
    assert tool is not None
    of = fold(BankRow("b", "jars", "p", None, "now"), rows(*(change("edit", e) for e in held)))
    learned = tuple(
        each.model_copy(update={"read": read}) for each in find_learned(of, tool, ())
    )  # fmt: skip
    preview = domain.records().preview(SEVEN)
    return make_card(tool, preview, domain.records(), call_id="1", learned=learned)


@settings(max_examples=40, deadline=None)
@given(st.lists(entries | st.builds(about, st.sampled_from(["relaxes", "tightens"]))))
def test_whatever_was_learned_no_check_is_read_otherwise(held: list[Entry]) -> None:
    plain, card = card_with(), card_with(*held)
    assert card.before == plain.before
    assert card.failing == plain.failing
    assert [each.name for each in card.failing] == [FIVE]
    assert (words_digest(card) == words_digest(plain)) == (not card.learned)
    assert question_lines(card) == question_lines(plain)
    told = [*against_lines(card), *lines_of_learned(card)]
    assert all("\n" not in each.words.plain for each in told)
    assert [each.sign for each in against_lines(card)] == ["✗"]


def test_what_relaxes_stands_behind_the_check_that_keeps_its_mark() -> None:
    card = card_with(about())
    (against,) = against_lines(card)
    assert against.sign == "✗"
    assert f"{FIVE} (learned otherwise) · 7 coins · allowed by what was " in against.words.plain
    assert f"which the agent has not read: “{WORDS}”" in against.words.plain
    assert lines_of_learned(card) == []


@pytest.mark.parametrize("one", [about("tightens"), about(name="another")])
def test_what_tightens_or_is_about_no_check_here_is_for_the_person_to_judge(one: Entry) -> None:
    card = card_with(one)
    assert against_lines(card) == against_lines(card_with())
    (line,) = lines_of_learned(card)
    assert (line.sign, WORDS in line.words.plain) == ("?", True)
    assert lines_of_learned(card.model_copy(update={"policy_shown": False})) == []


def test_who_accepted_it_is_told_where_that_was_no_person() -> None:
    proposed = change("propose", about())
    judged = decide(proposed, accept=True, by="a stream")
    for accepted, told in ((judged, True), (decide(proposed, accept=True), False)):
        of = fold(BankRow("b", "jars", "p", None, "now"), rows(proposed, accepted))
        tool = toy_domain().tools.get("take")
        assert tool is not None
        (learned,) = find_learned(of, tool, ())
        assert ("accepted by a stream" in learned.told) == told


def test_where_there_is_room_what_was_learned_is_read_to_its_end() -> None:
    rows = Head(card_with(about()), 50, 14).rows
    told = " ".join(" ".join(row.plain for row in rows).split())
    assert f"“{WORDS}”" in told


def test_neither_what_was_learned_nor_a_question_keeps_the_other_out_of_sight() -> None:
    rule = {"name": FIVE, "effect": "tightens", "condition": "rule"}
    many = [entry(f"more_{number}", tool="take", check=rule) for number in range(9)]
    card = card_with(*many)
    first, more = questions_to_put(card)
    assert first == [*lines_of_learned(card)[:MOST_QUESTIONS], *question_lines(card)]
    assert len(more) == len(many) - MOST_QUESTIONS


@pytest.mark.parametrize("effect", ["relaxes", "tightens"])
def test_every_reader_of_a_card_is_told(effect: str) -> None:
    card = card_with(about(effect))
    assert WORDS in card_words(card)
    assert WORDS in "\n".join(card_lines(card))


async def shown(store: Store, memory: Any, *answers: object) -> tuple[Card, Any]:
    operator = ScriptedOperator("approve")
    held, _ = await begun(store, memory, *answers, operator=operator)
    await held.say("seven please, from the red jar")
    return next(e.card for e in events(held) if isinstance(e, CardShown)), held


async def test_the_log_has_it_and_says_whether_the_agent_read_it(tmp_path: Path) -> None:
    seven = call("take", jar="red", coins=7)
    with Store.open(tmp_path / "s.db") as store:
        memory = bank(store, about(), entry("other", tool="look", check={
            "name": FIVE, "effect": "relaxes", "condition": "of another tool"}))  # fmt: skip
        keep(store, memory, [change("propose", about(condition="not accepted"))])
        for reads in (False, True):
            first = [call(RETRIEVE, capabilities=["more"])] if reads else [call(RETRIEVE)]
            card, held = await shown(store, open_bank(store, "b"), *first, seven, "Done.")
            (learned,) = card.learned
            assert (learned.capability, learned.read) == ("more", reads)
            assert ("has not read" in learned.told) != reads
            log = store.read(held.log.session)
            replay = Replay(toy_domain(), log)
            replay.go_to(next(e.seq for e in log if isinstance(e.event, CardShown)))
            assert replay.card is not None
            assert replay.card.card.learned == card.learned
            assert WORDS in "".join(page(log))
            assert coins(held) == 3  # it was approved, and the words of the card were its own


async def test_a_session_without_a_memory_has_nothing_of_it(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        bank(store, about())
        card, _ = await shown(store, None, call("take", jar="red", coins=7), "Done.")
        assert card.learned == ()
