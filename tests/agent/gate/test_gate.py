from __future__ import annotations

import ast
import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agent.gate.card import words_digest
from agent.gate.operator import Decision
from agent.gate.proposal import Proposal, card_of
from agent.models.history import WITHDRAWN
from agent.models.protocol import ModelFault
from agent.next_step import find_undecided_card
from agent.session.conversation import Conversation
from domains.core.consent import Consent, ConsentRefused, call_digest
from domains.core.draft import Draft
from domains.core.records import Records
from domains.core.tool import ToolCall, undeclared_tool
from sessions.events import (
    AgentSaid,
    Card,
    CardAnswered,
    CardShown,
    ConsentUsed,
    CustomerSaid,
    DecisionMade,
    Logged,
    ModelAnswered,
    ProposedCall,
    ReflectionWritten,
    Safeguards,
    ToolReturned,
    WriteApplied,
)
from sessions.exporting.steps import Words, conversation_steps
from sessions.store.errors import StoreError
from tests.agent.held import coins, conversation, events, resumed, types
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call
from tests.toy import TOOLS, toy_domain

ROOT = Path(__file__).resolve().parents[3]


async def test_an_approved_write_leaves_card_decision_consent_and_write_in_that_order(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Done.")
    async with conversation(tmp_path, model, ScriptedOperator("approve")) as held:
        await held.say("three coins please")
        assert coins(held) == 7
        assert types(held)[-7:] == [
            "card_shown",
            "decision_made",
            "consent_used",
            "write_applied",
            "model_requested",
            "model_answered",
            "agent_said",
        ]


async def test_a_yes_is_recorded_with_the_consent_that_it_gives_or_not_at_all(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Done.")
    on_disk: list[list[str]] = []
    async with conversation(tmp_path, model, ScriptedOperator("approve")) as held:

        def look(logged: Logged) -> None:
            if isinstance(logged.event, DecisionMade):
                log = held.log.store.read(held.log.session)
                on_disk.append([each.event.type for each in log[logged.seq - 1 :]])

        held.subscribe(look)
        await held.say("three coins please")
    assert on_disk == [["decision_made", "consent_used"]]


async def test_a_declined_write_changes_nothing_and_the_agent_reads_the_reason(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Sorry.")
    async with conversation(tmp_path, model, ScriptedOperator("reject: the blue one")) as held:
        before = held.records.digest
        await held.say("three coins please")
        assert held.records.digest == before
        sent = model.requests[-1].messages
        assert [message["role"] for message in sent[-2:]] == ["tool", "user"]
        assert sent[-1]["content"] == "the blue one"


async def test_a_change_asked_for_is_not_a_yes_and_the_revised_call_gets_its_own_card(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), call("take", jar="blue", coins=3))
    operator = ScriptedOperator("change: from the blue one", "approve")
    async with conversation(tmp_path, model, operator) as held:
        await held.say("three coins please")
        assert (coins(held, "red"), coins(held, "blue")) == (10, 7)
        assert [card.arguments["jar"] for card in operator.cards] == ["red", "blue"]


async def test_a_call_that_would_fail_never_becomes_a_card(tmp_path: Path) -> None:
    operator = ScriptedOperator("approve")
    model = ScriptedModel(call("take", jar="red", coins=99), "There are not that many.")
    async with conversation(tmp_path, model, operator) as held:
        await held.say("99 coins")
        assert operator.cards == []
        assert ToolReturned(
            call_id="call-1", name="take", text="Error: Not that many coins", error=True
        ) in events(held)


async def test_a_question_is_answered_while_the_card_stays_as_it_is(tmp_path: Path) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Seven would be left.", "Done.")
    operator = ScriptedOperator("ask: how many are left then?", "approve")
    async with conversation(tmp_path, model, operator) as held:
        await held.say("three coins")
        assert operator.cards[0] == operator.cards[1]
        assert model.requests[1].tools == []
        about = [event.about_card for event in events(held) if isinstance(event, AgentSaid)]
        assert about == [None, operator.cards[0].id, None]
        assert coins(held) == 7


async def test_what_the_trial_tells_is_answered_from_it_and_the_model_is_not_asked(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Done.")
    operator = ScriptedOperator("ask: is anything else going to change?", "approve")
    async with conversation(tmp_path, model, operator) as held:
        await held.say("three coins")
        assert operator.cards[0] == operator.cards[1]
        (answered,) = [each for each in events(held) if isinstance(each, CardAnswered)]
        assert answered.card_id == operator.cards[0].id
        assert answered.text.startswith("No. All that would be different: ")
        assert len(model.requests) == 2
        told_model = [each["content"] or "" for each in model.requests[-1].messages]
        assert any(f"answered them: {answered.text}" in each for each in told_model)
        agents = [each.text for each in events(held) if isinstance(each, AgentSaid)]
        assert answered.text not in agents
        words = [
            each.text for each in conversation_steps(held.log.events) if isinstance(each, Words)
        ]
        assert words == [*agents[:1], "three coins", "Done."]
        assert coins(held) == 7


async def test_a_question_that_the_model_cannot_answer_leaves_the_card_waiting(
    tmp_path: Path,
) -> None:
    fault = ModelFault("bad_key", "The key is not valid.")
    model = ScriptedModel(call("take", jar="red", coins=3), fault, "Done.")
    async with conversation(tmp_path, model, ScriptedOperator("ask: hm?", "approve")) as held:
        await held.say("three coins")
        assert coins(held) == 7
        assert "model_failed" in types(held)


async def test_with_the_gate_off_the_log_says_that_nobody_was_asked(tmp_path: Path) -> None:
    operator = ScriptedOperator("reject")
    model = ScriptedModel(call("take", jar="red", coins=3), "Done.")
    safeguards = Safeguards(gate=False, reflection=False)
    async with conversation(tmp_path, model, operator, safeguards=safeguards) as held:
        await held.say("three coins")
        made = [event for event in events(held) if isinstance(event, DecisionMade)]
        assert [each.by for each in made] == ["auto"]
        assert operator.cards == []
        assert "consent_used" in types(held)


async def test_two_writes_in_one_answer_get_a_card_each_and_a_no_ends_the_row(
    tmp_path: Path,
) -> None:
    both = [("take", {"jar": "red", "coins": 1}), ("take", {"jar": "blue", "coins": 1})]
    operator = ScriptedOperator("approve", "approve")
    async with conversation(tmp_path, ScriptedModel(both), operator) as held:
        await held.say("one of each")
        assert (coins(held, "red"), coins(held, "blue"), len(operator.cards)) == (9, 9, 2)
    (tmp_path / "second").mkdir()
    operator = ScriptedOperator("reject", "approve")
    async with conversation(tmp_path / "second", ScriptedModel(both), operator) as held:
        await held.say("one of each")
        assert (coins(held, "red"), coins(held, "blue"), len(operator.cards)) == (10, 10, 1)


async def test_a_tool_that_says_it_only_looks_cannot_change_anything(tmp_path: Path) -> None:
    async with conversation(
        tmp_path, ScriptedModel(call("liar", jar="red")), ScriptedOperator()
    ) as held:
        await held.say("look")
        assert coins(held) == 10
        returned = next(event for event in events(held) if isinstance(event, ToolReturned))
        assert returned.error


async def test_reflection_lets_the_model_propose_again_and_keeps_the_call_before(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(
        call("take", jar="red", coins=9), call("take", jar="red", coins=3), "Done."
    )
    operator = ScriptedOperator("approve")
    async with conversation(tmp_path, model, operator, safeguards=Safeguards()) as held:
        await held.say("some coins")
        assert coins(held) == 7
        assert len(operator.cards) == 1
        assert str(model.requests[1].messages[-1]["content"]).startswith(
            "Reminder before this change:"
        )
        assert types(held).count("reflection_written") == 1


async def test_another_write_than_the_one_it_was_reminded_of_gets_a_reminder_of_its_own(
    tmp_path: Path,
) -> None:
    @undeclared_tool
    def give(draft: Draft, jar: str, coins: int) -> str:
        """Put coins into a jar."""
        draft.edit("jars", jar)["coins"] += coins
        return "Given"

    domain = replace(toy_domain(), tools=TOOLS.with_tool(give))
    one = call("give", jar="red", coins=1)
    model, operator = ScriptedModel(call("take", jar="red", coins=3), one, one), ScriptedOperator()
    async with conversation(
        tmp_path, model, operator, domain=domain, safeguards=Safeguards()
    ) as held:
        await held.say("some coins")
        found = [each for each in events(held) if isinstance(each, ReflectionWritten | CardShown)]
        assert [each.type for each in found] == ["reflection_written"] * 2 + ["card_shown"]
        assert [each.call_name for each in found if isinstance(each, ReflectionWritten)] == [
            "take", "give"
        ]  # fmt: skip


async def test_a_customers_id_that_the_records_hold_is_clean_in_the_log(tmp_path: Path) -> None:
    domain = replace(toy_domain(), customer_of=lambda *_: "a\x1b[2Jn\u202en")
    model = ScriptedModel(call("find_user_id_by_email", email="ann@example.com"))
    async with conversation(tmp_path, model, ScriptedOperator(), domain=domain) as held:
        await held.say("I am ann@example.com")
        assert held.customer == held.status.customer == "a[2Jnn"


async def test_a_card_tells_whether_the_records_are_those_of_whoever_was_identified(
    tmp_path: Path,
) -> None:
    answers: list[Answer] = [
        [("take", {"jar": "red", "coins": 1})],
        [("find_user_id_by_email", {"email": "ann@example.com"})],
        [("take", {"jar": "red", "coins": 1})],
        [("find_user_id_by_email", {"email": "bob@example.com"})],
        [("take", {"jar": "red", "coins": 1})],
    ]
    operator = ScriptedOperator(*["approve"] * 3)
    async with conversation(tmp_path, ScriptedModel(*answers), operator) as held:
        await held.say("I am ann@example.com, coins, please")
        first = [card.before[0] for card in operator.cards]
        assert [(each.verdict, each.value) for each in first] == [
            ("fails", "you have not said who you are"),
            ("holds", "you gave ann@example.com: ann"),
            ("holds", "you gave ann@example.com: ann"),
        ]
        assert held.customer == "ann"


# The probes of peers.md, section 4.3.


async def test_probe_an_edited_call_is_never_what_an_approval_runs() -> None:
    records = toy_domain().records()
    shown = ToolCall("take", {"jar": "red", "coins": 1})
    consent = _consent(records, shown)
    with pytest.raises(ConsentRefused, match="different call"):
        records.apply(ToolCall("take", {"jar": "red", "coins": 9}), consent)
    assert records.diff() == ()


async def test_probe_what_runs_is_what_the_card_showed_even_if_its_arguments_are_edited(
    tmp_path: Path,
) -> None:
    async def meddle(card: object) -> None:
        arguments = held.log.events[-1].event.card.arguments  # type: ignore[union-attr]
        arguments["coins"] = 9

    operator = ScriptedOperator("approve", "reject", meanwhile=meddle)
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=1)), operator
    ) as held:
        await held.say("one coin")
        assert (coins(held), len(operator.cards)) == (10, 2)


async def test_probe_killed_between_the_yes_and_the_write_asks_again_and_writes_once(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3))
    async with conversation(tmp_path, model, ScriptedOperator()) as held:
        store, session = held.log.store, held.log.session
        card = await _shown(held)
        await held.log.append(
            DecisionMade(card_id=card.id, decision="approve", by="person", milliseconds=9),
            ConsentUsed(card_id=card.id, seal="x"),
        )
        operator = ScriptedOperator("approve")
        again = await resumed(store, session, ScriptedModel(), operator)
        assert coins(again) == 10
        await again.go_on()
        assert coins(again) == 7
        assert [each.id == card.id for each in operator.cards] == [False]
        shown = [event for event in events(again) if isinstance(event, CardShown)]
        assert shown[-1].replaces == card.id


