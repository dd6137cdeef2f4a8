"""The labels on what a replay shows, and on the session as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from agent.session.replay import Replay
from console.widgets.plain import MUTED, PlainText
from sessions.events import CardShown, Labelled
from sessions.views.labels import WHOLE, Place, label_words, labels_by_place

_MOST = 3
"""The most lines of labels to show, since they take space from the conversation."""


class LabelLine(PlainText):
    """Shows the valid labels at every moment of a replay, whenever they were given."""

    def __init__(self) -> None:
        """Hidden until :meth:`tell` finds labels."""
        super().__init__(id="labels")
        self.display = False
        self._length = 0
        self._given: dict[Place, list[Labelled]] = {}

    def tell(self, replay: Replay) -> None:
        """Show the labels on the session and on the replay's current card and event."""
        if len(replay.whole) != self._length:
            self._length, self._given = len(replay.whole), labels_by_place(replay.whole)
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
    """What can be labelled where a replay is, nearest first, each with its name."""
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
