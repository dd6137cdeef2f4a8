from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.attention.attention import NOT_TOLD, check_attention, rng_for_call
from agent.gate.card import words_digest
from agent.gate.operator import Decision
from agent.gate.proposal import Proposal
from agent.models.history import WITHDRAWN
from agent.next_step import find_undecided_card
from agent.session.conversation import Conversation
from agent.session.reasking import ask_again
from agent.simulated.customer import Said, customer_history
from domains.core.consent import Consent, call_digest
from domains.core.draft import Draft
from domains.core.tool import ToolCall, Toolset, WriteDeclaration, writes
from sessions.events import (
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
    Card,
    CardShown,
    ConsentUsed,
    DecisionMade,
    Safeguards,
    WriteApplied,
)
from sessions.views.attention import check_rows
from tests.agent.held import coins, conversation, events, resumed, types
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call
from tests.toy import TOOLS, toy_domain

ALWAYS = Safeguards(reflection=False, attention_checks=1)
OFF = Safeguards(reflection=False)
BLUE = call("take", jar="blue", coins=3)


def shown(held: Conversation) -> list[AttentionCheckShown]:
    return [event for event in events(held) if isinstance(event, AttentionCheckShown)]


def decided(held: Conversation) -> list[AttentionCheckDecided]:
    return [event for event in events(held) if isinstance(event, AttentionCheckDecided)]


async def test_a_check_comes_before_the_true_card_and_only_the_true_one_is_carried_out(
    tmp_path: Path,
) -> None:
    operator = ScriptedOperator("reject: that is not what I said", "approve")
    model = ScriptedModel(BLUE, "Done.")
    async with conversation(tmp_path, model, operator, safeguards=ALWAYS) as held:
        await held.say("three coins please")
        assert types(held)[-9:-3] == [
            "attention_check_shown",
            "attention_check_decided",
            "card_shown",
            "decision_made",
            "consent_used",
            "write_applied",
        ]
        wrong, true = operator.cards
        assert (wrong.tool, wrong.call_id) == (true.tool, true.call_id)
        assert wrong.arguments["coins"] != 3
        assert wrong.after != true.after
        assert shown(held)[0].meant == true.arguments == {"jar": "blue", "coins": 3}
        assert str(wrong.arguments["coins"]) in shown(held)[0].altered
        assert coins(held, "blue") == 7


@pytest.mark.parametrize(
    ("word", "caught"),
    [("approve", False), ("reject", True), ("change: less", True)],
)
async def test_the_log_says_whether_it_was_caught(
    word: str, caught: bool | None, tmp_path: Path
) -> None:
    operator = ScriptedOperator(word, "approve")
    model = ScriptedModel(BLUE, "Done.")
    async with conversation(tmp_path, model, operator, safeguards=ALWAYS) as held:
        await held.say("three coins please")
        (made,) = decided(held)
        assert (made.is_caught, made.by, made.milliseconds) == (caught, "person", 700)
        assert len(operator.cards) == 2
        assert coins(held, "blue") == 7


async def test_a_question_is_answered_from_the_altered_trial_and_does_not_use_the_check_up(
    tmp_path: Path,
) -> None:
    words = ("ask: why?", "ask: does anything else change?", "reject: no", "approve")
    operator, model = ScriptedOperator(*words), ScriptedModel(BLUE, "Done.")
    async with conversation(tmp_path, model, operator, safeguards=ALWAYS) as held:
        await held.say("three coins please")
        (wrong,) = {card.id: card for card in operator.cards[:3]}.values()
        asked = [each for each in events(held) if isinstance(each, AttentionCheckAsked)]
        assert [each.words for each in asked] == ["why?", "does anything else change?"]
        assert asked[0].answer == NOT_TOLD
        assert wrong.after[0].casefold() in asked[1].answer.casefold()
        assert [each.is_caught for each in decided(held)] == [True]
        heard = [each for each in customer_history(held.log.events) if isinstance(each, Said)]
        assert sum(each.about_card == wrong.id for each in heard) == 4
        (row,) = check_rows(held.log.events)
        assert row.questions == ("why?", "does anything else change?")
        assert len(model.requests) == 2
        assert coins(held, "blue") == 7


WORDS = [["approve"], ["reject: no, no"], ["change: fewer"], ["ask: why?", "reject: so no"]]


