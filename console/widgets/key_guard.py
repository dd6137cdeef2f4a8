"""Decides which key press may decide on a card: one that stands alone (law 8).

It judges keys by when they were pressed, not by when they are handled, and has no access to a
screen or a clock. Its caller reports that the card was painted (`show`), that the event loop is
running (`beat`, every `TICK`), and what each key means to the card (`hear`). All times are in
seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from console.widgets.press_log import PressLog

GRACE = 0.5
"""How long a card must have been on screen, with the loop running, before a key counts."""

ALONE_SECONDS = 0.25
"""The time before and after a deciding key in which nothing else may be pressed."""

HESITATION = 0.75
"""How long a user who typed recently may hesitate over the first letter of the next word."""

WORD_SECONDS = 2.0
"""The quiet time required after a letter that is not a key of the card.

Within a sentence, no one pauses that long.
"""

LONGEST = 4.0
"""The longest quiet time required of a slow typist."""

WATCHED_SECONDS = 3.0
"""The longest time for which a deciding key is watched for another key after it."""

TICK = 0.05
STALL_SECONDS = 1.0
"""After a delay this long the loop may not have read everything typed, so the grace restarts."""

DOUBLE_SECONDS = 0.5
"""The time within which a second click makes a double click."""

BURST_SECONDS = 0.03
"""No one presses two keys this quickly: they were pasted, or read late."""

Meaning = Literal["decides", "opens", "moves", "stray"]
"""What a key means to the card in its current state.

