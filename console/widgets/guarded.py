"""A widget that asks for a decision, and takes no key that was meant for something else (law 8).

It tells its :class:`~console.widgets.key_guard.KeyGuard` when it was painted, that the loop is
alive and what each key means, and does what the guard lets through. Keys are handled here, in the
order in which they come, and reach no binding of the card's on any other way.
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
from console.widgets.pressing import PressNotingApp

_MOVES = frozenset({"read", "focus_previous", "focus_next"})
"""Actions of a card's keys that do nothing to it."""

Act = Callable[[float], None]
"""What a key does, told when it was pressed."""


class Guarded(Vertical):
    """The keys, clicks and pastes of one card, up to what they are allowed to do."""

    stage: var[str] = var("grace")
    """``grace``, ``ready``, ``override`` (a second key is due), ``words`` (the person is typing),
    ``asked`` (a question is out) or ``decided``."""

    _readable_since: float | None = None
    """When it was first on the screen."""

    _drawn = False
    """Whether it is in a frame since it began to wait for that."""

    _drawn_for = Size()
    """The size of the screen that it was last laid out on."""

    _then: Act | None = None
    """What the key does that is being watched."""

    _clicked: float | None = None
    """When the mouse went down on it."""

    def _begin_guard(self) -> None:
        """From the mount on."""
        self._guard = KeyGuard(cast(PressNotingApp, self.app).presses, monotonic())
        self._wait_for_paint()
        self.set_interval(TICK, self._tick)
        self.app.app_resume_signal.subscribe(self, self._came_back)
        self.watch(self.app, "app_focus", self._terminal_chosen, init=False)
        self._drawn_for = self.app.size

    def _wait_for_paint(self) -> None:
        """Something new is to be read, or was covered: the grace begins with the next frame."""
        self._guard.hide()
        self._drawn = False
        self.refresh()

    def _came_back(self, _app: object) -> None:
        """Ctrl+Z had stopped the program: it is painted anew, and no key from before counts."""
        self._then = None
        self._guard.wake(monotonic())
        self.begin_grace()

    def _terminal_chosen(self, has_focus: bool) -> None:
        """Somebody comes from another window, where they may have been typing."""
        if has_focus:
            self._came_back(self.app)

    def on_resize(self) -> None:
        """On a screen of another size, what was read may stand elsewhere or be gone."""
        if self._drawn_for != self.app.size:
            self._drawn_for = self.app.size
            self._came_back(self.app)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its lines for a frame, which is handed to the terminal before anything else runs."""
        self._drawn = True
        return super().render_lines(crop)

    def _tick(self) -> None:
        """What time tells: that it was painted, that it may listen, that a key stands alone."""
        now = monotonic()
        if self._drawn and not self._guard.is_shown and self.screen.is_current:
            self._readable_since = self._readable_since or now
            self._guard.show(now)
        self._guard.beat(now)
        stands = self._guard.stands(now)
        if stands:
            self.app.call_later(self._do_it)  # behind all the keys that wait to be handled
        elif stands is False:
            self._take_back()
        elif not self._guard.pending:
            self._follow(now)

    def _follow(self, now: float) -> None:
        """Listen, or not, as the guard does."""
        if self.stage == "grace" and self._guard.listens(now):
            self._listen()
        elif self.stage == "ready" and not self._guard.listens(now):
            self._fall_silent()  # the loop stood still

    def _do_it(self) -> None:
        """Every key that came until now was seen."""
        then, at = self._then, self._guard.pressed_at
        if then is not None and at is not None and self._guard.stands(monotonic()):
            self._then = None
            self._guard.release()
            then(at)

    def _hold(self, at: float, then: Act) -> None:
        """Do it as soon as it is seen that what was pressed stands alone."""
        if self._guard.hear(at, monotonic(), "decides"):
            self._watch_over(then)
        elif self.stage != "override":
            self._fall_silent()

    def _watch_over(self, then: Act) -> None:
        self._then = then
        self._tell_watched()

    def _take_back(self) -> None:
        """Something followed the key that was to decide."""
        self._then = None
        self._guard.release()
        self._tell_taken_back()

    # -- what comes

    def on_key(self, event: events.Key) -> None:
        """Only keys that stand alone are heard, and no stray letter reaches anything else."""
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
        """Nothing is heard; but Esc, which decides nothing, gets through somebody's typing."""
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
            self._mean(meaning, event.time)
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
        """A key of Textual's or the screen's own."""
        if not self._guard.hear(event.time, monotonic(), meaning):
            event.stop()
            self._fall_silent()

    def _types(self, event: events.Key) -> bool:
        return event.is_printable or event.key in ("enter", "backspace")

    def _meaning(self, key: str) -> str | None:
        """What a key does here now: a choice, an action, or the button that Enter presses."""
        focused = self.screen.focused
        if key == "enter" and isinstance(focused, Button) and self in focused.ancestors:
            return focused.id if self.stage == "ready" else None
        for binding in self._bindings.key_to_bindings.get(key, ()):
            _, name, parameters = parse(binding.action)
            if name not in _MOVES and self.check_action(name, parameters):
                return str(parameters[0]) if parameters else name
        return None

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text decides nothing, and whoever pastes is writing."""
        event.stop()
        if self.stage in ("grace", "ready", "override"):
            self._stray(event.time)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click is judged by when the button went down: what comes here is a later copy of it."""
        presses, place = cast(PressNotingApp, self.app).presses, (event.screen_x, event.screen_y)
        self._clicked = presses.click_at(place)
        if self._clicked is None:
            presses.note(event.time, "click", place)
            self._clicked = event.time

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A button was clicked; Enter on one is handled as the key that it is."""
        event.stop()
        at, self._clicked = self._clicked or monotonic(), None
        if self.stage in ("ready", "override"):
            self._mean(str(event.button.id), at)

    def _stray(self, at: float) -> None:
        """Somebody is typing."""
        self._guard.refuse(at)
        if self.stage == "override":
            self._back()
        else:
            self._fall_silent()

    def _fall_silent(self) -> None:
        self.stage = "grace"
        self.focus()

    # -- what a card does

    @abstractmethod
    def begin_grace(self) -> None:
        """(Re)start the time in which nothing is heard, where a decision is due."""

    @abstractmethod
    def _listen(self) -> None:
        """The grace is over."""

    @abstractmethod
    def _mean(self, meaning: str, at: float) -> None:
        """A key or button of the card's was pressed: judge it for what it does, and do it."""

    @abstractmethod
    def _enter(self, at: float) -> None:
        """Enter was pressed in the field for words."""

    @abstractmethod
    def _back(self) -> None:
        """Back to the card from what was opened over it."""

    @abstractmethod
    def _close(self) -> bool:
        """Close what is open; whether there was anything."""

    @abstractmethod
    def _tell_watched(self) -> None:
        """Say that a key that decides was heard and can still be taken back."""

    @abstractmethod
    def _tell_taken_back(self) -> None:
        """Say that it was."""
