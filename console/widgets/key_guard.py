"""Which key may decide on a card: one that stands alone (law 8).

Judged by when keys were pressed, not by when they are handled; knows no screen and no clock of its
own. Whoever drives it says when the card was painted (`show`), that the loop is alive (`beat`,
every `TICK`), and what each key means to the card (`hear`). Times and spans are in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from console.widgets.presses import Presses

GRACE = 0.5
"""How long a card must have been on the screen, with the loop running, before a key counts."""

ALONE = 0.25
"""In which nothing may be pressed before and after a key that decides."""

HESITATION = 0.75
"""How long whoever typed lately may take over the first letter of what they type next."""

WORD = 2.0
"""Quiet after a letter that is none of the card's keys: nobody waits as long within a sentence."""

LONGEST = 4.0
"""The most quiet that is asked of somebody who types slowly."""

WATCHED = 3.0
"""The longest time for which a key that decides is watched for what follows it."""

TICK = 0.05
STALL = 1.0
"""A loop that stood still for so long may not have read what was typed meanwhile: all anew."""

DOUBLE = 0.5
"""Within which a second click makes a double one."""

BURST = 0.03
"""Nobody presses two keys in so short a time: it was pasted, or read late."""

Meaning = Literal["decides", "opens", "moves", "stray"]
"""What a key means to the card as it stands: it decides; it opens something that is no decision; it
moves the focus or scrolls; or it is none of the card's."""


@dataclass(slots=True)
class _Pending:
    """A key that decides, while it is seen whether it stands alone."""

    at: float
    watched: float
    due: float


@dataclass(slots=True)
class _Field:
    """A field for words, from its opening."""

    opened: float
    """When the key that opened it was pressed."""

    since: float
    """From when on it could be seen, with the loop running."""

    ran_on: bool = False
    """Whether that key looks like the first letter of a word."""


