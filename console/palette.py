"""The command palette: everything that has no place on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from console.setup import Setup, Switches

if TYPE_CHECKING:
    from console.app import SaberApp
    from console.screens.conversation import ConversationScreen
    from sessions.events import Safeguards

_SWITCHES = (
    ("gate", "gate", "every change waits for your decision"),
    ("reflection", "reflection", "the agent is reminded before a change"),
    ("context", "context", "only the blocks that matter are sent"),
    ("policy_on_card", "policy on the card", "policy checks show on the card"),
)
_SETTINGS = (
    (
        "after_feedback", "execute", "Carry the change after your words out at once",
        "What follows your words on a card needs no card of its own (SABER's rule)",
    ),
    (
        "after_feedback", "confirm", "Show the change after your words again",
        "What follows your words on a card is put to you like any other",
    ),
    (
        "blocks_as", "summaries", "Send blocks as a line each",
        "Blocks that are not pinned are sent as their summary",
    ),
    (
        "blocks_as", "verbatim", "Send blocks word for word",
        "Blocks that are chosen are sent whole",
    ),
)  # fmt: skip
BUDGETS = (0, 2, 4, 8, 16, 32)
"""Block budgets that the palette offers."""


def commands(app: SaberApp, screen: ConversationScreen) -> Iterator[SystemCommand]:
    """What can be done in a conversation, as it stands now."""
    guards = screen.conversation.safeguards
    yield SystemCommand("Change model…", "Let another agent answer from here on", app.pick_model)
    for name, title, meaning in _SWITCHES:
        on = bool(getattr(guards, name))
        verb = "off" if on else "on"
        yield SystemCommand(
            f"Switch {title} {verb}",
            f"{meaning} · now {'on' if on else 'off'}",
            lambda name=name, on=on: app.switch(name, not on),
        )
    for name, value, title, meaning in _SETTINGS:
        if getattr(guards, name) != value:
            yield SystemCommand(
                title, meaning, lambda name=name, value=value: app.switch(name, value)
            )
    yield SystemCommand(
        "Set block budget…", f"Most similar blocks per turn · now {guards.blocks}", app.pick_budget
    )
    yield SystemCommand(
        "Settings…", "All of these at once, and cards that are wrong on purpose",
        lambda: _settings(app, guards),
    )  # fmt: skip
    yield SystemCommand("End session", "End it, and see how it came out", screen.action_end)
    yield SystemCommand("New session", "Back to the start; this can be resumed", app.leave_session)


def _settings(app: SaberApp, guards: Safeguards) -> None:
    """Show the settings as they are, and set from here on what was changed."""
    from console.screens.settings import SettingsDialog

    now = Switches(**{each.name: getattr(guards, each.name) for each in fields(Switches)})

    def settle(chosen: Setup | None) -> None:
        if chosen is not None and chosen.switches != now:
            app.settle(asdict(chosen.switches))

    app.push_screen(SettingsDialog(Setup(switches=now), {}, begun=True), settle)
