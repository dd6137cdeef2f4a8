"""What the customer's words on a card do to the changes that follow in the same turn."""

from __future__ import annotations

from pathlib import Path

from sessions.events import DecisionMade, Safeguards, ToolReturned
from sessions.scoring.trajectory import trajectory
from tests.agent.held import conversation, events
from tests.agent.scripted import ScriptedModel, ScriptedOperator, call

PAPER = Safeguards(reflection=False, after_feedback="execute")
THREE_RED = call("take", jar="red", coins=3)
THREE_BLUE = call("take", jar="blue", coins=3)


async def _decided(folder: Path, operator: ScriptedOperator, *answers: object) -> list[str]:
    """Who decided what, in order, by the paper's rule."""
    model = ScriptedModel(*answers)  # type: ignore[arg-type]
    async with conversation(folder, model, operator, safeguards=PAPER) as held:
        await held.say("three coins please")
        return [
            f"{event.by}: {event.decision}"
            for event in events(held)
            if isinstance(event, DecisionMade)
        ]


async def test_by_the_papers_rule_the_change_after_the_customers_words_is_carried_out(
    tmp_path: Path,
) -> None:
    operator = ScriptedOperator("change: from the blue one")
    found = await _decided(tmp_path, operator, THREE_RED, THREE_BLUE)
    assert found == ["person: change", "rule: approve"]
    assert len(operator.cards) == 1


async def test_the_rule_holds_for_one_change_and_the_next_one_is_shown(tmp_path: Path) -> None:
    operator = ScriptedOperator("change: from the blue one", "approve")
    one_blue = call("take", jar="blue", coins=1)
    found = await _decided(tmp_path, operator, THREE_RED, THREE_BLUE, one_blue)
    assert found == ["person: change", "rule: approve", "person: approve"]


async def test_the_rule_never_carries_out_the_very_call_that_was_declined(tmp_path: Path) -> None:
    operator = ScriptedOperator("reject: not that one", "reject: no!")
    found = await _decided(tmp_path, operator, THREE_BLUE, THREE_BLUE)
    assert found == ["person: reject", "person: reject"]


async def test_the_rule_never_carries_out_unchanged_what_was_to_be_changed(tmp_path: Path) -> None:
    operator = ScriptedOperator("change: from the red one", "reject: no!")
    found = await _decided(tmp_path, operator, THREE_BLUE, THREE_BLUE)
    assert found == ["person: change", "person: reject"]


async def test_the_rule_does_not_answer_for_the_person_where_they_said_no_more_than_no(
    tmp_path: Path,
) -> None:
    operator = ScriptedOperator("reject", "reject")
    assert await _decided(tmp_path, operator, THREE_RED, THREE_BLUE) == ["person: reject"] * 2


async def test_the_rule_does_not_wave_a_failing_check_by(tmp_path: Path) -> None:
    operator = ScriptedOperator("change: more", "reject")
    found = await _decided(tmp_path, operator, THREE_RED, call("take", jar="blue", coins=6))
    assert found == ["person: change", "person: reject"]


async def test_an_agent_that_keeps_asking_is_told_to_stop_until_the_customer_speaks(
    tmp_path: Path,
) -> None:
    asked = [call("take", jar="red", coins=coins) for coins in (1, 2, 3, 4)]
    operator = ScriptedOperator()
    model = ScriptedModel(*asked, "Fine.", call("take", jar="red", coins=1))
    safeguards = Safeguards(reflection=False, declines=3)
    async with conversation(tmp_path, model, operator, safeguards=safeguards) as held:
        await held.say("some coins please")
        assert len(operator.cards) == 3
        refused = [each for each in events(held) if isinstance(each, ToolReturned) and each.error]
        assert [each.text for each in refused] == [refused[0].text]
        assert "already declined 3 changes" in refused[0].text
        await held.say("one coin then")
        assert len(operator.cards) == 4


async def test_what_is_no_more_put_to_the_customer_is_no_call_of_the_agents(
    tmp_path: Path,
) -> None:
    behind = [("take", {"jar": "red", "coins": 1}), ("look", {"jar": "red"})]
    model = ScriptedModel(behind, call("take", jar="red", coins=2))
    safeguards = Safeguards(reflection=False, declines=1)
    async with conversation(
        tmp_path, model, ScriptedOperator("reject"), safeguards=safeguards
    ) as held:
        await held.say("some coins please")
        aside = [each for each in events(held) if isinstance(each, ToolReturned)]
        assert [(each.name, each.ran) for each in aside] == [("look", False), ("take", False)]
        assert trajectory(held.log.events).calls == []