async def test_probe_killed_after_the_write_does_not_write_again(tmp_path: Path) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), ModelFault("server", "It is down."))
    async with conversation(tmp_path, model, ScriptedOperator("approve")) as held:
        with pytest.raises(ModelFault):
            await held.say("three coins")
        operator = ScriptedOperator("approve")
        again = await resumed(held.log.store, held.log.session, ScriptedModel(), operator)
        await again.go_on()
        assert coins(again) == 7
        assert operator.cards == []


async def test_probe_one_approval_delivered_twice_writes_once(tmp_path: Path) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Done.")
    async with conversation(tmp_path, model, ScriptedOperator("approve")) as held:
        await held.say("three coins")
        shown = next(event for event in events(held) if isinstance(event, CardShown))
        with pytest.raises(StoreError):
            await held.log.append(ConsentUsed(card_id=shown.card.id, seal="again"))
        consent = Consent(
            shown.card.id, shown.card.call_digest, shown.card.state_digest, shown.words_digest
        )
        with pytest.raises(ConsentRefused, match="already been used"):
            held.records.apply(ToolCall("take", dict(shown.card.arguments)), consent)
        assert coins(held) == 7


async def test_probe_an_old_approval_is_worth_nothing_in_a_resumed_session(tmp_path: Path) -> None:
    model = ScriptedModel(call("take", jar="red", coins=3), "Done.")
    async with conversation(tmp_path, model, ScriptedOperator("approve")) as held:
        await held.say("three coins")
        shown = next(event for event in events(held) if isinstance(event, CardShown))
        again = await resumed(held.log.store, held.log.session, model, ScriptedOperator())
        consent = Consent(
            shown.card.id, shown.card.call_digest, shown.card.state_digest, shown.words_digest
        )
        with pytest.raises(ConsentRefused, match="already been used"):
            again.records.apply(ToolCall("take", dict(shown.card.arguments)), consent)


