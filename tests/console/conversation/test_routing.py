"""What a person sees of routed control: the status line, the transcript, the pane, the palette."""

from __future__ import annotations

from pathlib import Path

from console.conversation.router import doing
from sessions.events import GuardFired, RouteDecided, Safeguards
from tests.console.stage import LARGE, stage

ROUTED = Safeguards(reflection=False, context=False, control="routed")
ESCALATE = "Escalate: verify every change from here on"


async def test_routine_then_coupled_with_the_reason_in_the_pane(tmp_path: Path) -> None:
    answers = ("SIMPLE", "Hello.", "COMPLEX", "Well.")
    async with stage(tmp_path, *answers, safeguards=ROUTED, size=LARGE) as held:
        await held.say("hi")
        await held.shows("Hello.")
        await held.shows("routine")
        await held.say("two things")
        await held.shows("Well.")
        await held.shows("coupled since turn 2")
        await held.shows("Coupled: what you ask for hangs together.")
        await held.press("f2")
        await held.shows("called it COMPLEX")
        assert "routine" not in held.text()


async def test_the_person_escalates_from_the_palette_and_cannot_take_it_back(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, "Hello.", safeguards=Safeguards(), size=LARGE) as held:
        await held.say("hi")
        await held.shows("Hello.")
        assert "routine" not in held.text()
        offered = {each.title: each.callback for each in held.app.palette.commands(held.screen)}
        offered[ESCALATE]()
        await held.shows("coupled since turn 1")
        await held.shows("You escalated: every change is verified from here on.")
        assert ESCALATE not in [each.title for each in held.app.palette.commands(held.screen)]


def test_what_is_going_on_is_told_only_where_it_changes() -> None:
    decided = RouteDecided(turn=1, label="simple", latched=False, by="m")
    assert doing(decided) == ""
    assert "coupled" in doing(decided.model_copy(update={"latched": True}))
    fired = GuardFired(call_id="1", name="take", arguments={}, guard="g", why="w")
    assert doing(fired) == "a change went back to the agent"
