from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.events import (
    AgentSaid,
    AnyEvent,
    ContextAssembled,
    CustomerSaid,
    ModelAnswered,
    ModelChanged,
    ModelFailed,
    Noted,
    ProposedCall,
    ReflectionWritten,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionForked,
    SessionResumed,
    ToolCalled,
    ToolReturned,
    Usage,
    WriteApplied,
)
from sessions.views import (
    AgentWords,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
    SessionStatus,
    Transcript,
    advance,
    contexts,
    decision_rows,
    reflections,
    status,
    transcript,
)
from tests.sessions.toy import decided, log_of, shown, started, used


def said(turn: int, text: str = "please") -> CustomerSaid:
    return CustomerSaid(text=text, turn=turn)


def answered(*names: str, purpose: str = "act", usage: Usage | None = None) -> ModelAnswered:
    calls = [
        ProposedCall(id=f"c{n}", name=name, arguments='{"a": 1}') for n, name in enumerate(names)
    ]
    fields = {"model": "m", "purpose": purpose, "text": "", "calls": calls}
    return ModelAnswered.model_validate({**fields, "usage": usage or Usage()})


def written(card_id: str, error: bool = False, result: str = "done") -> WriteApplied:
    return WriteApplied(
        card_id=card_id,
        call_id="c1",
        name="cancel",
        arguments={},
        result=result,
        error=error,
        patch=[],
        records_digest="d",
    )


def reminder(name: str = "cancel") -> ReflectionWritten:
    return ReflectionWritten(
        call_id="c0", call_name=name, arguments={"a": 1}, text="Remember.", policy_lines=("Ask.",)
    )


def context(turn: int) -> ContextAssembled:
    return ContextAssembled(turn=turn, blocks=1, budget=1, tokens=1, retrieval="embedding")


def standing(*events: AnyEvent) -> SessionStatus:
    return status(log_of(started(scenario="one"), *events))


def items(*events: AnyEvent) -> list[Item]:
    return transcript(log_of(started(), *events))


def outcome(*events: AnyEvent) -> CardOutcome:
    (found,) = (item for item in items(*events) if isinstance(item, CardOutcome))
    return found


STORY: list[AnyEvent] = [
    started(),
    AgentSaid(text="Hi!"),
    said(1),
    context(1),
    answered("get_order"),
    ToolCalled(call_id="c0", name="get_order", arguments={"order_id": "#W1"}),
    ToolReturned(call_id="c0", name="get_order", text="{}"),
    answered("cancel"),
    reminder(),
    answered("cancel"),
    shown("a"),
    decided("a", "ask", "how much?"),
    AgentSaid(text="All of it", about_card="a"),
    decided("a", "change", "the other one"),
    answered("cancel"),
    shown("b"),
    decided("b", "approve"),
    used("b"),
    written("b"),
    answered(),
    AgentSaid(text="Done"),
    SafeguardsChanged(safeguards=started().safeguards.model_copy(update={"gate": False})),
    said(2, "bye"),
    ModelFailed(model="m", fault="cancelled", sentence="You stopped.", partial="Good"),
    SessionEnded(reason="customer"),
]


def test_a_whole_story_is_told_in_order_and_each_item_names_its_event() -> None:
    told = transcript(log_of(*STORY))
    assert [(type(item).__name__, item.seq) for item in told] == [
        ("AgentWords", 2),
        ("CustomerWords", 3),
        ("LookUp", 7),
        ("CustomerWords", 12),
        ("AgentWords", 13),
        ("CardOutcome", 14),
        ("CardOutcome", 17),
        ("AgentWords", 21),
        ("Note", 22),
        ("CustomerWords", 23),
        ("Interrupted", 24),
        ("Ended", 25),
    ]
    assert told[2] == LookUp(7, "get_order", {"order_id": "#W1"}, "{}", False, True)
    assert told[3] == CustomerWords(12, "how much?", 1, "a")
    assert told[4] == AgentWords(13, "All of it", "a")
    assert told[8] == Note(22, "Safeguards from here on: gate off.")
    assert told[10] == Interrupted(24, "Good")
    assert told[11] == Ended(25, "customer", "You ended the conversation.")


@given(st.integers(0, len(STORY)))
def test_a_transcript_that_grows_is_the_transcript_of_all(cut: int) -> None:
    log = log_of(*STORY)
    fold = Transcript()
    first = [item for logged in log[:cut] for item in fold.add(logged)]
    assert first == transcript(log[:cut])
    assert first + [item for logged in log[cut:] for item in fold.add(logged)] == transcript(log)


