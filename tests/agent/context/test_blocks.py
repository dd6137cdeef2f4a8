from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from hypothesis import given
from hypothesis import strategies as st

from agent.context.block import IDENTIFIED, UNFINISHED, Block
from agent.context.blocks import GrowingBlocks, blocks_of
from agent.models.history import CHANGE_WANTED, DECLINED, NOTE, WAITING, WITHDRAWN
from agent.models.protocol import Message
from sessions.events import (
    AgentSaid,
    AnyEvent,
    Choice,
    CustomerSaid,
    Logged,
    ModelAnswered,
    ModelFailed,
    ModelRequested,
    ProposedCall,
    ReflectionWritten,
    SessionResumed,
    ToolReturned,
)
from tests.agent.happenings import (
    answered,
    card_shown,
    customer,
    decided,
    logged,
    returned,
    said,
    written,
)


def messages(*events: AnyEvent, model: str = "m") -> list[Message]:
    return [message for block in blocks(*events, model=model) for message in block.messages]


def blocks(*events: AnyEvent, model: str = "m") -> tuple[Block, ...]:
    return blocks_of(logged(events), model)


def assert_legal(found: Sequence[Message]) -> None:
    """Every call is answered at once and in order, no tool speaks unasked, roles take turns."""
    owed: list[str] = []
    before = ""
    for message in found:
        if owed:
            assert (message["role"], message["tool_call_id"]) == ("tool", owed.pop(0))
        else:
            assert message["role"] in {"user", "assistant"}
            assert not message["role"] == before == "assistant"
            assert message["content"] or message.get("tool_calls")
            owed = [call["id"] for call in message.get("tool_calls", ())]
        before = message["role"]
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
    assert not owed


IDS = st.sampled_from(["c1", "c2", "c3"])
CARDS = st.sampled_from(["k1", "k2"])
WORDS = st.sampled_from(["", "hello", "no, the red one"])
CALLS = st.lists(IDS, unique=True, max_size=3).map(
    lambda ids: tuple(ProposedCall(id=each, name="take", arguments="{}") for each in ids)
)
ANY = st.one_of(
    st.builds(CustomerSaid, text=st.just("hi"), turn=st.integers(1, 9)),
    st.builds(
        ModelRequested,
        model=st.just("m"),
        turn=st.just(1),
        attempt=st.just(1),
        purpose=st.sampled_from(["act", "answer_about_card"]),
        messages=st.just(1),
    ),
    st.builds(
        ModelAnswered,
        model=st.sampled_from(["m", "other"]),
        purpose=st.sampled_from(["act", "answer_about_card"]),
        text=WORDS,
        calls=CALLS,
    ),
    st.builds(
        ModelFailed,
        model=st.just("m"),
        fault=st.sampled_from(["cancelled", "cut"]),
        sentence=st.just("x"),
        partial=WORDS,
    ),
    st.builds(AgentSaid, text=WORDS, about_card=st.none() | CARDS),
    st.builds(returned, IDS),
    st.builds(card_shown, CARDS, IDS),
    st.builds(
        decided,
        CARDS,
        st.sampled_from(["approve", "reject", "change", "ask", "withdrawn"]),
        WORDS,
    ),
    st.builds(written, CARDS, IDS),
)


@given(st.lists(ANY, max_size=40))
def test_whatever_happens_in_whatever_order_every_tool_call_is_paired(
    events: list[AnyEvent],
) -> None:
    assert_legal(messages(*events))


@given(st.lists(ANY, max_size=25), st.lists(st.sampled_from(["m", "other"]), max_size=25))
def test_blocks_of_a_growing_log_are_those_of_the_whole_whoever_reads_them_and_when(
    events: list[AnyEvent], readers: list[str]
) -> None:
    log: list[Logged] = []
    growing = GrowingBlocks(log)
    for entry, reader in zip_longest(logged(events), readers):
        log += [entry] if entry else []
        if reader:
            assert growing.for_model(reader) == blocks_of(log, reader)


def test_finished_blocks_are_made_once_however_often_they_are_asked_for() -> None:
    log = logged([customer(1, "first"), said("yes")])
    growing = GrowingBlocks(log)
    log += logged([customer(2, "second")])
    before = growing.for_model("m")
    log += logged([said("no"), customer(3, "third")])
    assert growing.for_model("m")[0] is before[0]


def test_a_message_without_words_is_told_as_such() -> None:
    (block,) = blocks(customer(1, " \n"))
    assert [each["role"] for each in block.messages] == ["user"]
    assert block.messages[0]["content"].startswith("Console note:")


@st.composite
def turns(draw: st.DrawFn) -> list[AnyEvent]:
    """Turns as the loop writes them, each perhaps cut short by a crash."""
    events: list[AnyEvent] = [said("Welcome.")]
    for turn in range(1, draw(st.integers(1, 4)) + 1):
        happened: list[AnyEvent] = [customer(turn)]
        for step in range(draw(st.integers(0, 3))):
            happened += draw(steps(f"t{turn}s{step}"))
        events += happened[: draw(st.integers(1, len(happened)))]
        events.append(SessionResumed(program="1"))
    return events


