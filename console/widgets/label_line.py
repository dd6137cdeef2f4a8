"""What people said of what a replay shows, and of the session as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from agent.session.replay import Replay
from console.widgets.plain import MUTED, PlainText
from sessions.events import CardShown, Labelled
from sessions.views.labels import WHOLE, Place, by_place, label_words

_MOST = 3
"""Lines that labels may take from the conversation."""


class LabelLine(PlainText):
    """The labels that hold, whenever they were given: they belong to no moment."""

    def __init__(self) -> None:
        """Filled by :meth:`tell`; takes no room before."""
        super().__init__(id="labels")
        self.display = False
        self._length = 0
        self._given: dict[Place, list[Labelled]] = {}

    def tell(self, replay: Replay) -> None:
        """Show the labels on the session, and on what the replay is at."""
        if len(replay.whole) != self._length:
            self._length, self._given = len(replay.whole), by_place(replay.whole)
        given = self._given
        self.display = bool(given)
        if not given:
            return
        here = [
            f"✎ {name}: {label_words(label)}"
            for place, name in reversed(places(replay))
            for label in given.get(place, ())
        ]
        elsewhere = sum(map(len, given.values())) - len(here)
        if len(here) > _MOST:
            here[_MOST - 1 :] = [f"✎ and {len(here) - _MOST + 1} more here"]
        rest = f"✎ {elsewhere} more on other events and cards" if elsewhere else ""
        self.show(Content("\n").join(_lines(here, rest)))


def places(replay: Replay) -> list[tuple[Place, str]]:
    """What there is to label where a replay is, the nearest first, with how it is called."""
    now = replay.now
    found: list[tuple[Place, str]] = []
    cards = [each.event.card.id for each in replay.whole if isinstance(each.event, CardShown)]
    if (held := replay.card) is not None and held.card.id in cards:
        number = 1 + cards.index(held.card.id)
        found.append((("card", held.card.id), f"card {number}"))
    kind = now.event.type.replace("_", " ")
    return [*found, (("event", now.seq), f"event {now.seq}, {kind}"), (WHOLE, "the session")]


def _lines(here: Iterable[str], rest: str) -> list[Content]:
    return [
        *(Content.styled(each, "$text-accent") for each in here),
        *([Content.styled(rest, MUTED)] if rest else []),
    ]
