"""Where no verdict comes, somebody looks at the change: or it is not made."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from agent.control import verifier
from agent.control.verifier import MOST_TIMES
from agent.models.protocol import ModelFault
from agent.session.conversation import Conversation
from sessions.events import AgentSaid, Card, DecisionMade, Safeguards, WriteVerified
from tests.agent.held import coins, conversation, events
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call

ROUTED = Safeguards(reflection=False, context=False, control="routed", router="rules")
THREE, TWO = (call("take", jar="blue", coins=each) for each in (3, 2))
DOWN = ModelFault("bad_request", "No.")


async def held_with(
    folder: Path, safeguards: Safeguards, *answers: Answer, name: str = "scripted"
) -> Conversation:
    operator = ScriptedOperator("change: two, please", "approve")
    model = ScriptedModel(*answers, name=name)
    async with conversation(folder, model, operator, safeguards=safeguards) as held:
        await held.escalate()
        await held.say("three coins from the blue jar, please")
        return held


def decisions(held: Conversation) -> list[tuple[str, str]]:
    return [(each.decision, each.by) for each in events(held) if isinstance(each, DecisionMade)]


async def test_words_on_a_card_are_no_consent_to_what_could_not_be_verified(
    tmp_path: Path,
) -> None:
    at_once = ROUTED.model_copy(update={"after_feedback": "execute"})
    held = await held_with(tmp_path / "a", at_once, THREE, THREE, TWO, TWO, "Done.")
    assert decisions(held) == [("change", "person"), ("approve", "rule")]
    held = await held_with(tmp_path / "b", at_once, THREE, THREE, TWO, DOWN, "Done.")
    assert decisions(held) == [("change", "person"), ("approve", "person")]
    assert coins(held, "blue") == 8


@pytest.mark.parametrize("gate", [True, False])
async def test_what_rules_stop_again_and_again_is_left_to_the_person_or_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: bool
) -> None:
    monkeypatch.setattr(verifier, "rule_objection", lambda *_: "Another comes first.")
    safeguards = ROUTED.model_copy(update={"gate": gate})
    answers = [THREE] * (MOST_TIMES + 1)
    held = await held_with(tmp_path, safeguards, *answers, "Well.", name="clerk")
    found = [each.outcome for each in events(held) if isinstance(each, WriteVerified)]
    assert found == ["blocked"] * MOST_TIMES + ["unverified" if gate else "withheld"]
    assert decisions(held) == ([("change", "person")] if gate else [])
    assert coins(held, "blue") == 10
    last = [each.text for each in events(held) if isinstance(each, AgentSaid)][-1]
    assert last == ("Well." if gate else verifier.NOT_CHECKED.format(what="take"))


@pytest.mark.parametrize("verdict", [TWO, DOWN], ids=["it may", "no verdict"])
async def test_a_card_that_was_left_is_nobodys_once_cards_are_off(
    tmp_path: Path, verdict: Answer
) -> None:
    async def leave(card: Card) -> None:
        raise asyncio.CancelledError

    operator, model = ScriptedOperator(meanwhile=leave), ScriptedModel(TWO, DOWN, verdict, "Well.")
    async with conversation(tmp_path, model, operator, safeguards=ROUTED) as held:
        await held.escalate()
        with contextlib.suppress(asyncio.CancelledError):
            await held.say("two coins from the blue jar, please")
        await held.change_safeguards(ROUTED.model_copy(update={"gate": False}))
        await held.go_on()
        found = [each.outcome for each in events(held) if isinstance(each, WriteVerified)]
        made = verdict is TWO
        assert found == ["unverified", "kept" if made else "withheld"]
        assert coins(held, "blue") == (8 if made else 10)