@st.composite
def steps(draw: st.DrawFn, name: str) -> list[AnyEvent]:
    ids = [f"{name}c{index}" for index in range(draw(st.integers(0, 3)))]
    words = draw(WORDS)
    happened: list[AnyEvent] = [answered(words, *ids)]
    happened += [said(words)] if words else []
    for each in ids:
        happened += draw(st.one_of(st.just([returned(each)]), writes(each)))
    return happened


@st.composite
def writes(draw: st.DrawFn, call_id: str) -> list[AnyEvent]:
    card = f"card-{call_id}"
    happened: list[AnyEvent] = [card_shown(card, call_id)]
    for _ in range(draw(st.integers(0, 2))):
        happened += [decided(card, "ask", "why?"), said("because", about_card=card)]
    choices: list[Choice] = ["approve", "reject", "change", "withdrawn"]
    choice = draw(st.sampled_from(choices))
    happened.append(decided(card, choice, draw(WORDS)))
    return [*happened, written(card, call_id)] if choice == "approve" else happened


@given(turns())
def test_turns_as_the_loop_writes_them_never_end_a_request_with_the_agents_words_on_a_card(
    events: list[AnyEvent],
) -> None:
    found = messages(*events)
    assert_legal(found)
    for here, after in itertools.pairwise(found):
        if here["content"] == "because":
            assert after["role"] in {"user", "tool"}


@given(turns())
def test_every_word_of_the_customer_is_sent_in_order_once(events: list[AnyEvent]) -> None:
    spoken = [event.text for event in events if isinstance(event, CustomerSaid)]
    sent = [each["content"] for each in messages(*events) if each["role"] == "user"]
    assert [words for words in sent if words in set(spoken)] == spoken


def test_the_greeting_is_a_block_before_the_first_turn() -> None:
    first, second = blocks(said("Welcome."), customer(1, "hello"))
    assert (first.turn, first.messages) == (0, ({"role": "assistant", "content": "Welcome."},))
    assert second.turn == 1


def test_words_that_were_shown_are_not_sent_twice() -> None:
    found = messages(
        customer(1), answered("One moment.", "c1"), said("One moment."), returned("c1")
    )
    assert [each["content"] for each in found] == ["turn 1", "One moment.", "result of c1"]


def outcome(*decisions: AnyEvent) -> list[Message]:
    return messages(customer(1), answered("", "c1"), card_shown("k", "c1"), *decisions)[2:]


def test_a_declined_card_answers_its_call_and_then_come_exactly_the_customers_words() -> None:
    assert outcome(decided("k", "reject", "wrong item")) == [
        {"role": "tool", "tool_call_id": "c1", "content": DECLINED},
        {"role": "user", "content": "wrong item"},
    ]


def test_a_card_declined_without_words_answers_its_call_and_nothing_more() -> None:
    assert outcome(decided("k", "reject")) == [
        {"role": "tool", "tool_call_id": "c1", "content": DECLINED}
    ]


def test_a_wanted_change_and_an_interruption_are_told_apart() -> None:
    changed = outcome(decided("k", "change", "use my PayPal"))
    assert [each["content"] for each in changed] == [CHANGE_WANTED, "use my PayPal"]
    assert [each["content"] for each in outcome(decided("k", "withdrawn"))] == [WITHDRAWN]


def test_a_question_and_its_answer_follow_the_result_and_the_decision_closes_them() -> None:
    found = outcome(
        decided("k", "ask", "is it final?"),
        ModelRequested(model="m", turn=1, attempt=1, purpose="answer_about_card", messages=3),
        ModelAnswered(model="m", purpose="answer_about_card", text="It is."),
        said("It is.", about_card="k"),
        decided("k", "approve"),
        written("k", "c1"),
    )
    assert [each["role"] for each in found] == ["tool", "user", "assistant", "user"]
    assert [each["content"] for each in found][:3] == ["done c1", "is it final?", "It is."]
    assert found[3]["content"].startswith(NOTE)


def test_while_a_card_waits_its_newest_question_is_left_to_whoever_asks_the_model_it() -> None:
    first = decided("k", "ask", "is it final?")
    assert outcome(first) == []
    found = outcome(first, said("It is.", about_card="k"), decided("k", "ask", "really?"))
    assert [each["content"] for each in found] == [WAITING, "is it final?", "It is."]


def test_a_card_that_went_stale_is_forgotten_for_the_one_that_replaced_it() -> None:
    found = outcome(
        decided("k", "withdrawn"),
        card_shown("k2", "c1"),
        decided("k2", "approve"),
        written("k2", "c1"),
    )
    assert [each["content"] for each in found] == ["done c1"]


