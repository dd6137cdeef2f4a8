"""A base widget that asks for a decision and ignores keys meant for something else (law 8).

It tells its :class:`~console.widgets.key_guard.KeyGuard` when it was painted, that the event loop
is running and what each key means, and then does what the guard allows. All keys are handled here,
in the order in which they arrive, and reach the card's bindings in no other way.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import cast

from textual import events
from textual.actions import parse
from textual.containers import Vertical
from textual.geometry import Region, Size
from textual.reactive import var
from textual.strip import Strip
from textual.widgets import Button

from console.widgets.key_guard import TICK, KeyGuard, Meaning
from console.widgets.press_logging_app import PressLoggingApp

_MOVES = frozenset({"read", "focus_previous", "focus_next"})
"""The actions of a card's keys that do not change the card."""

Act = Callable[[float], None]
"""The effect of a key; its argument is the time at which the key was pressed."""


class Guarded(Vertical):
    """Filters the keys, clicks and pastes of one card; subclasses define what they do."""

    stage: var[str] = var("grace")
    """The stage of the card, which says what keys can do.

    ``grace`` (nothing is accepted), ``ready``, ``override`` (a second key is needed), ``words``
    (the user is typing), ``asked`` (a question is being answered) or ``decided``.
    """

    _readable_since: float | None = None
    """When the card was first on the screen; None before that."""

    _drawn = False
    """Whether the card was drawn in a frame since it began to wait for one."""

    _drawn_for = Size()
    """The size of the screen for which the card was last laid out."""

    _watched_act: Act | None = None
    """The effect of the key that is being watched; None if there is none."""

    _clicked: float | None = None
    """When the mouse button was pressed on the card."""

    def _begin_guard(self) -> None:
        """Create the guard and subscribe to everything it has to know; called on mount."""
        self._guard = KeyGuard(cast(PressLoggingApp, self.app).presses, monotonic())
        self._wait_for_paint()
        self.set_interval(TICK, self._tick)
        self.app.app_resume_signal.subscribe(self, self._start_again)
        self.watch(self.app, "app_focus", self._terminal_chosen, init=False)
        self._drawn_for = self.app.size

    def _wait_for_paint(self) -> None:
        """Start the grace period with the next frame, since there is something new to read."""
        self._guard.hide()
        self._drawn = False
        self.refresh()

    def _start_again(self, _app: object) -> None:
        """Start again after the program was stopped or out of focus; no earlier key counts."""
        self._watched_act = None
        self._guard.wake(monotonic())
        self.begin_grace()

    def _terminal_chosen(self, has_focus: bool) -> None:
        """Start again when the terminal gets the focus: the user may still be typing."""
        if has_focus:
            self._start_again(self.app)

    def on_resize(self) -> None:
        """Start again if the screen was resized, since what was read may be elsewhere or gone."""
        if self._drawn_for != self.app.size:
            self._drawn_for = self.app.size
            self._start_again(self.app)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Note that the card is drawn; the terminal gets the frame before other code runs."""
        self._drawn = True
        return super().render_lines(crop)

    def _tick(self) -> None:
        """Report to the guard that time has passed, and act on what follows from it."""
        now = monotonic()
        if self._drawn and not self._guard.is_shown and self.screen.is_current:
            self._readable_since = self._readable_since or now
            self._guard.show(now)
        self._guard.beat(now)
        stands = self._guard.stands(now)
        if stands:
            self.app.call_later(self._run_watched)  # after all keys that are waiting to be handled
        elif stands is False:
            self._take_back()
        elif not self._guard.pending:
            self._follow(now)

    def _follow(self, now: float) -> None:
        """Start or stop accepting keys, as the guard does."""
        if self.stage == "grace" and self._guard.listens(now):
            self._listen()
        elif self.stage == "ready" and not self._guard.listens(now):
            self._return_to_grace()  # the event loop was blocked

    def _run_watched(self) -> None:
        """Do what the watched key does; by now, every key that has arrived was handled."""
        then, at = self._watched_act, self._guard.pressed_at
        if then is not None and at is not None and self._guard.stands(monotonic()):
            self._watched_act = None
            self._guard.release()
            then(at)

    def _watch_decision(self, at: float, then: Act) -> None:
        """Watch a deciding key, and act on it once no other key has followed it."""
        if self._guard.try_accept(at, monotonic(), "decides"):
            self._watch_over(then)
        elif self.stage != "override":
            self._return_to_grace()

    def _watch_over(self, then: Act) -> None:
        self._watched_act = then
        self._show_watching()

    def _take_back(self) -> None:
        """Cancel the watched key, because another key followed it."""
        self._watched_act = None
        self._guard.release()
        self._tell_taken_back()

    # -- input

    def on_key(self, event: events.Key) -> None:
        """Accept only keys pressed on their own, and keep stray letters from everything else."""
        match self.stage:
            case "grace":
                self._key_in_grace(event)
            case "words" if event.key in ("enter", "escape"):
                event.stop()
                if event.key == "enter":
                    self._enter(event.time)
                else:
                    self._back()
            case "ready" | "override":
                self._key_at_rest(event)
            case _:
                pass

    def _key_in_grace(self, event: events.Key) -> None:
        """Ignore the key, except an Esc after the grace period: Esc decides nothing."""
        if event.key != "escape" or not self._guard.awake:
            event.stop()
            self._guard.refuse(event.time)

    def _key_at_rest(self, event: events.Key) -> None:
        meaning = self._meaning(event.key)
        if self._guard.pending:
            event.stop()
            self._guard.refuse(event.time)
            self._take_back()
        elif meaning is not None:
            event.stop()
            self._act_on(meaning, event.time)
        elif event.key == "escape":
            if self._close():
                event.stop()
        elif self.stage == "ready" and event.key in self.screen._bindings.key_to_bindings:
            self._pass_on(event, "opens")
        elif self.stage == "override" or self._types(event):
            event.stop()
            self._stray(event.time)
        else:
            self._pass_on(event, "moves")

    def _pass_on(self, event: events.Key, meaning: Meaning) -> None:
        """Let Textual or the screen handle the key, if the guard accepts it."""
        if not self._guard.try_accept(event.time, monotonic(), meaning):
            event.stop()
            self._return_to_grace()

    def _types(self, event: events.Key) -> bool:
        return event.is_printable or event.key in ("enter", "backspace")

    def _meaning(self, key: str) -> str | None:
        """The meaning of a key now: a choice, an action, or the id of the button Enter presses."""
        focused = self.screen.focused
        if key == "enter" and isinstance(focused, Button) and self in focused.ancestors:
            return focused.id if self.stage == "ready" else None
        for binding in self._bindings.key_to_bindings.get(key, ()):
            _, name, parameters = parse(binding.action)
            if name not in _MOVES and self.check_action(name, parameters):
                return str(parameters[0]) if parameters else name
        return None

    def on_paste(self, event: events.Paste) -> None:
        """Treat a paste as typing: it decides nothing."""
        event.stop()
        if self.stage in ("grace", "ready", "override"):
            self._stray(event.time)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Find out when the button went down: this event is a later copy of the click."""
        presses, place = cast(PressLoggingApp, self.app).presses, (event.screen_x, event.screen_y)
        self._clicked = presses.click_at(place)
        if self._clicked is None:
            presses.note(event.time, "click", place)
            self._clicked = event.time

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Act on a clicked button; Enter on a button is handled as a key instead."""
        event.stop()
        at, self._clicked = self._clicked or monotonic(), None
        if self.stage in ("ready", "override"):
            self._act_on(str(event.button.id), at)

    def _stray(self, at: float) -> None:
        """Ignore a key that belongs to text being typed, and return to the grace period."""
        self._guard.refuse(at)
        if self.stage == "override":
            self._back()
        else:
            self._return_to_grace()

    def _return_to_grace(self) -> None:
        self.stage = "grace"
        self.focus()

    # -- what a card defines

    @abstractmethod
    def begin_grace(self) -> None:
        """Restart the time in which keys are ignored, if a decision is due."""

    @abstractmethod
    def _listen(self) -> None:
        """Start to accept keys, because the grace period is over."""

    @abstractmethod
    def _act_on(self, meaning: str, at: float) -> None:
        """Act on a key or button of the card, if the guard accepts it."""

    @abstractmethod
    def _enter(self, at: float) -> None:
        """Handle Enter in the input line."""

    @abstractmethod
    def _back(self) -> None:
        """Return to the card from what was opened over it."""

    @abstractmethod
    def _close(self) -> bool:
        """Close what is open on the card; return whether there was anything."""

    @abstractmethod
    def _show_watching(self) -> None:
        """Show that a deciding key was noticed and can still be cancelled."""

    @abstractmethod
    def _tell_taken_back(self) -> None:
        """Show that the deciding key was cancelled."""