``decides``: it is a decision; ``opens``: it opens something that is not a decision; ``moves``: it
moves the focus or scrolls; ``stray``: it is not a key of the card.
"""


@dataclass(slots=True)
class _Pending:
    """A deciding key that is being watched: when pressed, for how long, and until when."""

    at: float
    watched: float
    due: float


@dataclass(slots=True)
class _Field:
    """An input line, from the time it was opened."""

    opened: float
    """When the key that opened it was pressed."""

    since: float
    """Since when it has been visible, with the loop running."""

    ran_on: bool = False
    """Whether Enter has to follow a pause, as the key that opened it may begin a word."""


class KeyGuard:
    """Judges the keys of one card."""

    def __init__(self, presses: PressLog, now: float) -> None:
        """`presses` is the log of all key presses in the program, which keeps growing."""
        self._presses = presses
        self._beat = now
        self._late = now
        """When the loop was last late."""

        self._shown = False
        self._ran = 0.0
        """How long the card has been on screen, with the loop running, in this grace period."""

        self._open: float | None = None
        """When the grace period ended; None while it lasts."""

        self._typed: float | None = None
        """When the last letter was typed that belongs to a sentence."""

        self._lost = 0.0
        """How much of the time since then the loop was blocked."""

        self._pending: _Pending | None = None
        self._field: _Field | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the card was painted since it was last covered."""
        return self._shown

    @property
    def awake(self) -> bool:
        """Whether the grace period is over, even if someone may be typing."""
        return self._open is not None

    @property
    def pending(self) -> bool:
        """Whether a deciding key is being watched."""
        return self._pending is not None

    @property
    def pressed_at(self) -> float | None:
        """When the watched key was pressed; None if there is none."""
        return None if self._pending is None else self._pending.at

    def show(self, now: float) -> None:
        """Note that the card is now on the screen, which starts its grace period."""
        self._shown = True
        self._beat = now
        self._begin_grace()
        typed = self._presses.last_open_letter(now)
        if typed is not None and (self._typed is None or typed > self._typed):
            self._typed, self._lost = typed, 0.0

    def hide(self) -> None:
        """Note that the card is covered or will be repainted."""
        self._shown = False
        self._pending = None
        self._begin_grace()

    def beat(self, now: float) -> None:
        """Note that the loop is running; time in which it was blocked does not count.

        A key press gets its time when the terminal is read, so a blocked program may stamp it late.
        """
        late, self._beat = now - self._beat, now
        passed = min(late, 2 * TICK)
        self._lost += late - passed
        if late > passed:
            self._late = now
            if self._pending is not None:
                self._pending.due = now + self._pending.watched
        if late > STALL_SECONDS:
            self._begin_grace()
            if self._field is not None:
                self._field.since = now
        elif self._shown and self._open is None:
            self._ran += passed
            self._open = now if self._ran >= GRACE else None

    def wake(self, now: float) -> None:
        """Start again, because the program was stopped and others used its terminal."""
        self._pending = None
        self._beat = self._late = now
        self._begin_grace()
        if self._field is not None:
            self._field.since = now

    def listens(self, now: float) -> bool:
        """Whether a key pressed now would be accepted."""
        return self._accepts_at(now)

    def try_accept(self, at: float, now: float, meaning: Meaning) -> bool:
        """Whether a key may do what it means; a deciding key is then watched (`stands`)."""
        self.beat(now)
        if self._pending is not None or meaning == "stray" or not self._is_allowed(at, meaning):
            self.refuse(at)
        else:
            self._accept(at, now, meaning)
            return True
        return False

    def refuse(self, at: float) -> None:
        """Note that a key had no effect: it and the next ones may belong to text being typed."""
        self._pending = None
        self._begin_grace()
        goes_on = self._typed is not None and at - self._typed < self._quiet(at)
        if goes_on or self._presses.was_letter(at):
            self._typed, self._lost = at, 0.0

    def stands(self, now: float) -> bool | None:
        """Whether the watched key stands alone; None if there is none or it is not yet known."""
        if self._pending is None:
            return None
        if self._presses.after(self._pending.at) is not None:
            return False
        return True if now >= self._pending.due and now - self._late >= TICK / 2 else None

    def release(self) -> None:
        """Stop watching, because the decision was carried out or cancelled."""
        self._pending = None

    # -- the input line

    def open_field(self, at: float, now: float) -> None:
        """Note that an input line was opened by a key pressed at the time `at`."""
        self._field = _Field(at, now)

    def close_field(self) -> None:
        """Note that the input line was closed."""
        self._field = None

    def hear_enter(self, at: float, now: float, *, empty: bool) -> bool:
        """Whether Enter may send the words; it is then watched like any deciding key.

        If nothing was typed, or the key that opened the input line runs on into the typed text,
        Enter must follow a pause: *really?* and Enter, meant for the composer, decide nothing.
        """
        self.beat(now)
        field = self._field
        if self._pending is not None or field is None:
            self._pending = None
            return False
        field.ran_on = field.ran_on or self._ran_on(field)
        apart = self._apart_for_enter(at) if empty or field.ran_on else BURST_SECONDS
        before = self._presses.before(at)
        alone = before is None or at - before.at >= apart
        if not alone or at - field.since < GRACE or self._presses.after(at) is not None:
            field.ran_on = True
            return False
        self._watch(at, now, ALONE_SECONDS)
        return True

    def _ran_on(self, field: _Field) -> bool:
        following = self._presses.after(field.opened)
        return following is not None and following.at - field.opened < self._after(field.opened)

    def _apart_for_enter(self, at: float) -> float:
        return max(GRACE, min(WORD_SECONDS, 1.5 * max(self._presses.gaps(at), default=0.0)))

    # -- judging

    def _begin_grace(self) -> None:
        self._ran, self._open = 0.0, None

    def _accepts_at(self, at: float) -> bool:
        if self._open is None or at < self._open:
            return False
        return self._typed is None or at - self._typed - self._lost >= self._quiet(at)

    def _is_allowed(self, at: float, meaning: Meaning) -> bool:
        if not self._accepts_at(at):
            return False
        return meaning != "decides" or self._alone_so_far(at)

    def _alone_so_far(self, at: float) -> bool:
        before = self._presses.before(at)
        if self._presses.after(at) is not None:
            return False
        apart = ALONE_SECONDS if before is None or before.kind == "other" else GRACE
        return before is None or at - before.at >= apart

    def _accept(self, at: float, now: float, meaning: Meaning) -> None:
        if meaning == "decides":
            clicked = self._presses.is_click(at)
            self._watch(
                at, now, max(DOUBLE_SECONDS, self._after(at)) if clicked else self._after(at)
            )
        if meaning != "moves":
            self._presses.mark_understood(at)

    def _watch(self, at: float, now: float, watched: float) -> None:
        self._pending = _Pending(at, watched, now + watched)

    def _quiet(self, at: float) -> float:
        """The quiet time required since the last letter, which is longer for a slow typist."""
        gaps = self._presses.gaps(at)
        return max(WORD_SECONDS, min(LONGEST, 2.5 * max(gaps, default=0.0)))

    def _after(self, at: float) -> float:
        """How long to watch a key: longer than the typist's usual time from letter to letter.

        Without recent typing, the time since another of the card's letters shows how slow it may
        be.
        """
        gaps = sorted(self._presses.gaps(at))
        if gaps:
            return max(ALONE_SECONDS, min(WATCHED_SECONDS, HESITATION + gaps[(3 * len(gaps)) // 4]))
        return max(ALONE_SECONDS, min(WORD_SECONDS, 1.5 * self._since_command(at)))

    def _since_command(self, at: float) -> float:
        """The time since the card's last letter key, or 0 if the two cannot belong to one word."""
        before = self._presses.before(at)
        if before is None or before.kind != "command" or at - before.at > WORD_SECONDS:
            return 0.0
        return at - before.at