def test_while_the_card_that_replaced_it_waits_the_call_has_no_result_yet() -> None:
    again: list[AnyEvent] = [decided("k", "withdrawn"), card_shown("k2", "c1")]
    assert outcome(*again) == []


def test_several_calls_are_answered_in_their_order_and_words_come_last() -> None:
    found = messages(
        customer(1),
        answered("", "c1", "c2"),
        card_shown("k", "c1"),
        decided("k", "reject", "not that"),
        returned("c2"),
    )
    assert [each.get("tool_call_id") for each in found] == [None, None, "c1", "c2", None]
    assert found[-1]["content"] == "not that"


def test_a_proposal_that_a_reminder_replaced_leaves_only_its_words() -> None:
    found = messages(
        customer(1),
        answered("I cancel it.", "c1"),
        ReflectionWritten(call_id="c1", call_name="t", arguments={}, text="x", policy_lines=()),
        answered("", "c1"),
        returned("c1"),
    )
    assert [each["role"] for each in found] == ["user", "assistant", "tool"]
    assert found[1]["content"] == "I cancel it."


def test_a_call_without_words_has_no_content_rather_than_an_empty_one() -> None:
    assert messages(customer(1), answered("", "c1"), returned("c1"))[1]["content"] is None


def test_what_arrived_before_the_person_stopped_the_agent_is_kept() -> None:
    failed = ModelFailed(model="m", fault="cancelled", sentence="stopped", partial="I was abo")
    assert messages(customer(1), failed)[-1] == {"role": "assistant", "content": "I was abo"}
    assert len(messages(customer(1), failed.model_copy(update={"partial": " "}))) == 1
    assert len(messages(customer(1), failed.model_copy(update={"fault": "cut"}))) == 1


def test_a_model_gets_back_what_its_provider_signed_and_no_other_does() -> None:
    signed = answered("", "c1", provider={"thinking_blocks": ["signed"]})
    mine = messages(customer(1), signed, returned("c1"), model="m")[1]
    theirs = messages(customer(1), signed, returned("c1"), model="other")[1]
    assert mine["provider"] == {"thinking_blocks": ["signed"]}
    assert set(theirs) == {"role", "content", "tool_calls"}


def test_an_answer_that_lost_a_call_loses_what_its_provider_signed() -> None:
    signed = answered("", "c1", "c2", provider={"thinking_blocks": ["signed"]})
    assert "provider" not in messages(customer(1), signed, returned("c1"))[1]


def test_arguments_that_are_no_json_object_are_wrapped_for_providers_that_read_them() -> None:
    for arguments in ('{"a": 1,', "[1]", "7", "", "[" * 100_000):
        call = ProposedCall(id="c1", name="take", arguments=arguments)
        answer = ModelAnswered(model="m", text="", calls=(call,))
        sent = messages(customer(1), answer, returned("c1"))[1]["tool_calls"][0]["function"]
        assert json.loads(sent["arguments"]) == {"unreadable_arguments": arguments}


def pins(*events: AnyEvent) -> Iterable[str]:
    return blocks(customer(1), *events)[0].pins


def test_identifying_the_customer_pins_a_block_and_failing_to_does_not() -> None:
    found = ToolReturned(call_id="c1", name="find_user_id_by_email", text="ann_1", customer="ann_1")
    assert IDENTIFIED in pins(answered("", "c1"), found)
    failed = found.model_copy(update={"error": True, "customer": None})
    assert IDENTIFIED not in pins(answered("", "c1"), failed)


def test_a_request_stays_pinned_until_its_last_card_is_carried_out() -> None:
    shown: list[AnyEvent] = [answered("", "c1"), card_shown("k", "c1")]
    assert UNFINISHED in pins(*shown)
    assert UNFINISHED in pins(*shown, decided("k", "reject"))
    approved = [*shown, decided("k", "approve")]
    assert UNFINISHED in pins(*approved)
    assert UNFINISHED not in pins(*approved, written("k", "c1"))
    assert UNFINISHED not in pins(said("Nothing to change."))


def test_the_summary_tells_the_words_the_look_ups_and_what_became_of_the_card() -> None:
    (block,) = blocks(
        customer(1, "please cancel my order " + "x " * 100),
        answered("", "c1"),
        returned("c1"),
        answered("", "c2"),
        card_shown("k", "c2"),
        decided("k", "reject", "no"),
    )
    quoted, looked, change = block.summary.split(" · ")
    assert quoted.startswith("please cancel my order")
    assert len(quoted) <= 80
    assert (looked, change) == ("look", "take: declined")


def test_the_embedded_text_begins_with_the_customers_words() -> None:
    (block,) = blocks(
        customer(1, "where is it?"), answered("", "c1"), returned("c1"), said("Here.")
    )
    assert block.text.splitlines() == ["where is it?", "look", "Here."]
