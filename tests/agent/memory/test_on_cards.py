"""What was learned shows on a card, and decides nothing on it (laws 2 and 3)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from agent.gate.card import make_card, words_digest
from agent.memory.bank import fold
from agent.memory.change import Change, Origin
from agent.memory.entry import Entry
from agent.memory.keeping import apply_changes as keep
from agent.memory.keeping import open_bank
from agent.memory.learning import decide
from agent.memory.on_cards import find_learned
from agent.memory.retrieval import as_read
from agent.session.replay import Replay
from agent.simulated.card_words import card_words
from console.reports.card_lines import card_lines
from console.widgets.card_face import CardFace
from console.widgets.card_head import Head
from console.widgets.card_lines import (
    MOST_LEARNED,
    against_lines,
    lines_of_learned,
    question_lines,
)
from console.widgets.card_rows import divide_rows
from domains.core.tool import ToolCall
from sessions.events import Card, CardShown, ContextAssembled, Logged
from sessions.events.memory import RETRIEVE, Recalled
from sessions.exporting.page import page
from sessions.store.memory import BankRow
from sessions.store.store import Store
from tests.agent.held import coins, events
from tests.agent.memory.entries import change, entries, entry
from tests.agent.memory.test_bank import rows
from tests.agent.memory.test_retrieval import bank, begun
from tests.agent.scripted import ScriptedOperator, call
from tests.effort import tries
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


@settings(max_examples=tries(40), deadline=None)
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
    assert (
        f"learned: “{WORDS}” (the agent has not read it; written by a person on "
        in against.words.plain
    )
    assert lines_of_learned(card) == []


@pytest.mark.parametrize("one", [about("tightens"), about(name="another")])
def test_what_tightens_or_is_about_no_check_here_is_for_the_person_to_judge(one: Entry) -> None:
    card = card_with(one)
    assert against_lines(card) == against_lines(card_with())
    (line,) = lines_of_learned(card)
    assert (line.sign, WORDS in line.words.plain) == ("?", True)
    assert lines_of_learned(card.model_copy(update={"policy_shown": False})) == []


def test_what_names_no_check_stands_beside_all_that_do_not_hold() -> None:
    plain = entry("more", tool="take", gap="missing exception", key_insight=WORDS)
    assert plain.check is None
    (against,) = against_lines(card_with(plain))
    assert "(learned otherwise)" in against.words.plain
    assert WORDS in against.words.plain
    assert lines_of_learned(card_with(plain)) == []


def test_a_check_is_the_same_in_any_case() -> None:
    assert (
        "(learned otherwise)" in against_lines(card_with(about(name=FIVE.upper())))[0].words.plain
    )


def test_who_accepted_it_is_told_where_that_was_no_person() -> None:
    proposed = change("propose", about())
    name = proposed.capability
    judged = decide(name, 1, accept=True, by="a stream")
    for accepted, told in ((judged, True), (decide(name, 1, accept=True), False)):
        of = fold(BankRow("b", "jars", "p", None, "now"), rows(proposed, accepted))
        tool = toy_domain().tools.get("take")
        assert tool is not None
        (learned,) = find_learned(of, tool, ())
        assert ("accepted by a stream" in learned.told) == told


OF_FILE = change("propose", about(condition="from afar")).model_copy(
    update={"origin": Origin(kind="file", words="theirs.md"), "by": "import"}
)
OF_RUN = OF_FILE.model_copy(update={"origin": Origin(kind="session", session="s", file="runs")})
BOTH = about(condition="from afar – also: learned here – but: not now")
HERE = change("propose", BOTH).model_copy(update={"origin": Origin(kind="session", session="h")})
NAME = BOTH.capability
ACCEPT, UNDO = change("accept", capability=NAME), change("undo", capability=NAME)
BY_HAND = change("edit", about(condition="by hand"))


@pytest.mark.parametrize(
    ("made", "files"),
    [
        ((OF_FILE, ACCEPT, HERE, ACCEPT), ["theirs.md"]),
        ((OF_FILE, ACCEPT, OF_RUN, ACCEPT, HERE, ACCEPT), ["theirs.md", "runs"]),
        ((OF_FILE, ACCEPT, HERE, UNDO, ACCEPT), ["theirs.md"]),
        ((OF_FILE, change("edit", BOTH)), ["theirs.md"]),
        ((OF_FILE, ACCEPT, HERE, ACCEPT, BY_HAND), []),
        ((HERE, ACCEPT), []),
        ((HERE, ACCEPT, OF_FILE, ACCEPT, change("edit", BOTH)), []),
        ((OF_FILE, change("refuse", capability=NAME), HERE, ACCEPT), []),
    ],
)
def test_every_file_is_told_whose_words_an_entry_has(made: tuple[Change, ...], files: Any) -> None:
    begun_with = change("edit", entry(NAME, tool="take"))
    of = fold(BankRow("b", "jars", "p", None, "now"), rows(begun_with, *made))
    tool = toy_domain().tools.get("take")
    assert tool is not None
    (learned,) = find_learned(of, tool, ())
    assert re.findall("from the file “(.*?)”, accepted on ", learned.told) == files


def test_where_there_is_room_what_was_learned_is_read_to_its_end() -> None:
    rows = Head(card_with(about()), 50, 14).rows
    told = " ".join(" ".join(row.plain for row in rows).split())
    assert f"“{WORDS}”" in told


def test_under_an_answer_on_a_small_screen_what_was_learned_is_still_read() -> None:
    card = card_with(about()).model_copy(
        update={"sentence": "Take seven coins " * 20, "asked": ("seven coins of the red",) * 3}
    )
    head = Head(card, 74, divide_rows(18, 6).head)  # 80×24
    told = " ".join(" ".join(row.plain for row in head.rows).split())
    assert f"7 coins · allowed by what was learned: “{WORDS}”" in told


def test_what_the_agent_has_read_comes_first_then_the_newest() -> None:
    rule = {"name": FIVE, "effect": "tightens", "condition": "rule"}
    made = [entry(f"more_{number}", tool="take", check=rule) for number in range(4)]
    of = fold(BankRow("b", "jars", "p", None, "now"), rows(*(change("edit", e) for e in made)))
    tool = toy_domain().tools.get("take")
    assert tool is not None
    handed = ContextAssembled(
        turn=1, blocks=1, everything=True, budget=1, tokens=1, retrieval="",
        recalled=(Recalled(capability="more_1", text=as_read(made[1])),),
    )  # fmt: skip
    logged = Logged(session="s", seq=1, at="", event=handed, hash="")
    assert [each.capability for each in find_learned(of, tool, [logged])] == [
        f"more_{number}" for number in (1, 3, 2, 0)
    ]


class Host(App[None]):
    """A card's words, and nothing else."""

    CSS = """
    #card-body, #card-left-out { height: auto; }
    .card--details { display: none; }
    """

    def __init__(self, card: Card) -> None:
        super().__init__()
        self._card = card

    def compose(self) -> ComposeResult:
        yield CardFace(self._card)


@pytest.mark.parametrize("effect", ["relaxes", "tightens"])
@pytest.mark.parametrize("many", [3, 20, 500])
async def test_whatever_was_learned_what_will_be_different_is_on_the_first_page(
    many: int, effect: str
) -> None:
    long = "where the coins were counted by two people, of whom one had not seen them before " * 5
    held = [
        entry(f"m_{n}", tool="take", check={"name": FIVE, "effect": effect, "condition": long})
        for n in range(many)
    ]
    card = card_with(about(), *held)
    async with Host(card).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        seen = "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
        assert "After" in seen
        assert "→" in seen
        assert "✗" in seen
        if effect == "tightens":
            assert "(learned otherwise)" in seen
            assert f"and {many - MOST_LEARNED} more learned · x lists them" in seen
            assert seen.count("? learned: “where") == MOST_LEARNED
        else:
            assert f"(learned otherwise by {many + 1} entries)" in seen
            assert f"and {many + 1 - MOST_LEARNED} more (x)" in against_lines(card)[0].words.plain


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
            assert ("has not read it" in learned.told) != reads
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
