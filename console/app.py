"""The Textual app, which opens screens, binds keys and routes messages between them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segments
from rich.text import Text
from textual import on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, TextArea

from console import crash, garbage_collection, survey
from console.browser.histories import Histories
from console.browser.session_request import SessionRequest
from console.catalogue import Roles
from console.conversation.remembering import Remembering
from console.faults import sentence_about
from console.palette import Palette
from console.screens.start import StartScreen
from console.setup import Setup
from console.themes import DARK, LIGHT
from console.widgets.press_logging_app import PressLoggingApp

if TYPE_CHECKING:
    from console.conversation.engine import Engine
    from console.screens.conversation import ConversationScreen

LOOK_AROUND = 0.1
"""Seconds from the first frame to the survey, whose imports must not delay that frame."""

_WOULD_HIDE_A_CARD = frozenset({"Maximize", "Minimize"})
"""Textual's commands to leave out: a maximized widget would hide a card that takes keys (law 8)."""

TWICE = 2.0
"""Seconds within which a second Ctrl+C quits."""


class SaberApp(PressLoggingApp):
    """The app in which a person plays the customer and decides on every change.

    Its return value is a sentence for stderr if it could not do what the command line asked.
    """

    TITLE = "saber-console"
    CSS_PATH = Path(__file__).parent / "screens" / "start.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+c", "interrupt", "Stop", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, priority=True),
    ]

    def __init__(self, setup: Setup, *, begin: bool = False) -> None:
        """Open the start screen, or with `begin` go straight to the conversation `setup` names."""
        super().__init__()
        self.exit_text = ""
        """The text that is printed on the terminal after the app has closed."""

        self._setup = setup
        self._begin = begin
        self._opening = False
        self._engine: Engine | None = None
        self._ticked: defaultdict[str, set[str]] = defaultdict(set)
        """The role lines that were ticked off, by session."""

        self._asked_to_quit = -TWICE
        self._remembering = Remembering(self, setup.db)
        self._start = StartScreen(setup)
        self._histories = Histories(self, setup, self._reopen, self._open_conversation)
        self.palette = Palette(self, self._open_conversation, self._remembering)
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name

    def get_default_screen(self) -> Screen[Any]:
        """The start screen, which is painted first."""
        return self._start

    def on_mount(self) -> None:
        """Survey the choices, or open a conversation, once the first frame is on the screen."""
        self.app_resume_signal.subscribe(self, self._repaint)
        self.call_after_refresh(self._first_step)

    def _first_step(self) -> None:
        if self._begin:
            self._open(self._setup)
        else:
            self.set_timer(LOOK_AROUND, self._look_around)

    def _look_around(self) -> None:
        garbage_collection.enable_and_freeze()
        self._survey(self._setup)

    # -- the start screen

    @work(group="survey", exclusive=True)
    async def _survey(self, setup: Setup) -> None:
        """Fill the start screen, each part as soon as it is known."""
        self._start.show_notice("")
        try:
            await self._offer_latest(setup)
            self._start.offer_domains(await asyncio.to_thread(survey.domains))
            await self._offer_scenarios(setup)
            self._start.offer_memories(await asyncio.to_thread(survey.memories, setup.db))
            self._start.offer_models(await asyncio.to_thread(survey.models))
            await asyncio.to_thread(_warm_up)
        except Exception as error:
            self._start.show_notice(sentence_about(error))

    async def _offer_latest(self, setup: Setup) -> None:
        """Offer the last unfinished session; after a fault, the rest can still be chosen."""
        try:
            latest = await asyncio.to_thread(survey.latest_unfinished, setup.db)
        except Exception as error:
            self._start.show_notice(sentence_about(error))
        else:
            self._start.offer_resume(latest)

    async def _offer_scenarios(self, setup: Setup) -> None:
        """Offer the domain's roles and customers; after a fault, the rest can still be chosen."""
        where = setup.domain, setup.data, setup.tasks
        try:
            roles = await asyncio.to_thread(survey.scenarios, *where)
        except Exception as error:
            self._start.offer_no_scenarios(sentence_about(error))
        else:
            self._start.offer_scenarios(roles)
        try:
            self._start.offer_customers(await asyncio.to_thread(survey.customers, *where))
        except Exception:  # the fault was shown above, for the same records
            self._start.offer_customers(Roles(""))

    @on(StartScreen.Uncovered)
    @work(group="unfinished", exclusive=True)
    async def _look_for_unfinished(self, event: StartScreen.Uncovered) -> None:
        """Look again for the last unfinished session, which may have changed or been deleted."""
        await self._offer_latest(event.setup)

    @on(StartScreen.Begin)
    def _begin_chosen(self, event: StartScreen.Begin) -> None:
        self._open(event.setup)

    @on(StartScreen.DomainChosen)
    def _survey_again(self, event: StartScreen.DomainChosen) -> None:
        self._survey(event.setup)

    # -- the conversation

    def _open(self, setup: Setup) -> None:
        if not self._opening:
            self._opening = True
            self._start.show_notice("Opening…")
            self._open_soon(setup)

    @work(group="open", exclusive=True)
    async def _open_soon(self, setup: Setup) -> None:
        """Import the engine, open what `setup` names, and show it."""
        try:
            screen = await self._open_screen(setup)
        except Exception as error:
            self._not_opened(sentence_about(error))
        else:
            self._start.show_notice("")
            self._begin = False
            await self._show(screen, setup)
            self.call_after_refresh(garbage_collection.enable_and_freeze)
        finally:
            self._opening = False

    async def _show(self, screen: Screen[Any], setup: Setup) -> None:
        """Show a screen; closing a replay or review from the command line ends the program."""
        if setup.replay is not None or setup.review is not None:
            self.push_screen(screen, self._leave)
            return
        await self.push_screen(screen)
        if setup.fork is not None and setup.fork.draft and (held := self.conversation_screen):
            held.draft(setup.fork.draft)

    def _leave(self, why: str | None) -> None:
        """Leave the app; `why` is the reason if it had to stop."""
        self.exit(why or None, return_code=2 if why else 0)

    async def _open_screen(self, setup: Setup) -> Screen[Any]:
        if setup.replay is not None:
            return await self._histories.replay_screen(setup.replay, setup.replay_at)
        if setup.review is not None:
            return await self._histories.review_screen(setup.review)
        await asyncio.to_thread(_warm_up)
        from console.conversation.engine import Engine
        from console.screens.conversation import ConversationScreen

        if self._engine is None:
            self._engine = await asyncio.to_thread(Engine, setup.db)
            for sentence in self._engine.store.warnings:
                self._warn(sentence)
        screen = ConversationScreen()
        conversation = await self._engine.open(setup, screen)
        return screen.attach(conversation, self._ticked[conversation.log.session])

    def _not_opened(self, sentence: str) -> None:
        """End the program if the command line asked for this, else explain on the start screen."""
        if self._begin:
            self.exit(sentence, return_code=2)
        else:
            self._start.show_notice(sentence)

    @on(SessionRequest)
    @work(group="history", exclusive=True)
    async def _history_wanted(self, event: SessionRequest) -> None:
        """Replay, fork, compare or list recorded sessions."""
        try:
            await self._histories.follow(event)
        except Exception as error:
            self._warn(sentence_about(error))

    async def _reopen(self, setup: Setup) -> None:
        """Stop the running turn and replace the open session, which stays open if that fails."""
        held = self.conversation_screen
        if held and setup.resume == held.conversation.log.session:
            while self.screen is not held:
                await self.pop_screen()
            return
        if held:
            await held.stop_and_wait()
        screen = await self._open_screen(setup)
        while self.screen_stack[-1] is not self._start:
            await self.pop_screen()
        await self._show(screen, setup)
        self.call_after_refresh(garbage_collection.unfreeze_and_collect)

    def _open_conversation(self) -> ConversationScreen | None:
        return self.conversation_screen

    @property
    def conversation_screen(self) -> ConversationScreen | None:
        """The conversation's screen, or None if no conversation is open."""
        from console.screens.conversation import ConversationScreen

        found = [each for each in self.screen_stack if isinstance(each, ConversationScreen)]
        return found[0] if found else None

    async def on_conversation_screen_wanted(self, event: ConversationScreen.Wanted) -> None:
        """Do what a conversation's screen asks of the app."""
        match event.what:
            case "model":
                self.palette.pick_model()
            case "new":
                self.leave_session()
            case "outcome":
                self._show_outcome()

    @work(group="dialog", exclusive=True)
    async def _show_outcome(self) -> None:
        """Show how the session came out, then begin a new one or return to it."""
        from console.screens.outcome import OutcomeScreen, ScoredScenario

        screen = self.conversation_screen
        held = None if screen is None else screen.conversation
        if held is None or held.status.ended is None:
            return
        scored, against = held.status.scored, None
        if held.scenario is not None:
            if scored is None:  # it was interrupted before scoring, or its task is not scored
                return
            against = ScoredScenario(held.scenario, scored)
        if isinstance(self.screen, OutcomeScreen):  # it was shown before judging was complete
            await self.pop_screen()
        remark = await self._remembering.remark(held)
        left_for = await self.push_screen_wait(OutcomeScreen(held, against, remark))
        await self._remembering.ask(held)
        if left_for == "new":
            self.leave_session()

    @work(group="leave", exclusive=True)
    async def leave_session(self) -> None:
        """Stop the running turn and go back to the start screen; the session stays recorded."""
        if screen := self.conversation_screen:
            await screen.stop_and_wait()
            await self._remembering.ask(screen.conversation)
            while self.screen_stack[-1] is not self._start:
                await self.pop_screen()
            self.call_after_refresh(garbage_collection.unfreeze_and_collect)
            self._survey(self._start.setup)

    def _warn(self, sentence: str) -> None:
        self.notify(sentence, markup=False, severity="warning")

    # -- the whole program

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield Textual's own commands, then those for sessions and for the open conversation."""
        yield from (
            command
            for command in super().get_system_commands(screen)
            if command.title not in _WOULD_HIDE_A_CARD
        )
        yield from self._histories.commands(self.conversation_screen)
        if self.conversation_screen is screen:
            yield from self.palette.commands(self.conversation_screen)
            yield SystemCommand(
                "New session", "Back to the start; this can be resumed", self.leave_session
            )

    def deliver_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str | None:
        """Save the screenshot in the working directory, since a Downloads folder may not exist."""
        return super().deliver_screenshot(filename, path or str(Path.cwd()), time_format)

    async def action_help(self) -> None:
        """Show help on the focused widget and the screen, or close the help that is open."""
        from console.screens.dialogs import HelpDialog

        if isinstance(self.screen, HelpDialog):
            self.pop_screen()
            return
        nodes = [] if self.focused is None else [n for n in self.focused.ancestors_with_self]
        texts = [node.HELP for node in (*nodes, self.screen) if getattr(node, "HELP", None)]
        self.push_screen(HelpDialog("\n\n".join(dict.fromkeys(map(str, texts)))))

    def action_interrupt(self) -> None:
        """Ctrl+C: stop the visible agent, else copy the selection, else quit if pressed again."""
        screen = self.conversation_screen
        if screen is not None and screen.busy and self.screen is screen:
            screen.action_stop()
        elif self._copy_selection():
            self.notify("Copied.", markup=False, timeout=1)
        elif monotonic() - self._asked_to_quit < TWICE:
            self.run_worker(self.action_quit())
        else:
            self._asked_to_quit = monotonic()
            self.notify("Press ctrl+c again to quit.", markup=False, timeout=TWICE)

    def _repaint(self, _app: object) -> None:
        """Repaint after Ctrl+Z, when others have written on the screen.

        Textual itself repaints only if the size has changed.
        """
        self.refresh(layout=True)

    def _copy_selection(self) -> bool:
        focused = self.focused
        selected = focused.selected_text if isinstance(focused, (Input, TextArea)) else ""
        selected = selected or self.screen.get_selected_text() or ""
        if selected:
            self.copy_to_clipboard(selected)
            self.screen.clear_selection()
        return bool(selected)

    async def action_quit(self) -> None:
        """Stop the running turn, write what is queued, and leave."""
        if screen := self.conversation_screen:
            from console.conversation.farewell import farewell

            await screen.stop_and_wait()
            held = screen.conversation
            told = farewell(held.status, self._setup.db), await self._remembering.farewell(held)
            self.exit_text = "\n".join(filter(None, told))
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()
        self.exit(return_code=0)

    def _fatal_error(self) -> None:
        """Report an unforeseen exception with a sentence and a file instead of a traceback."""
        sentence = crash.record_crash(self._exception or RuntimeError("unknown"))
        text = Text(sentence, style="")
        self._exit_renderables.append(Segments(self.console.render(text)))
        self._close_messages_no_wait()


def _warm_up() -> None:
    """Import what a conversation needs while the person is still choosing."""
    import console.conversation.engine
    import console.screens.conversation  # noqa: F401