@given(st.integers(1, len(STORY)))
def test_a_status_that_advances_is_the_status_of_all(cut: int) -> None:
    log = log_of(*STORY)
    now = status(log[:cut])
    for logged in log[cut:]:
        now = advance(now, logged)
    assert now == status(log)


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ([decided("a", "reject", "wrong item")], "✗ declined by you: wrong item"),
        ([decided("a", "reject")], "✗ declined by you"),
        ([decided("a", "change", "use PayPal")], "↻ you asked for a change: use PayPal"),
        ([decided("a", "withdrawn", by="interruption")], "✗ not decided, so nothing was changed"),
        ([decided("a", "approve"), used("a"), written("a")], "✓ approved by you"),
        (
            [decided("a", "approve", by="auto"), used("a"), written("a")],
            "✓ approved by nobody (the gate was off)",
        ),
        (
            [decided("a", "approve"), used("a"), written("a", True, "Error: no")],
            "✗ approved by you, but not carried out: Error: no",
        ),
        (
            [decided("a", "approve"), SessionResumed(program="1"), shown("b", replaces="a")],
            "✗ approved by you, but not carried out: "
            "the records changed or the program stopped first",
        ),
        (
            [decided("a", "approve"), used("a"), SessionResumed(program="1")],
            "✗ approved by you, but not carried out: "
            "the records changed or the program stopped first",
        ),
    ],
)
def test_what_became_of_a_card_is_said_in_words(events: list[AnyEvent], text: str) -> None:
    told = outcome(said(1), shown("a"), *events)
    assert told.text == f"{text} · Cancel order #W1."
    assert (told.seq, told.at) == (4, "2026-11-21T12:00:04")
    assert told.applied == text.startswith("✓")


def test_an_approval_against_a_failing_check_says_so() -> None:
    made = decided("a", "approve").model_copy(update={"overrode": ("order is pending",)})
    told = outcome(shown("a"), made, used("a"), written("a"))
    assert told.headline == "✓ approved by you, despite: order is pending"


def test_a_call_that_was_refused_shows_what_was_asked_for() -> None:
    returned = ToolReturned(call_id="c0", name="cancel", text="Error: no", error=True)
    assert items(answered("cancel"), returned) == [
        LookUp(3, "cancel", {"a": 1}, "Error: no", True, False)
    ]
    bad = ProposedCall(id="c0", name="cancel", arguments="{nonsense")
    proposal = answered().model_copy(update={"calls": (bad,)})
    assert items(proposal, returned) == [LookUp(3, "cancel", {}, "Error: no", True, False)]


@pytest.mark.parametrize("text", ["[" * 5_000, "", "[1]", "{", '{"n": ' + "9" * 5_000 + "}"])
def test_a_call_that_was_refused_is_shown_whatever_its_arguments_are(text: str) -> None:
    call = ProposedCall(id="c1", name="look", arguments=text)
    refused = ToolReturned(call_id="c1", name="look", text="Error: no", error=True)
    log = log_of(started(), ModelAnswered(model="m", text="", calls=(call,)), refused)
    (item,) = (each for each in transcript(log) if isinstance(each, LookUp))
    assert item.arguments == {}


def test_faults_and_what_concerns_the_session_are_items_too() -> None:
    scored = Scored(scenario="one", reward=0.0, records_match=False, communicated=True)
    assert items(
        ModelFailed(model="m", fault="server", sentence="It broke.", partial="Wel", retry_in=2.0),
        SessionResumed(program="1"),
        SessionForked(parent="P", seq=3),
        ModelChanged(model="gpt-4o"),
        Noted(text="a remark"),
        scored,
    ) == [
        Fault(2, "It broke.", "server", "Wel", 2.0),
        Note(3, "The conversation was resumed."),
        Note(4, "A copy of session P up to event 3."),
        Note(5, "The agent is played by gpt-4o from here on."),
        Note(6, "a remark"),
        Result(7, scored),
    ]


def test_a_status_needs_the_start_of_a_session() -> None:
    with pytest.raises(ValueError, match="begins with session_started"):
        status([])
    with pytest.raises(ValueError, match="begins with session_started"):
        status(log_of(said(1)))


def test_the_status_counts_turns_cards_writes_and_interruptions() -> None:
    now = standing(
        said(1), shown("a"), decided("a", "reject"), shown("b"), decided("b", "approve"),
        used("b"), written("b"), answered(), said(2), answered(), said(3), shown("c"),
        decided("c", "approve"), used("c"), written("c", error=True), answered(), said(4),
    )  # fmt: skip
    assert (now.turn, now.cards, now.writes, now.interrupted_turns) == (4, 3, 1, 2)
    assert now.interrupted_share == 0.5
    assert standing().interrupted_share == 0.0