async def test_probe_a_no_is_final_even_if_the_gate_is_switched_off_meanwhile(
    tmp_path: Path,
) -> None:
    async def switch_off(card: object) -> None:
        await held.change_safeguards(Safeguards(gate=False, reflection=False))

    operator = ScriptedOperator("reject", meanwhile=switch_off)
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=3)), operator
    ) as held:
        await held.say("three coins")
        assert coins(held) == 10


async def test_probe_when_the_world_moves_under_the_card_a_new_card_is_shown(
    tmp_path: Path,
) -> None:
    async def move(card: object) -> None:
        if len(operator.cards) == 1:
            other = ToolCall("take", {"jar": "red", "coins": 4})
            held.records.apply(other, _consent(held.records, other))

    operator = ScriptedOperator("approve", "approve", meanwhile=move)
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=3)), operator
    ) as held:
        await held.say("three coins")
        assert [card.after for card in operator.cards] == [
            ("jar red: 10 → 7 coins",),
            ("jar red: 6 → 3 coins",),
        ]
        assert types(held).count("write_applied") == 1
        made = [event for event in events(held) if isinstance(event, CardShown)]
        assert made[1].replaces == made[0].card.id


async def test_probe_a_yes_to_a_card_that_the_records_have_left_behind_uses_no_consent(
    tmp_path: Path,
) -> None:
    async def move(card: object) -> None:
        operator.meanwhile = None
        other = ToolCall("take", {"jar": "red", "coins": 4})
        held.records.apply(other, _consent(held.records, other))

    operator = ScriptedOperator("approve", "reject", meanwhile=move)
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=3)), operator
    ) as held:
        await held.say("three coins")
        made = [each.decision for each in events(held) if isinstance(each, DecisionMade)]
        assert made == ["approve", "reject"]
        assert "consent_used" not in types(held)
        assert coins(held) == 6


