"""The rewards by name, and what each of them is, in words."""

from __future__ import annotations

from collections.abc import Iterator

from sessions.statistics.findings import Success
from sessions.statistics.over_tasks import Rewarded

TAU2, CLASSIC, OURS = "τ²-bench's reward", "τ-bench's classic", "our verdict"

MEANINGS = {
    TAU2: "trials with the whole reward by the task's own basis; one that was cut off has 0",
    CLASSIC: "the same by records and communicated information alone",
    OURS: "trials that came out right, at any of several acceptable ends",
}


def rewards(success: Success) -> Iterator[tuple[str, Rewarded]]:
    """Yield each reward with its name, τ²-bench's first."""
    yield TAU2, success.tau2
    yield CLASSIC, success.classic
    yield OURS, success.ours


def meaning(name: str, success: Success) -> str:
    """What a reward is, and what it leaves out."""
    if name == TAU2 and success.statements_left_out:
        judged = f", judged in {success.statements_judged}" if success.statements_judged else ""
        return (
            f"{MEANINGS[name]}; without its statements in words, which nobody judged, in "
            f"{success.statements_left_out} trials{judged}"
        )
    return MEANINGS[name]