class KeyGuard:
    """Judges the keys of one card."""

    def __init__(self, presses: Presses, now: float) -> None:
        """`presses` is what is pressed in the whole program, and keeps growing."""
        self._presses = presses
        self._beat = now
        self._late = now
        """When the loop was last late."""

        self._shown = False
        self._ran = 0.0
        """For how long the card was on the screen while the loop ran, of its grace."""

        self._open: float | None = None
        """Since when the grace is over."""

        self._typed: float | None = None
        """When the last letter was typed that is part of a sentence."""

        self._lost = 0.0
        """How much of the time since then the loop stood still."""

        self._pending: _Pending | None = None
        self._field: _Field | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the card was painted since it was last covered."""
        return self._shown

    @property
    def awake(self) -> bool:
        """Whether the grace is over, though somebody may be typing."""
        return self._open is not None

    @property
    def pending(self) -> bool:
        """Whether a key that decides is being watched."""
        return self._pending is not None

    @property
    def pressed_at(self) -> float | None:
        """When that key was pressed."""
        return None if self._pending is None else self._pending.at

    def show(self, now: float) -> None:
        """The card is on the screen as it is: its grace begins."""
        self._shown = True
        self._beat = now
        self._begin_grace()
        typed = self._presses.last_open_letter(now)
        if typed is not None and (self._typed is None or typed > self._typed):
            self._typed, self._lost = typed, 0.0

    def hide(self) -> None:
        """It is covered, or will be painted anew."""
        self._shown = False
        self._pending = None
        self._begin_grace()

    def beat(self, now: float) -> None:
        """The loop runs. While it did not, no time passed: what was typed may have to be read yet.

        A press is stamped when the terminal is read, which a stopped program does late as well.
        """
        late, self._beat = now - self._beat, now
        passed = min(late, 2 * TICK)
        self._lost += late - passed
        if late > passed:
            self._late = now
            if self._pending is not None:
                self._pending.due = now + self._pending.watched
        if late > STALL:
            self._begin_grace()
            if self._field is not None:
                self._field.since = now
        elif self._shown and self._open is None:
            self._ran += passed
            self._open = now if self._ran >= GRACE else None

    def wake(self, now: float) -> None:
        """The whole program had been stopped, and its terminal another's: all anew."""
        self._pending = None
        self._beat = self._late = now
        self._begin_grace()
        if self._field is not None:
            self._field.since = now

    def listens(self, now: float) -> bool:
        """Whether a key pressed now would be heard."""
        return self._hears(now)

    def hear(self, at: float, now: float, meaning: Meaning) -> bool:
        """Whether a key may do what it means; one that decides is then watched (`stands`)."""
        self.beat(now)
        if self._pending is not None or meaning == "stray" or not self._may(at, meaning):
            self.refuse(at)
        else:
            self._accept(at, now, meaning)
            return True
        return False

    def refuse(self, at: float) -> None:
        """A key did nothing: it was part of something else, and so may be the next ones."""
        self._pending = None
        self._begin_grace()
        goes_on = self._typed is not None and at - self._typed < self._quiet(at)
        if goes_on or self._presses.was_letter(at):
            self._typed, self._lost = at, 0.0

    def stands(self, now: float) -> bool | None:
        """Whether the key that is watched stands alone; None while that is not known."""
        if self._pending is None:
            return None
        if self._presses.after(self._pending.at) is not None:
            return False
        return True if now >= self._pending.due and now - self._late >= TICK / 2 else None

    def release(self) -> None:
        """What was decided is done, or taken back."""
        self._pending = None

    # -- the field for words

    def open_field(self, at: float, now: float) -> None:
        """A field was opened by a key that was pressed then."""
        self._field = _Field(at, now)

    def close_field(self) -> None:
        """The card itself is there again."""
        self._field = None

    def hear_enter(self, at: float, now: float, *, empty: bool) -> bool:
        """Whether Enter may send the words; it is then watched like any key that decides.

        Where the key that opened the field runs on into what was typed, or nothing was typed, Enter
        has to stand apart: *really?* and Enter, meant for the composer, decide nothing.
        """
        self.beat(now)
        field = self._field
        if self._pending is not None or field is None:
            self._pending = None
            return False
        field.ran_on = field.ran_on or self._ran_on(field)
        apart = self._apart_for_enter(at) if empty or field.ran_on else BURST
        before = self._presses.before(at)
        alone = before is None or at - before.at >= apart
        if not alone or at - field.since < GRACE or self._presses.after(at) is not None:
            field.ran_on = True
            return False
        self._watch(at, now, ALONE)
        return True

    def _ran_on(self, field: _Field) -> bool:
        following = self._presses.after(field.opened)
        return following is not None and following.at - field.opened < self._after(field.opened)

    def _apart_for_enter(self, at: float) -> float:
        return max(GRACE, min(WORD, 1.5 * max(self._presses.gaps(at), default=0.0)))

    # -- judging

    def _begin_grace(self) -> None:
        self._ran, self._open = 0.0, None

    def _hears(self, at: float) -> bool:
        if self._open is None or at < self._open:
            return False
        return self._typed is None or at - self._typed - self._lost >= self._quiet(at)

    def _may(self, at: float, meaning: Meaning) -> bool:
        if not self._hears(at):
            return False
        return meaning != "decides" or self._alone_so_far(at)

    def _alone_so_far(self, at: float) -> bool:
        before = self._presses.before(at)
        if self._presses.after(at) is not None:
            return False
        apart = ALONE if before is None or before.kind == "other" else GRACE
        return before is None or at - before.at >= apart

    def _accept(self, at: float, now: float, meaning: Meaning) -> None:
        if meaning == "decides":
            clicked = self._presses.is_click(at)
            self._watch(at, now, max(DOUBLE, self._after(at)) if clicked else self._after(at))
        if meaning != "moves":
            self._presses.mark_understood(at)

    def _watch(self, at: float, now: float, watched: float) -> None:
        self._pending = _Pending(at, watched, now + watched)

    def _quiet(self, at: float) -> float:
        """How long nobody may have typed: longer than the pauses of whoever did."""
        gaps = self._presses.gaps(at)
        return max(WORD, min(LONGEST, 2.5 * max(gaps, default=0.0)))

    def _after(self, at: float) -> float:
        """How long nothing may follow: longer than from letter to letter of whoever typed.

        Of whoever did not, another of the card's letters just before tells how slowly they may be.
        """
        gaps = sorted(self._presses.gaps(at))
        if gaps:
            return max(ALONE, min(WATCHED, HESITATION + gaps[(3 * len(gaps)) // 4]))
        return max(ALONE, min(WORD, 1.5 * self._since_command(at)))

    def _since_command(self, at: float) -> float:
        """Since another of the card's letters, where both could be of one word."""
        before = self._presses.before(at)
        if before is None or before.kind != "command" or at - before.at > WORD:
            return 0.0
        return at - before.at