@pytest.mark.parametrize("words", WORDS)
async def test_the_agent_reads_the_same_as_if_there_were_no_checks(
    words: list[str], tmp_path: Path
) -> None:
    answers: list[Answer] = [
        call("look", jar="blue"), BLUE, "Done.", call("take", jar="blue", coins=1), "Well.",
    ]  # fmt: skip
    told: list[list[Any]] = []
    totals: list[tuple[Any, ...]] = []
    for safeguards, extra in ((OFF, []), (ALWAYS, words)):
        model = ScriptedModel(*answers)
        operator = ScriptedOperator(*extra, "approve", *extra, "reject: enough")
        folder = tmp_path / str(len(told))
        folder.mkdir()
        async with conversation(folder, model, operator, safeguards=safeguards) as held:
            await held.say("coins please")
            await held.say("and one more")
            told.append([request.messages for request in model.requests])
            now = held.status
            totals.append((now.writes, now.cards, now.interrupted_turns, now.tokens, now.turn,
                           held.spending.actions, held.spending.tokens))  # fmt: skip
            assert len(shown(held)) == 2 * bool(extra)
    assert told[0] == told[1]
    assert totals[0] == totals[1]


async def test_nobody_is_checked_where_nobody_is_asked(tmp_path: Path) -> None:
    gate_off = ALWAYS.model_copy(update={"gate": False})
    async with conversation(
        tmp_path, ScriptedModel(BLUE), ScriptedOperator(), safeguards=gate_off
    ) as held:
        await held.say("three coins please")
        assert (shown(held), coins(held, "blue")) == ([], 7)


async def test_a_change_that_a_rule_lets_through_has_no_check_before_it(tmp_path: Path) -> None:
    safeguards = ALWAYS.model_copy(update={"after_feedback": "execute"})
    model = ScriptedModel(BLUE, call("take", jar="blue", coins=2), "Done.")
    operator = ScriptedOperator("reject", "change: only two", "approve", "approve")
    async with conversation(tmp_path, model, operator, safeguards=safeguards) as held:
        await held.say("coins please")
        assert len(shown(held)) == 1
        assert coins(held, "blue") == 8


async def test_the_words_on_a_check_settle_nothing_about_the_true_card(tmp_path: Path) -> None:
    safeguards = ALWAYS.model_copy(update={"after_feedback": "execute"})
    operator = ScriptedOperator("change: only two", "reject")
    async with conversation(tmp_path, ScriptedModel(BLUE), operator, safeguards=safeguards) as held:
        await held.say("coins please")
        assert len(operator.cards) == 2
        assert coins(held, "blue") == 10


async def test_where_no_swap_makes_a_card_that_could_be_true_there_is_no_check(
    tmp_path: Path,
) -> None:
    red = call("take", jar="red", coins=3)  # nobody was identified: every card of it shows a ✗
    operator = ScriptedOperator("approve")
    async with conversation(tmp_path, ScriptedModel(red), operator, safeguards=ALWAYS) as held:
        await held.say("three coins please")
        assert (shown(held), len(operator.cards), coins(held)) == ([], 1, 7)


async def planted(
    folder: Path, *answers: Answer, words: str = "coins please", **more: Any
) -> set[int]:
    """How many coins the wrong cards of these answers are about, whatever is drawn."""
    found: set[int] = set()
    for place in range(12):  # each session draws another swap
        (folder / str(place)).mkdir()
        async with conversation(
            folder / str(place),
            ScriptedModel(*answers),
            ScriptedOperator(),
            safeguards=ALWAYS,
            **more,
        ) as held:
            await held.say(words)
            found |= {each.card.arguments["coins"] for each in shown(held)}
    return found


async def test_what_the_customer_named_is_never_taken_for_wrong(tmp_path: Path) -> None:
    assert await planted(tmp_path, BLUE, words="take 3, or 2 or 4 of them") == {5}


async def test_another_call_of_the_same_answer_is_never_taken_for_wrong(tmp_path: Path) -> None:
    calls = [("take", {"jar": "blue", "coins": each}) for each in (3, 2, 4)]
    assert await planted(tmp_path, calls) == {5}


async def test_an_end_of_the_scenario_is_never_taken_for_wrong(tmp_path: Path) -> None:
    find = call("find_user_id_by_email", email="ann@example.com")
    two = call("take", jar="red", coins=2)
    assert await planted(tmp_path, find, two, scenario="three-from-red") <= {1, 4}


async def test_a_swap_that_makes_no_difference_is_no_check(tmp_path: Path) -> None:
    @writes(WriteDeclaration(lambda draft, arguments: "Empty the jar.", lambda *_: []))
    def empty(draft: Draft, jar: str, shade: int) -> str:
        """Take every coin out of a jar, whatever the shade."""
        draft.edit("jars", jar)["coins"] = 0
        return "Done"

    toy = toy_domain()
    domain = replace(toy, tools=Toolset("JarTools", (*TOOLS, empty)))
    model = ScriptedModel(call("empty", jar="blue", shade=3))
    async with conversation(
        tmp_path, model, ScriptedOperator("approve"), safeguards=ALWAYS, domain=domain
    ) as held:
        await held.say("empty it")
        assert (shown(held), coins(held, "blue")) == ([], 0)