def test_a_card_waits_from_being_shown_until_it_is_settled_replaced_or_left() -> None:
    def waiting(*events: AnyEvent) -> str | None:
        card = standing(said(1), shown("a"), *events).waiting_card
        return card.id if card else None

    assert waiting() == "a"
    assert waiting(decided("a", "ask", "why?"), AgentSaid(text="So", about_card="a")) == "a"
    assert waiting(shown("b", replaces="a")) == "b"
    for decision in ("approve", "reject", "change", "withdrawn"):
        assert waiting(decided("a", decision)) is None
    assert waiting(said(2)) is None
    assert waiting(SessionEnded(reason="fault")) is None


def test_a_turn_lasts_until_the_agents_answer_calls_nothing_more() -> None:
    assert not standing(AgentSaid(text="Hi!")).mid_turn
    assert standing(said(1)).mid_turn
    assert standing(said(1), answered("get_order")).mid_turn
    assert standing(said(1), answered("cancel"), answered(purpose="answer_about_card")).mid_turn
    assert not standing(said(1), answered("get_order"), answered()).mid_turn
    assert standing(said(1), answered(), said(2)).mid_turn
    assert not standing(said(1), SessionEnded(reason="fault")).mid_turn


def test_a_cost_is_told_only_where_every_price_is_known() -> None:
    free, dear = Usage(), Usage(prompt=10, completion=5, cost=0.25)
    unknown = Usage(prompt=1, completion=1)
    assert (standing(answered(usage=free)).cost, standing(answered(usage=free)).tokens) == (None, 0)
    both = standing(answered(usage=dear), answered(usage=free), answered(usage=dear))
    assert (both.cost, both.tokens) == (0.5, 30)
    assert standing(answered(usage=dear), answered(usage=unknown)).cost is None
    assert standing(answered(usage=unknown), answered(usage=dear)).cost is None


def test_the_customer_is_known_once_a_look_up_found_them() -> None:
    failed = ToolReturned(call_id="c", name="find_user_id_by_email", text="Error", error=True)
    found = ToolReturned(
        call_id="c", name="find_user_id_by_name_zip", text="ann_1", customer="ann_1"
    )
    assert standing(failed).customer is None
    assert standing(failed, found).customer == "ann_1"


def test_the_status_follows_model_safeguards_and_end() -> None:
    off = started().safeguards.model_copy(update={"reflection": False})
    scored = Scored(scenario="one", reward=1.0, records_match=True, communicated=True)
    now = standing(
        ModelChanged(model="gpt-4o"), SafeguardsChanged(safeguards=off),
        SessionEnded(reason="transfer"), scored,
    )  # fmt: skip
    assert (now.model, now.safeguards, now.ended) == ("gpt-4o", off, "transfer")
    assert (now.scored, now.scenario) == (scored, "one")


def test_reflections_show_what_the_agent_did_in_view_of_them() -> None:
    second = answered("get_order")
    found = reflections(
        log_of(started(), said(1), answered("cancel"), reminder(), second, said(2), reminder())
    )
    assert [(each.seq, each.turn, each.answer) for each in found] == [(4, 1, second), (7, 2, None)]
    assert found[0].written == reminder()


def test_contexts_are_told_turn_by_turn() -> None:
    assert contexts(log_of(started(), context(1), said(2), context(2))) == [context(1), context(2)]


def test_each_card_has_one_row_with_what_came_before_and_after_it() -> None:
    first, second = decision_rows(log_of(*STORY))
    assert (first.card.id, first.turn, first.model) == ("a", 1, "clerk")
    assert (first.reflection, first.context) == (reminder(), context(1))
    assert first.questions == ("how much?",)
    assert first.decision == decided("a", "change", "the other one")
    assert (first.next_card, first.consented, first.written) == (second.card, False, None)
    assert (second.decision, second.consented) == (decided("b", "approve"), True)
    assert (second.written, second.next_card) == (written("b"), None)


def test_an_approved_card_has_no_call_that_followed_it_and_a_waiting_one_no_decision() -> None:
    log = log_of(started(), said(1), shown("a"), decided("a", "approve"), said(2), shown("b"))
    first, second = decision_rows(log)
    assert (first.next_card, second.decision, second.decided) == (None, None, None)