async def test_probe_nothing_before_the_card_runs_twice(tmp_path: Path) -> None:
    model = ScriptedModel([("look", {"jar": "red"}), ("take", {"jar": "red", "coins": 3})])
    async with conversation(tmp_path, model, ScriptedOperator("approve")) as held:
        await held.say("three coins")
        assert types(held).count("tool_called") == 1


async def test_probe_the_log_says_who_decided_when_and_how_long_it_took(tmp_path: Path) -> None:
    decision = Decision("approve", milliseconds=1234, overrode=("no more than five",))
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=6)), ScriptedOperator(decision)
    ) as held:
        await held.say("six coins")
        logged = next(each for each in held.log.events if isinstance(each.event, DecisionMade))
        made = logged.event
        assert isinstance(made, DecisionMade)
        assert (made.by, made.milliseconds, made.overrode) == (
            "person",
            1234,
            ("no more than five",),
        )
        assert logged.at.startswith("20")


async def test_an_interruption_settles_the_card_as_withdrawn(tmp_path: Path) -> None:
    shown = asyncio.Event()

    async def wait(card: object) -> None:
        shown.set()
        await asyncio.sleep(60)

    operator = ScriptedOperator(meanwhile=wait)
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=3)), operator
    ) as held:
        turn = asyncio.create_task(held.say("three coins"))
        await shown.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        made = events(held)[-1]
        assert isinstance(made, DecisionMade)
        assert made.decision == "withdrawn"
        assert coins(held) == 10


async def test_a_card_that_was_left_is_put_up_again_and_the_model_is_not_asked(
    tmp_path: Path,
) -> None:
    both = [("take", {"jar": "red", "coins": 1}), ("take", {"jar": "blue", "coins": 2})]
    model, operator = ScriptedModel(both, "Done."), ScriptedOperator("approve", "approve")
    async with conversation(tmp_path, model, operator) as held:
        await _leave(held, operator)
        left = find_undecided_card(held.log.turn)
        assert left is not None
        assert left == operator.cards[0]
        requests = len(model.requests)
        await held.go_on()
        again, later = operator.cards[1:]
        assert again == left.model_copy(update={"id": again.id})
        assert again.id != left.id
        assert later.arguments == {"jar": "blue", "coins": 2}
        assert len(model.requests) == requests + 1  # for the answer that follows both
        assert [each.decision for each in events(held) if isinstance(each, DecisionMade)] == [
            "withdrawn", "approve", "approve",
        ]  # fmt: skip
        assert (coins(held), coins(held, "blue")) == (9, 8)
        assert find_undecided_card(held.log.turn) is None


