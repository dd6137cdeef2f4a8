"""The replay screen: a recorded session event by event, with everything as it was then."""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer

from agent.session.replay import Replay
from console.browser.session_request import SessionRequest
from console.panes.side import SidePanes
from console.screens.label import ask_for_label
from console.setup import CLERK
from console.widgets.key_line import KeyLine
from console.widgets.label_line import LabelLine
from console.widgets.plain import shorten_and_clean
from console.widgets.replay_card import ReplayCard
from console.widgets.replay_line import ReplayLine
from console.widgets.replay_transcript import ReplayTranscript
from console.widgets.status_line import StatusLine
from sessions.events import CardShown, CustomerSaid, Event, WriteApplied
from sessions.review.labelling import LabelDesk

SPEEDS = (1, 2, 5, 10, 20, 50)
LONGEST_PAUSE = 4.0
"""The longest pause to play, in seconds before the speed is applied; longer ones are cut."""

FRAME = 1 / 20
"""Seconds between two frames; events closer together than that are shown at once."""

MOST_SINGLE_EVENTS = 20
"""The most events that are passed to the panes one by one; after more, all panes redraw."""

_KINDS: dict[str, type[Event]] = {"card": CardShown, "write": WriteApplied, "turn": CustomerSaid}


class ReplayScreen(Screen[None]):
    """Steps through one recorded session; nothing that happened can be changed here."""

    CSS_PATH = ["conversation.tcss", "replay.tcss"]  # noqa: RUF012
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    HELP = """\
# Replay

A recorded session, event by event. Transcript, card, records and panes are shown as they were then;
no model is asked and nothing that happened is changed.

- **right** and **left** one event on or back; **home** and **end** the first and the last
- **t**, **c** and **w** to the next turn, card or write; with shift to the one before
- **space** plays and pauses, **+** and **-** set the speed, ×1 to ×50
- **f** forks: a new session that can take another course from this moment on
- **l** labels the card, the event or the session as right, wrong or unclear
- **x** shows the exact call of the card, **up** and **down** scroll it
- **F2** to **F7** show a side pane (**F8** the memory, where there is one), **page up / down**
  scroll, **ctrl+o** opens the latest line
- **esc** leaves
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "On", priority=True),
        Binding("left", "step(-1)", "Back", priority=True),
        Binding("space", "play", "Play", priority=True),
        Binding("c", "next('card', 1)", "Card"),
        Binding("C", "next('card', -1)", "Card before", show=False),
        Binding("w", "next('write', 1)", "Write"),
        Binding("W", "next('write', -1)", "Write before", show=False),
        Binding("t", "next('turn', 1)", "Turn"),
        Binding("T", "next('turn', -1)", "Turn before", show=False),
        Binding("plus,equals_sign", "speed(1)", "Faster", show=False),
        Binding("minus", "speed(-1)", "Slower", show=False),
        Binding("home", "edge(0)", "First", show=False, priority=True),
        Binding("end", "edge(1)", "Last", show=False, priority=True),
        Binding("f", "fork", "Fork"),
        Binding("l", "label", "Label"),
        Binding("x", "exact_call", "Exact call", show=False),
        Binding("up", "read(-1)", "Up", show=False),
        Binding("down", "read(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False, priority=True),
        Binding("pagedown", "page(1)", "Page down", show=False, priority=True),
        Binding("ctrl+o", "open_latest", "Open line", show=False, priority=True),
        Binding("escape,q", "leave", "Leave"),
        *(
            Binding(keys, f"pane('{name}')", name.capitalize(), show=False, priority=True)
            for keys, name in (
                ("f2,alt+r", "reflection"),
                ("f3,alt+c", "context"),
                ("f4,alt+d", "record"),
                ("f5,alt+t", "trace"),
                ("f6,alt+p", "policy"),
                ("f7,alt+s", "scenario"),
                ("f8,alt+m", "memory"),
            )
        ),
    ]

    def __init__(self, replay: Replay, labels: LabelDesk | None = None) -> None:
        """Show `replay` at its current place, and move it; without `labels` none can be given."""
        super().__init__()
        self.replay = replay
        self._labels = labels
        self._shown = 0
        """The place that is shown on the screen."""

        self._speed = 0
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the conversation on the left, the panes on the right, place and status below."""
        with Horizontal(id="main"):
            with Vertical(id="talk"):
                yield ReplayTranscript()
                with Vertical(id="desk"):
                    yield ReplayCard()
            yield SidePanes(self.replay, "record", set())
        yield LabelLine()
        yield ReplayLine()
        yield StatusLine()
        yield KeyLine()

    async def on_mount(self) -> None:
        """Show the place that the replay starts at."""
        scenario = self.replay.scenario
        title = f"Replay · {scenario.title if scenario else 'Free play'}"
        self.query_one("#talk").border_title = shorten_and_clean(Content(title))
        await self.show_place()

    def on_resize(self) -> None:
        """Redraw the replay line, which is as wide as the screen, and refit the card."""
        self.call_after_refresh(self._update_lines)
        self.call_after_refresh(self.query_one(ReplayCard).fit)

    async def show_place(self) -> None:
        """Update the transcript, the card, the panes and the lines to the current place."""
        with self.app.batch_update():
            await self.query_one(ReplayTranscript).show(self.replay.items)
            await self.query_one(ReplayCard).show(self.replay.card)
            self._update_panes(self.query_one(SidePanes))
            self._update_lines()

    def _update_panes(self, panes: SidePanes) -> None:
        """Pass the latest events to the panes, or mark all panes as outdated after a jump."""
        before, self._shown = self._shown, self.replay.place
        if 0 < self._shown - before <= MOST_SINGLE_EVENTS and before:
            for logged in self.replay.since(before):
                panes.take_event(logged.event)
        else:
            panes.show_moment()

    def _update_lines(self) -> None:
        if not self.is_mounted:
            return
        now = self.replay.status
        offline = now.model.partition("+")[0] == CLERK
        self.query_one(StatusLine).tell(now, offline=offline)
        self.query_one(LabelLine).tell(self.replay)
        self.query_one(ReplayLine).tell(
            self.replay, playing=self.playing, speed=SPEEDS[self._speed]
        )

    # -- moving

    async def go_to(self, place: int) -> None:
        """Go to a place; one that is out of range is clamped."""
        self.replay.go_to(place)
        await self.show_place()

    async def action_step(self, by: int) -> None:
        """Pause, and go forward or back by one event."""
        self._pause()
        await self.go_to(self.replay.place + by)

    async def action_edge(self, last: int) -> None:
        """Pause, and go to the first or the last event."""
        self._pause()
        await self.go_to(self.replay.length if last else 1)

    async def action_next(self, kind: str, direction: int) -> None:
        """Pause, and go to the next or previous turn, card or write."""
        self._pause()
        place = self.replay.next_of(_KINDS[kind], direction)
        if place is None:
            where = "after" if direction > 0 else "before"
            self.notify(f"There is no {kind} {where} this.", markup=False, timeout=2)
            self._update_lines()
        else:
            await self.go_to(place)

    # -- playing

    @property
    def playing(self) -> bool:
        """Whether the replay is playing."""
        return self._timer is not None

    async def action_play(self) -> None:
        """Play from here, or pause; at the end, start over from the beginning."""
        if self.playing:
            self._pause()
        else:
            if self.replay.pause is None:
                await self.go_to(1)
            self._schedule_next()
        self._update_lines()

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        if self.playing:
            self._schedule_next()
        self._update_lines()

    def _pause(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.stop()

    def _schedule_next(self) -> None:
        """Schedule the next step after the recorded pause, capped and divided by the speed."""
        self._pause()
        if (pause := self._seconds()) is not None:
            self._timer = self.set_timer(max(FRAME, pause), self._play_on)

    def _seconds(self) -> float | None:
        pause = self.replay.pause
        return None if pause is None else min(pause, LONGEST_PAUSE) / SPEEDS[self._speed]

    async def _play_on(self) -> None:
        """Step to the next event, and over all events that fall within the same frame."""
        if not self.playing:  # paused after this call was scheduled
            return
        passed = 0.0
        while passed < FRAME and (seconds := self._seconds()) is not None:
            passed += seconds
            self.replay.step(1)
        self._schedule_next()
        await self.show_place()

    # -- the rest of the screen

    def action_fork(self) -> None:
        """Ask the app to fork the session after this event."""
        self._pause()
        self._update_lines()
        self.post_message(
            SessionRequest(
                "fork",
                self.replay.status.session,
                self.replay.place,
                draft=self.replay.words_next or "",
            )
        )

    @work(group="label", exclusive=True)
    async def action_label(self) -> None:
        """Ask for a label on the current card or event, or on the session."""
        self._pause()
        self._update_lines()
        if self._labels is not None:
            failed = await ask_for_label(self.app, self.replay, self._labels)
            if failed:
                self.notify(failed, markup=False, severity="warning")
            self._update_lines()

    def action_exact_call(self) -> None:
        """Show or hide the exact call of the card."""
        self.query_one(ReplayCard).open()

    def action_read(self, lines: int) -> None:
        """Scroll the card or, if none is shown, the transcript."""
        card = self.query_one(ReplayCard)
        if card.display:
            card.read(lines)
        else:
            self.query_one(ReplayTranscript).scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        """Scroll the transcript by a page."""
        transcript = self.query_one(ReplayTranscript)
        if pages < 0:
            transcript.scroll_page_up(animate=False)
        else:
            transcript.scroll_page_down(animate=False)

    def action_open_latest(self) -> None:
        """Open or close the last row that can be opened."""
        self.query_one(ReplayTranscript).open_latest()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the key of a pane that this session does not have."""
        if action != "pane":  # called for every key at every change of focus
            return True
        side = self.query_one_optional(SidePanes)
        return side is None or parameters[0] in side.names

    def action_pane(self, name: str) -> None:
        """Show a side pane; the second time close it, if it covers the conversation."""
        side = self.query_one(SidePanes)
        again, side.current = side.current == name, name
        if not self.has_class("-wide"):
            self.set_class(not (again and self.has_class("-side-open")), "-side-open")
        self.call_after_refresh(side.pane.refresh_if_stale)

    @on(SidePanes.Closed)
    def _close_side(self) -> None:
        self.remove_class("-side-open")
        self.set_focus(None)

    def action_leave(self) -> None:
        """Close the pane that covers the conversation, if any; otherwise leave the replay."""
        if self.has_class("-side-open"):
            self._close_side()
        else:
            self._pause()
            self.dismiss(None)