async def test_a_check_that_waited_when_the_program_died_is_shown_again_as_it_was(
    tmp_path: Path,
) -> None:
    up = asyncio.Event()

    async def hang(card: Card) -> None:
        up.set()
        await asyncio.sleep(3600)

    async with conversation(
        tmp_path, ScriptedModel(BLUE), ScriptedOperator(meanwhile=hang), safeguards=ALWAYS
    ) as held:
        turn = asyncio.create_task(held.say("three coins please"))
        await up.wait()
        operator = ScriptedOperator("reject", "approve")
        again = await resumed(held.log.store, held.log.session, ScriptedModel(), operator)
        check = shown(again)[0]
        assert again.status.waiting_check == check.card
        assert again.status.waiting_card is None
        await again.go_on()
        assert operator.cards[0] == check.card
        assert [each.card.id for each in shown(again)] == [check.card.id]
        assert [each.is_caught for each in decided(again)] == [True]
        assert again.status.waiting_check is None
        assert coins(again, "blue") == 7
        turn.cancel()
        with contextlib.suppress(BaseException):  # the log has gone on without that program
            await turn


async def test_one_that_waited_is_withdrawn_where_checks_were_switched_off(tmp_path: Path) -> None:
    async with conversation(tmp_path, ScriptedModel(BLUE), ScriptedOperator("approve")) as held:
        card = await _left_waiting(held)
        await held.go_on()
        assert [(each.card_id, each.decision) for each in decided(held)] == [(card.id, "withdrawn")]
        assert coins(held, "blue") == 7


@pytest.mark.parametrize("share", [0.0, 1.0])
async def test_after_an_interruption_the_agent_reads_the_same(tmp_path: Path, share: float) -> None:
    up = asyncio.Event()

    async def hang(card: Card) -> None:
        up.set()
        await asyncio.sleep(3600)

    model = ScriptedModel(BLUE, "Very well.")
    guards = ALWAYS.model_copy(update={"attention_checks": share})
    async with conversation(
        tmp_path, model, ScriptedOperator(meanwhile=hang), safeguards=guards
    ) as held:
        turn = asyncio.create_task(held.say("three coins please"))
        await up.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert [each.decision for each in decided(held)] == ["withdrawn"] * bool(share)
        await held.say("never mind, leave it")
        answer = [m for m in model.requests[-1].messages if m["role"] == "tool"][-1]
        assert answer["content"] == WITHDRAWN
        assert coins(held, "blue") == 10
        assert held.status.waiting_card is None


async def test_one_that_was_left_is_put_up_again_in_the_same_words(tmp_path: Path) -> None:
    up = asyncio.Event()

    async def hang(card: Card) -> None:
        if not up.is_set():
            up.set()
            await asyncio.sleep(3600)

    model = ScriptedModel(BLUE, "There you are.")
    operator = ScriptedOperator("reject", "approve", meanwhile=hang)
    async with conversation(tmp_path, model, operator, safeguards=ALWAYS) as held:
        turn = asyncio.create_task(held.say("three coins please"))
        await up.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        left = find_undecided_card(held.log.turn)
        await held.go_on()
        checks = [each.card for each in shown(held)]
        assert left == checks[0]
        assert [words_digest(each) for each in checks] == [words_digest(checks[0])] * 2
        assert [each.decision for each in decided(held)] == ["withdrawn", "reject"]
        assert (len(model.requests), coins(held, "blue")) == (2, 7)


async def test_one_that_was_left_does_not_come_after_the_true_card(tmp_path: Path) -> None:
    async def leave(card: Card) -> None:
        if len(operator.cards) < 3:
            raise asyncio.CancelledError

    operator = ScriptedOperator("approve", meanwhile=leave)
    async with conversation(tmp_path, ScriptedModel(BLUE), operator, safeguards=ALWAYS) as held:
        with pytest.raises(asyncio.CancelledError):
            await held.say("three coins please")
        await held.change_safeguards(OFF)
        with pytest.raises(asyncio.CancelledError):
            await held.go_on()
        await held.change_safeguards(ALWAYS)
        await held.go_on()
        assert [each.card for each in shown(held)] == operator.cards[:1]
        assert coins(held, "blue") == 7


async def test_one_check_goes_before_a_call_however_often_its_card_goes_stale(
    tmp_path: Path,
) -> None:
    async def move(card: Card) -> None:
        if len(operator.cards) == 2:
            other = ToolCall("take", {"jar": "blue", "coins": 4})
            state = held.records.preview(other).state
            held.records.apply(other, Consent("other", call_digest(other), state, "words"))

    operator = ScriptedOperator("reject", "approve", "approve", meanwhile=move)
    async with conversation(tmp_path, ScriptedModel(BLUE), operator, safeguards=ALWAYS) as held:
        await held.say("three coins please")
        assert types(held).count("card_shown") == 2
        assert len(shown(held)) == 1


