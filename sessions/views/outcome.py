"""A score in words: the verdict, the reasons against it, and τ²-bench's rewards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sessions.events import Scored

_COUNTED = {
    "DB": "records",
    "COMMUNICATE": "communicated information",
    "ACTION": "expected calls",
    "NL_ASSERTION": "statements about the conversation",
    "ENV_ASSERTION": "assertions about the records",
}

_ENDINGS = {
    "max_steps": "the conversation was stopped at its limit",
    "timeout": "the conversation was stopped at its limit",
    "agent_error": "the conversation broke off because of a fault",
    "user_error": "the model that played the customer gave no usable answer",
}


@dataclass(frozen=True, slots=True)
class SessionVerdict:
    """The verdict on a session, with a sentence."""

    verdict: Literal["right", "wrong", "open"]
    """``open`` if nothing is wrong but something relevant was not judged."""

    sentence: str


def session_verdict(scored: Scored) -> SessionVerdict:
    """The verdict on a session; statements that were not judged never count as met."""
    unmet = _count(scored, "unmet")
    if not scored.records_match:
        return SessionVerdict("wrong", "The records are not as they should be.")
    if scored.missing:
        wanted = "said" if not scored.communicated else "done"
        return SessionVerdict("wrong", f"The records are right, but something was not {wanted}.")
    if unmet:
        return SessionVerdict("wrong", f"The records are right, but {_statements(unmet)} not met.")
    if scored.main is None and _count(scored, "not judged"):
        return SessionVerdict("open", "The records are as they should be; the rest was not judged.")
    return SessionVerdict("right", "The records are as they should be.")


def findings(scored: Scored) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each heading with its lines, if there is something to report."""
    if scored.differences:
        yield "How the records differ from what they should be", scored.differences
    if scored.missing:
        yield "What the agent should have said or done but did not", scored.missing
    unmet = tuple(f"{each.text}{_because(each.why)}" for each in scored.assertions
                  if each.verdict == "unmet")  # fmt: skip
    if unmet:
        yield "Statements about the conversation that are not met", unmet
    if scored.unconsented_writes:
        yield "Without your yes", (unconsented_sentence(scored),)


def unconsented_sentence(scored: Scored) -> str:
    """``changes carried out without the customer's yes: 1 of 3``."""
    without, changes = scored.unconsented_writes, max(scored.writes, scored.unconsented_writes)
    if not changes:
        return "no change was carried out"
    return f"changes carried out without the customer's yes: {without} of {changes}"


def tau2_lines(scored: Scored) -> Iterator[str]:
    """Yield τ²-bench's rewards by the task's basis and by the classic one; none for old logs."""
    if scored.classic is None:
        return
    if scored.cut_short:
        why = _ENDINGS.get(scored.cut_short, "the conversation was cut short")
        yield f"τ²-bench gives 0 ({scored.cut_short}): {why}"
        return
    counted = " × ".join(_COUNTED.get(name, name) for name in scored.basis) or "nothing"
    yield f"τ²-bench, by the task's basis ({counted}): {reward_figure(scored.main)}"
    if set(scored.basis) != {"DB", "COMMUNICATE"}:
        yield f"τ²-bench, by its classic basis (records × words): {reward_figure(scored.classic)}"


def check_lines(scored: Scored) -> Iterator[str]:
    """Yield the checks that the rewards consist of, one line each."""
    if scored.actions:
        made = sum(each.made for each in scored.actions)
        yield f"expected calls made: {made} of {len(scored.actions)}"
    if scored.said:
        said = sum(each.said for each in scored.said)
        yield f"required information said: {said} of {len(scored.said)}"
    if scored.assertions:
        told = ", ".join(
            f"{_count(scored, verdict)} {verdict}"
            for verdict in ("met", "unmet", "not judged")
            if _count(scored, verdict)
        )
        yield f"statements about the conversation: {told}"


def reward_figure(reward: float | None) -> str:
    """A reward as a figure; an unknown one reads ``not judged``, not 0."""
    return "not judged" if reward is None else f"{reward:g}"


def _count(scored: Scored, verdict: str) -> int:
    return sum(each.verdict == verdict for each in scored.assertions)


def _statements(count: int) -> str:
    return "a statement about the conversation is" if count == 1 else (
        f"{count} statements about the conversation are"
    )  # fmt: skip


def _because(why: str) -> str:
    return f" ({why})" if why else ""
