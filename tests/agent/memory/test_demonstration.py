"""The readme's demonstration, from a refusal to a change and back, with no model and no key."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import domains
from agent.clerk.clerk import Clerk
from agent.gate.operator import Decision
from agent.memory.keeping import open_bank
from agent.memory.lessons import LessonReview
from agent.session.conversation import Conversation
from console import cli
from sessions.events import Safeguards, Scored
from sessions.review.labelling import make_label
from sessions.store.store import Store
from sessions.views.labels import WHOLE
from tests.agent.held import events
from tests.agent.scripted import ScriptedOperator

EXCHANGE = "exchange_delivered_order_items"
SAID = (
    "My email is dmitribellweather92@example.com. A leg of my task chair is broken: please "
    "exchange it for the very same chair."
)
WORDS = "A broken item may be exchanged for the same one."
REFUSAL = "I can't exchange the Task Chair for the very same item"


def saber(db: Path, *words: str) -> str:
    result = CliRunner().invoke(cli.saber, [*words, "--db", str(db)])
    assert result.exit_code == 0, result.output
    return result.output


async def play(store: Store, operator: ScriptedOperator, scenario: str | None) -> Conversation:
    domain = domains.load("retail")
    held = await Conversation.start(
        store, domain, Clerk(), operator, safeguards=Safeguards(),
        scenario=domain.scenario(scenario) if scenario else None, memory=open_bank(store, "retail"),
    )  # fmt: skip
    await held.say(SAID)
    await held.end()
    return held


def said(held: Conversation) -> str:
    return "\n".join(each.text for each in events(held) if each.type == "agent_said")


def reward(held: Conversation) -> float:
    return next(each.reward for each in events(held) if isinstance(each, Scored))


@pytest.mark.parametrize("scenario", ["broken-chair", None], ids=["a scenario", "free play"])
async def test_a_refusal_is_taught_accepted_gone_by_and_undone(
    tmp_path: Path, scenario: str | None
) -> None:
    db = tmp_path / "s.sqlite"
    saber(db, "memory", "begin", "--domain", "retail")
    with Store.open(db) as store:
        refused = await play(store, ScriptedOperator(), scenario)
        assert REFUSAL in said(refused)
        await refused.log.append(make_label(WHOLE, "wrong", note=WORDS, by="somebody"))
        desk = LessonReview(store, "retail", refused.domain, refused.scenario)
        lesson = await desk.next(refused.log.events)
        assert lesson is not None
        await desk.settle(lesson, "accept")
        assert await desk.next(refused.log.events) is None  # nothing is taught twice

        operator = ScriptedOperator(Decision("approve", ""))
        made = await play(store, operator, scenario)
        (card,) = operator.cards
        assert [each.name for each in card.failing] == ["Each new item has different options"]
        assert WORDS in card.relaxing_text_for(card.failing[0].name)
        assert WORDS in said(made)
        if scenario:
            assert (reward(refused), reward(made)) == (0, 1)
    assert "as it was before" in saber(db, "memory", "undo", EXCHANGE, "--yes")
    with Store.open(db) as store:
        again = await play(store, (nobody := ScriptedOperator()), scenario)
        assert REFUSAL in said(again)
        assert nobody.cards == []