def test_whether_a_call_is_checked_is_the_same_in_every_run_of_the_program() -> None:
    one = [rng_for_call("01SESSION", 2, f"call-{each}").random() for each in range(400)]
    assert one == [rng_for_call("01SESSION", 2, f"call-{each}").random() for each in range(400)]
    assert one[:3] == pytest.approx([0.46719, 0.34048, 0.16026], abs=1e-5)
    assert 0.15 < sum(each < 0.2 for each in one) / len(one) < 0.25
    assert rng_for_call("01SESSION", 3, "call-0").random() != one[0]
    assert rng_for_call("01OTHER", 2, "call-0").random() != one[0]


async def test_a_share_of_the_cards_is_checked_and_no_more(tmp_path: Path) -> None:
    coin: list[Answer] = [call("take", jar="blue", coins=1), "There you are."]
    half = ALWAYS.model_copy(update={"attention_checks": 0.5})
    async with conversation(
        tmp_path,
        ScriptedModel(*coin * 20),
        ScriptedOperator(),
        safeguards=half,
        domain=toy_domain(500),
    ) as held:
        for _ in range(20):
            await held.say("a coin")
        cards = [event.card for event in events(held) if isinstance(event, CardShown)]
        due = {
            card.call_id
            for turn, card in enumerate(cards, 1)
            if rng_for_call(held.log.session, turn, card.call_id).random() < 0.5
        }
        assert len(cards) == 20
        assert {each.card.call_id for each in shown(held)} == due


async def test_nothing_of_a_check_can_be_taken_for_a_write(tmp_path: Path) -> None:
    operator = ScriptedOperator(*["approve"] * 4)
    model = ScriptedModel(BLUE, call("take", jar="blue", coins=1))
    async with conversation(tmp_path, model, operator, safeguards=ALWAYS) as held:
        await held.say("coins please")
        ids = {each.card.id for each in shown(held)}
        assert len(ids) == 2
        for event in events(held):
            match event:
                case CardShown():
                    assert event.card.id not in ids
                case DecisionMade() | ConsentUsed() | WriteApplied():
                    assert event.card_id not in ids
                case _:
                    pass


async def test_look_time_and_second_keys_are_kept(tmp_path: Path) -> None:
    word = Decision("approve", milliseconds=4321, overrode=("a",))
    async with conversation(
        tmp_path, ScriptedModel(BLUE), ScriptedOperator(word), safeguards=ALWAYS
    ) as held:
        await held.say("three coins please")
        assert [(each.milliseconds, each.overrode) for each in decided(held)] == [(4321, ("a",))]


async def _left_waiting(held: Conversation) -> Card:
    """Put a check up and die before it is decided; then somebody switches checks off."""
    up = asyncio.Event()

    async def hang(card: Card) -> None:
        up.set()
        await asyncio.sleep(3600)

    operator, held.operator = held.operator, ScriptedOperator(meanwhile=hang)
    held.safeguards = ALWAYS
    append = held.log.append

    async def lost(*wanted: Any) -> Any:
        """What a program that is no more would still have recorded."""
        if any(isinstance(each, AttentionCheckDecided) for each in wanted):
            return []
        return await append(*wanted)

    held.log.append = lost  # type: ignore[method-assign]
    turn = asyncio.create_task(held.say("three coins please"))
    await up.wait()
    turn.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await turn
    held.log.append = append  # type: ignore[method-assign]
    held.operator, held.safeguards = operator, OFF
    check = held.log.turn.checks["call-1"]
    assert check.state == "waits"
    return check.item.card


async def test_a_check_is_not_even_looked_for_where_a_card_waits_already(tmp_path: Path) -> None:
    operator = ScriptedOperator("reject")
    async with conversation(tmp_path, ScriptedModel(BLUE), operator) as held:
        await held.say("three coins please")
        held.safeguards = ALWAYS
        tool = TOOLS.get("take")
        assert tool is not None
        wanted = ToolCall("take", {"jar": "blue", "coins": 3})
        preview = held.records.preview(wanted)
        await check_attention(held, Proposal("call-1", tool, wanted), preview)
        assert shown(held) == []


async def test_a_recording_that_is_asked_again_is_not_checked(tmp_path: Path) -> None:
    operator = ScriptedOperator("approve", "approve")
    model = ScriptedModel(BLUE, "Done.")
    async with conversation(tmp_path, model, operator, safeguards=ALWAYS) as held:
        await held.say("three coins please")
        await held.end("customer")
        asked = await ask_again(
            held.log.store, held.log.session, toy_domain(), ScriptedModel(BLUE, "Done.")
        )
        assert asked.unknown == ()
        assert shown(asked.held) == []
        assert coins(asked.held, "blue") == 7
