"""What ``saber score`` prints about sessions that were scored again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sessions.scoring.rescoring import NotScored, Result
from sessions.views.outcome import (
    check_lines,
    findings,
    session_verdict,
    tau2_lines,
    unconsented_sentence,
)

if TYPE_CHECKING:
    from agent.auxiliary.judging import ModelJudge

_MARKS = {"right": "✓", "wrong": "✗", "open": "?"}


def model_judge(name: str) -> ModelJudge:
    """The model of that name as a judge; raises NotScored for the clerk, and ModelFault."""
    from agent.auxiliary.judging import ModelJudge
    from agent.models.choosing import CLERK, make_model

    if name == CLERK or name.startswith(f"{CLERK}+"):
        raise NotScored("The clerk is rules, not a language model: name another model as judge.")
    return ModelJudge(make_model(name))


def lines(result: Result) -> Iterator[str]:
    """Yield a result as lines for a terminal."""
    scored = result.scored
    if scored is None:
        yield f"{result.session}  not scored: {result.why_not}"
        return
    stands = session_verdict(scored)
    kind = "" if result.appended else "  (as before)"
    there = f", recorded {recorded:g}" if (recorded := result.recorded_reward) is not None else ""
    yield f"{result.session}  {scored.scenario}  reward {scored.reward:g}{there}{kind}"
    yield f"  {_MARKS[stands.verdict]} {stands.sentence}"
    for heading, told in findings(scored):
        yield f"  {heading}:"
        yield from (f"    • {line}" for line in told)
    if result.otherwise:
        yield "  Why the file has a different reward:"
        yield from (f"    • {line}" for line in result.otherwise)
    left = [each for each in scored.assertions if each.verdict == "not judged"]
    if left:
        yield "  Not judged; --judge MODEL has a model judge:"
        yield from (f"    ? {each.text}" for each in left)
    for line in (*tau2_lines(scored), *check_lines(scored)):
        yield f"  {line}"
    if not scored.unconsented_writes:  # otherwise it is among the findings
        yield f"  {unconsented_sentence(scored)}"


def as_object(result: Result) -> dict[str, Any]:
    """A result, for another program to read."""
    told = result.scored.model_dump(mode="json", exclude={"type"}) if result.scored else None
    return {
        "session": result.session,
        "reward": result.scored.reward if result.scored else None,
        "recorded_reward": result.recorded_reward,
        "why_otherwise": list(result.otherwise),
        "appended": result.appended,
        "why_not": result.why_not or None,
        "scored": told,
    }