async def test_a_card_that_was_left_is_gone_once_the_customer_speaks(tmp_path: Path) -> None:
    model, operator = ScriptedModel(call("take", jar="red", coins=3)), ScriptedOperator()
    async with conversation(tmp_path, model, operator) as held:
        await _leave(held, operator)
        await held.say("never mind")
        assert find_undecided_card(held.log.turn) is None
        assert len(operator.cards) == 1
        assert model.requests[-1].messages[-2]["content"] == WITHDRAWN


async def test_a_card_that_was_left_says_what_is_true_by_now(tmp_path: Path) -> None:
    model, operator = ScriptedModel(call("take", jar="red", coins=3)), ScriptedOperator("approve")
    async with conversation(tmp_path, model, operator) as held:
        await _leave(held, operator)
        other = ToolCall("take", {"jar": "red", "coins": 4})
        state = held.records.preview(other).state
        held.records.apply(other, Consent("other", call_digest(other), state, "words"))
        again = await resumed(held.log.store, held.log.session, model, operator)
        again.records.restore(held.records.snapshot())
        await again.go_on()
        assert operator.cards[0].after != operator.cards[1].after
        assert coins(again) == 3


async def _leave(held: Conversation, operator: ScriptedOperator) -> None:
    async def leave(card: Card) -> None:
        operator.meanwhile = None
        raise asyncio.CancelledError

    operator.meanwhile = leave
    with pytest.raises(asyncio.CancelledError):
        await held.say("three coins")


async def test_a_card_that_waited_when_the_program_died_is_shown_again_as_it_was(
    tmp_path: Path,
) -> None:
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=3)), ScriptedOperator()
    ) as held:
        card = await _shown(held)
        operator = ScriptedOperator("approve")
        again = await resumed(held.log.store, held.log.session, ScriptedModel(), operator)
        assert again.status.waiting_card == card
        await again.go_on()
        assert operator.cards == [card]
        assert coins(again) == 7


async def test_a_write_that_the_disk_refuses_to_record_did_not_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with conversation(
        tmp_path, ScriptedModel(call("take", jar="red", coins=3)), ScriptedOperator("approve")
    ) as held:
        append = held.log.append

        async def full(*wanted: object) -> object:
            if any(isinstance(event, WriteApplied) for event in wanted):
                raise StoreError("The disk is full.")
            return await append(*wanted)  # type: ignore[arg-type]

        monkeypatch.setattr(held.log, "append", full)
        with pytest.raises(StoreError):
            await held.say("three coins")
        assert coins(held) == 10


def test_only_the_gate_makes_consents_and_only_the_gate_applies() -> None:
    made: list[str] = []
    for folder in ("agent", "console", "domains", "sessions"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    name = ast.unparse(node.func)
                    if name == "Consent" or name.endswith("records.apply"):
                        made.append(f"{path.relative_to(ROOT)}: {name}")
    assert made == ["agent/gate/gate.py: Consent", "agent/gate/gate.py: ctx.records.apply"]


def _consent(records: Records, wanted: ToolCall) -> Consent:
    return Consent("card", call_digest(wanted), records.preview(wanted).state, "words")


async def _shown(held: Conversation) -> Card:
    """Put a card up and die before it is decided: no interruption is recorded."""
    wanted = ToolCall("take", {"jar": "red", "coins": 3})
    tool = TOOLS.get("take")
    assert tool is not None
    proposed = ProposedCall(id="call-1", name="take", arguments='{"jar": "red", "coins": 3}')
    await held.log.append(
        CustomerSaid(text="three coins", turn=1),
        ModelAnswered(model="scripted", text="", calls=(proposed,)),
    )
    card = card_of(held, Proposal("call-1", tool, wanted), held.records.preview(wanted))
    await held.log.append(CardShown(card=card, words_digest=words_digest(card)))
    return card


async def test_hidden_characters_in_a_tools_name_are_told_on_its_card(tmp_path: Path) -> None:
    hidden = call("ta\u200bke", jar="red", coins=3)
    operator = ScriptedOperator("reject")
    async with conversation(tmp_path, ScriptedModel(hidden, "Done."), operator) as held:
        await held.say("three coins")
        assert operator.cards[0].removed == ("U+200B",)


async def test_a_look_alike_letter_in_a_tools_name_never_becomes_a_card(tmp_path: Path) -> None:
    cyrillic = call("t\u0430ke", jar="red", coins=3)
    operator = ScriptedOperator("approve")
    async with conversation(tmp_path, ScriptedModel(cyrillic, "Done."), operator) as held:
        await held.say("three coins")
        assert operator.cards == []
        assert not any(isinstance(event, WriteApplied) for event in events(held))
