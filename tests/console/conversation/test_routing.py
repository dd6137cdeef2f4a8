"""What a person sees of routed control: the status line, the transcript, the pane, the palette."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.conversation.event_router import doing
from sessions.events import GuardFired, ModelRequested, RouteDecided, Safeguards, WriteVerified
from tests.agent.scripted import Answer, call
from tests.console.stage import LARGE, stage

ROUTED = Safeguards(reflection=False, context=False, control="routed")
ESCALATE = "Escalate: check every change against the records"


async def test_routine_then_coupled_with_the_reason_in_the_pane(tmp_path: Path) -> None:
    answers = ("SIMPLE", "Hello.", "COMPLEX", "Well.")
    async with stage(tmp_path, *answers, safeguards=ROUTED, size=LARGE) as held:
        await held.say("hi")
        await held.shows("Hello.")
        await held.shows("routine")
        await held.say("two things")
        await held.shows("Well.")
        await held.shows("coupled since turn 2")
        await held.shows("Coupled: your requests depend on each other.")
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
        await held.shows(
            "You escalated: every change is checked against what you said and the records."
        )
        assert ESCALATE not in [each.title for each in held.app.palette.commands(held.screen)]


def test_what_is_going_on_is_told_only_where_it_changes() -> None:
    decided = RouteDecided(turn=1, label="simple", latched=False, by="m")
    assert doing(decided) == ""
    assert "coupled" in doing(decided.model_copy(update={"latched": True}))
    fired = GuardFired(call_id="1", name="take", arguments={}, guard="g", why="w")
    assert doing(fired) == "a change went back to the agent"
    verified = WriteVerified(call_id="1", by="m", outcome="revised", candidates=())
    assert doing(verified) == "the change was revised"
    asked = ModelRequested(model="m", turn=1, attempt=1, purpose="verify", messages=1)
    assert doing(asked) == "m is asked whether this change is right"


THREE, TWO = (call("take", jar="red", coins=each) for each in (3, 2))
VERDICTS: dict[str, tuple[Answer, tuple[str, ...]]] = {
    "kept": (THREE, ("take → kept as it was", "no reason given")),
    "revised": (("Two it was.", TWO), ("take → revised", "coins: 3 → 2", "“Two it was.”")),
    "another tool": (
        call("look", jar="red"),
        ("take → revised", "- take (jar: red, coins: 3)", "+ look (jar: red)"),
    ),
    "asked": ("Which red one?", ("take → asked instead", "“Which red one?”")),
    "blocked": ("That jar is Bob's.", ("take → blocked", "“That jar is Bob's.”")),
    "unverified": (call("drop", x=1), ("take → not verified",)),
}


@pytest.mark.parametrize("name", VERDICTS)
async def test_the_pane_tells_what_came_of_each_change_that_was_verified(
    tmp_path: Path, name: str
) -> None:
    verdict, told = VERDICTS[name]
    answers = ("COMPLEX", THREE, verdict, "Well.")
    async with stage(tmp_path, *answers, safeguards=ROUTED, size=LARGE) as held:
        await held.say("three coins from the red jar")
        await held.press("f2")
        for each in told:
            await held.shows(each)
