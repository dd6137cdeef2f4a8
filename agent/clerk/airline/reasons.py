"""Why a reservation is to be cancelled, and what is complained of."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.airline.line import Line

_CANCELLED = (
    "you cancelled", "they cancelled", "airline cancelled", "airline has cancelled",
    "was cancelled",
    "got cancelled", "been cancelled", "were cancelled", "is cancelled", "cancelled on me",
    "just cancelled", "you canceled", "got canceled", "was canceled", "just been scrapped",
    "been scrapped", "was scrapped", "scrubbed my", "you scrubbed", "people scrubbed", "scrapped",
    "called off my flight", "cancelled our flight", "cancelled my flight", "have cancelled",
)  # fmt: skip
_EVENTS = ("meeting", "wedding", "conference", "event", "concert", "interview", "party", "trip")
_HEALTH = (
    "sick", "ill", "unwell", "health", "hospital", "surgery", "doctor", "injured", "broke her",
    "broken", "broke his", "broke my", "medical", "flu", "covid", "pregnant", "fever", "fall",
    "food poisoning", "broke a", "her leg", "fractured", "under the weather",
)  # fmt: skip
_WEATHER = ("weather", "storm", "storms", "hurricane", "snow", "snowstorm", "blizzard", "tornado")
_CHANGED = (
    "plans changed", "plans have changed", "plans have simply changed", "change of plans",
    "change of plan", "changed my mind", "no longer", "don't need", "dont need", "other plans",
    "something came up", "called off", "was postponed", "not needed", "don't want to go",
    "no reason to go", "can't make it", "cant make it", "won't be going", "meeting was",
    "not going", "plans are different", "plan changed", "out of town", "have to go", "exam",
    "my plans", "our plans",
)  # fmt: skip
_OTHER = (
    "mistake", "accident", "wrong date", "emergency", "passed away", "died", "funeral", "birthday",
    "twice", "duplicate", "cheaper", "too expensive", "work", "conflicts", "something else",
    "other reason", "another reason", "operation", "cat",
)  # fmt: skip
_DENIED = frozenset(
    {"nobody", "not", "isn't", "aren't", "wasn't", "weren't", "never", "none", "neither", "nor"}
)
_DELAYED = ("delayed", "delay", "late", "waiting", "sitting", "stuck", "should have left", "behind")


def reason(lines: Sequence[Line]) -> str:
    """Why a reservation is to be cancelled, by what was said last.

    ``airline cancelled``, ``health``, ``weather``, ``change of plan``, ``other`` or nothing.
    """
    for line in reversed(lines):
        event = line.has(*_EVENTS) and line.has("called off", "was cancelled", "postponed", "moved")
        if line.has(*_CANCELLED) and not event:
            return "airline cancelled"
        if _has_affirmed(line, _HEALTH) and not line.has("cat"):
            return "health"
        if _has_affirmed(line, _WEATHER):
            return "weather"
        if line.has(*_CHANGED) or event:
            return "change of plan"
        if line.has(*_OTHER):
            return "other"
    return ""


def _has_affirmed(line: Line, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases is said and not denied: "nobody is ill" tells of no illness."""
    places = [place for each in phrases if (place := line.find(each)) >= 0]
    return any(not _DENIED & set(line.before(place)) for place in places)


def complaint(lines: Sequence[Line]) -> str:
    """``cancelled`` or ``delayed``, as it was complained of last; or nothing."""
    for line in reversed(lines):
        if line.has(*_CANCELLED, "cancelled flight", "cancellation"):
            return "cancelled"
        if line.has(*_DELAYED):
            return "delayed"
    return ""
