"""The labels in force: if a person labelled the same thing several times, only the last label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from sessions.events import AnyEvent, CardShown, Labelled, Logged, SessionForked

T = TypeVar("T")
Place = tuple[str, int | str | None]
"""What a label is about: a kind, and the event's seq or the card's id."""

WHOLE: Place = ("session", None)
"""The place of a label on a session as a whole."""


def labels(log: Sequence[Logged]) -> list[Logged]:
    """The labels in force after these events, in the order in which they were given.

    A fork keeps its parent's labels on the events and cards that it shares. Labels on the parent as
    a whole do not apply, because they are about another session.
    """
    return _in_force((each.event, each) for each in log)


def valid_labels(events: Iterable[AnyEvent]) -> list[Labelled]:
    """The labels in force after these events, like :func:`labels` but without log positions."""
    found = _in_force((event, event) for event in events)
    return [event for event in found if isinstance(event, Labelled)]


def labels_by_place(log: Sequence[Logged]) -> dict[Place, list[Labelled]]:
    """The labels in force, by what they are about."""
    found: dict[Place, list[Labelled]] = {}
    for label in valid_labels(logged.event for logged in log):
        found.setdefault(label.place, []).append(label)
    return found


def label_words(label: Labelled) -> str:
    """A label without what it is about: ``wrong (labelled by ann): the other mug #late``."""
    note = f": {' '.join(label.note.split())}" if label.note else ""
    tags = "".join(f" #{each}" for each in label.tags)
    return f"{label.verdict} (labelled by {label.by}){note}{tags}"


def label_lines(log: Sequence[Logged]) -> list[str]:
    """The labels in force, one line each: first the session's, then the rest in log order."""
    cards = [each for each in log if isinstance(each.event, CardShown)]
    shown = {each.event.key: (each.seq, number) for number, each in enumerate(cards, 1)}
    placed = []
    for label in valid_labels(logged.event for logged in log):
        match label.about:
            case "session":
                where, told = (0, 0), "the session"
            case "event":
                where, told = (label.seq or 0, 0), f"event {label.seq}"
            case "card":
                seq, number = shown.get(label.card_id, (0, 0))
                where, told = (seq, 1), f"card {number or label.card_id}"
        placed.append((where, f"{told}: {label_words(label)}"))
    return [line for _, line in sorted(placed, key=lambda each: each[0])]


def _in_force(entries: Iterable[tuple[AnyEvent, T]]) -> list[T]:
    found: dict[tuple[Place, str], T] = {}
    for event, entry in entries:
        if isinstance(event, Labelled):
            found.pop((event.place, event.by), None)  # a repeated label moves to the end
            found[event.place, event.by] = entry
        elif isinstance(event, SessionForked):
            found = {key: each for key, each in found.items() if key[0][0] != "session"}
    return list(found.values())
