"""The command palette, which offers whatever has no place on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand

from console import survey
from console.faults import sentence_about
from console.setup import Setup, Switches

if TYPE_CHECKING:
    from console.conversation.remembering import Remembering
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
        "after_feedback", "execute", "Carry out the change after your words at once",
        "What follows your words on a card needs no card of its own (SABER's rule)",
    ),
    (
        "after_feedback", "confirm", "Show the change after your words again",
        "What follows your words on a card is shown to you like any other",
    ),
    (
        "blocks_as", "summaries", "Send blocks as one line each",
        "Blocks that are not pinned are sent as their summary",
    ),
    (
        "blocks_as", "verbatim", "Send blocks word for word",
        "Blocks that are chosen are sent whole",
    ),
)  # fmt: skip
_BUDGETS = (0, 2, 4, 8, 16, 32)
"""Block budgets that the palette offers."""


class Palette:
    """The settings of the open conversation that can be changed while it goes on."""

    def __init__(
        self,
        app: App[str],
        conversation: Callable[[], ConversationScreen | None],
        remembering: Remembering,
    ) -> None:
        """Open dialogs on `app`; `conversation` returns the open conversation's screen, if any."""
        self._app = app
        self._conversation = conversation
        self._remembering = remembering
        self._switching = asyncio.Lock()

    def commands(self, screen: ConversationScreen) -> Iterator[SystemCommand]:
        """Yield what can be done in a conversation in its present state."""
        guards = screen.conversation.safeguards
        yield SystemCommand(
            "Change model…", "Let another agent answer from here on", self.pick_model
        )
        for name, title, meaning in _SWITCHES:
            on = bool(getattr(guards, name))
            yield SystemCommand(
                f"Switch {title} {'off' if on else 'on'}",
                f"{meaning} · now {'on' if on else 'off'}",
                lambda name=name, on=on: self.switch(name, not on),
            )
        for name, value, title, meaning in _SETTINGS:
            if getattr(guards, name) != value:
                yield SystemCommand(
                    title, meaning, lambda name=name, value=value: self.switch(name, value)
                )
        if screen.conversation.status.coupled_since is None:
            yield SystemCommand(
                "Escalate: check every change against the records",
                "Treats this session as coupled from here on; this cannot be undone",
                self.escalate,
            )
        yield SystemCommand(
            "Set block budget…",
            f"Most similar blocks per turn · now {guards.blocks}",
            self.pick_budget,
        )
        yield SystemCommand(
            "Settings…", "All of these at once, and attention checks",
            lambda: self._show_settings(guards),
        )  # fmt: skip
        if screen.conversation.memory is not None:
            yield SystemCommand(
                "Memory", "What the agent remembers, and what it has read of that",
                lambda: screen.action_pane("memory"),
            )  # fmt: skip
            yield SystemCommand(
                "What the agent wants to remember…", "Accept, edit or refuse what it learned here",
                lambda: self._app.run_worker(
                    self._remembering.ask(screen.conversation, again=True), group="dialog"
                ),
            )  # fmt: skip
        yield SystemCommand("End session", "End it and see how it came out", screen.action_end)

    def pick_model(self) -> None:
        """Let the user choose another model to answer from here on."""
        self._app.run_worker(self._pick_model(), group="dialog", exclusive=True)

    def pick_budget(self) -> None:
        """Let the user choose how many blocks are sent in a turn."""
        self._app.run_worker(self._pick_budget(), group="dialog", exclusive=True)

    def switch(self, name: str, value: bool | int | str) -> None:
        """Change one safeguard from here on."""
        self.set_safeguards({name: value})

    def escalate(self) -> None:
        """Check every change from here on; this cannot be undone."""
        self._app.run_worker(self._escalate(), group="switch")

    def set_safeguards(self, values: Mapping[str, bool | int | float | str]) -> None:
        """Change several safeguards at once from here on."""
        self._app.run_worker(self._set_safeguards(values), group="switch")

    async def _pick_model(self) -> None:
        from agent.models.choosing import make_model
        from console.screens.dialogs import PickDialog

        lines = await asyncio.to_thread(survey.models)
        options = [(line.name, f"{line.name} · {line.note}") for line in lines]
        typed = "or type a litellm name, e.g. openai/gpt-4o"
        name = await self._app.push_screen_wait(PickDialog("Who answers", options, typed=typed))
        if name and (screen := self._conversation()):
            try:
                model = await asyncio.to_thread(make_model, name)
                await screen.conversation.change_model(model)
            except Exception as error:
                self._warn(sentence_about(error))

    async def _pick_budget(self) -> None:
        from console.screens.dialogs import PickDialog

        options = [(str(each), f"{each} blocks, plus those always sent") for each in _BUDGETS]
        dialog = PickDialog("Block budget", options, typed="or type a number")
        picked = await self._app.push_screen_wait(dialog)
        if picked and picked.isdecimal() and len(picked) < 5:
            self.switch("blocks", int(picked))
        elif picked:
            self._warn("A block budget is a whole number, 0 or more.")

    async def _set_safeguards(self, values: Mapping[str, bool | int | float | str]) -> None:
        screen = self._conversation()
        if screen is None:
            return
        async with self._switching:  # each change starts from the result of the one before
            guards = screen.conversation.safeguards.model_copy(update=dict(values))
            try:
                await screen.conversation.change_safeguards(guards)
            except Exception as error:
                self._warn(sentence_about(error))

    async def _escalate(self) -> None:
        screen = self._conversation()
        if screen is not None:
            try:
                await screen.conversation.escalate()
            except Exception as error:
                self._warn(sentence_about(error))

    def _show_settings(self, guards: Safeguards) -> None:
        """Show the current settings in a dialog and apply what the user changes."""
        from console.screens.settings import SettingsDialog

        now = Switches(**{each.name: getattr(guards, each.name) for each in fields(Switches)})

        def settle(chosen: Setup | None) -> None:
            if chosen is not None and chosen.switches != now:
                self.set_safeguards(asdict(chosen.switches))

        self._app.push_screen(SettingsDialog(Setup(switches=now), {}, begun=True), settle)

    def _warn(self, sentence: str) -> None:
        self._app.notify(sentence, markup=False, severity="warning")
