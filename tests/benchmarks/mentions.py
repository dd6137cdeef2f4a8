"""How often the roles of mentions are told right: ``python -m tests.benchmarks.mentions``.

The messages are those of two writers that nothing was learned from (``kept_out.txt`` in
``tests/generators/clerk_mentions/data``); what each mention is to the customer was marked by them.
"""

from __future__ import annotations

from collections import Counter

from agent.clerk.understanding.mention_roles import ROLES, Role, roles_of
from tests.generators.clerk_mentions.messages import read_messages


def told() -> Counter[tuple[Role, Role]]:
    """How many mentions there are of each role, each with the role that is told."""
    messages = read_messages("kept_out")
    return Counter(
        pair for e in messages for pair in zip(e.roles, roles_of(e.text, e.spans), strict=True)
    )


def main() -> None:
    """Print how many mentions are told right, and of each role what is found and what is right."""
    counts = told()
    right = sum(many for (one, other), many in counts.items() if one == other)
    print(f"{counts.total()} mentions, {right} told right ({right / counts.total():.1%})")
    print(f"{'':10} {'all':>5} {'found':>6} {'told':>5} {'right':>6}")
    for role in ROLES:
        own = sum(many for (each, _), many in counts.items() if each == role)
        said = sum(many for (_, each), many in counts.items() if each == role)
        both = counts[role, role]
        print(f"{role:10} {own:5} {both / own:6.1%} {said:5} {both / said:6.1%}")


if __name__ == "__main__":
    main()
