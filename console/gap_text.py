"""A gap of the policy in words, to be shown once its scenario is over and not before."""

from __future__ import annotations

from collections.abc import Iterator

from domains.core.domain import Domain, Scenario

_SISTERS = {
    "simplified": "the simplified sister",
    "different": "the sister with another customer",
    "complex": "the complex sister",
}


def gap_sections(domain: Domain, scenario: Scenario) -> Iterator[tuple[str, list[str]]]:
    """Yield headings with their lines: what the policy gets wrong, and what would be right."""
    for gap in domain.gaps if scenario.gap else ():
        if gap.id == scenario.gap:
            lines = [f"“{gap.policy}”", gap.problem, gap.clarification]
            yield f"A gap in the policy, {gap.kind}{_place(scenario)}", lines
    if scenario.explanation:
        yield "What would have been right", [scenario.explanation]


def _place(scenario: Scenario) -> str:
    """The place among the sisters, ``: the simplified sister of 18-parent``; empty for a parent."""
    sister = _SISTERS.get(scenario.variant)
    return f": {sister} of {scenario.parent}" if sister else ""
