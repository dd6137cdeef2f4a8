from __future__ import annotations

from dataclasses import replace

from console.gap_text import gap_sections
from domains.core.domain import Gaps, Role, Scenario
from domains.core.gap import PolicyGap
from tests.toy import toy_domain

GAP = PolicyGap(
    id="few", domain="toy", kind="missing exception", tool="take", check="",
    policy="Take at most nine coins.", problem="It forgets the rich.",
    clarification="The rich may take more.", parents=("coins",),
)  # fmt: skip
PARENT = Scenario("coins", "Coins", Role("You are Ann."), ends=((),), gap="few")
SISTER = replace(
    PARENT, id="c", parent="coins", variant="complex", explanation="Ten should have been given."
)


def test_a_gap_is_told_with_its_clause_and_what_would_have_been_right() -> None:
    domain = replace(toy_domain(), read_gaps=lambda _: Gaps((GAP,), (PARENT, SISTER)))
    lines = ["“Take at most nine coins.”", "It forgets the rich.", "The rich may take more."]
    assert list(gap_sections(domain, PARENT)) == [("A gap in the policy, missing exception", lines)]
    assert list(gap_sections(domain, SISTER)) == [
        ("A gap in the policy, missing exception: the complex sister of coins", lines),
        ("What would have been right", ["Ten should have been given."]),
    ]
    assert list(gap_sections(domain, replace(PARENT, gap=""))) == []
