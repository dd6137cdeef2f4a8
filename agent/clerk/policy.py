"""Answers in the policy's own words, where no other answer fits a question."""

from __future__ import annotations

from agent.clerk.understanding.intents import vector
from agent.clerk.wording import list_lines

SHOWN = 3
"""Lines of the policy that are quoted."""

ALIKE = 0.25
"""How like the question a line has to be to be quoted beside the best one."""


def policy_lines(question: str, policy: str) -> str:
    """The lines of the policy that are most like a question."""
    lines = [
        line.strip("-* ")
        for line in policy.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        return "I can do what the policy allows; tell me what you would like to do."
    asked = vector(question[:500])
    scored = sorted(((-float(vector(line) @ asked), n) for n, line in enumerate(lines)))
    best = [lines[n] for score, n in scored[:SHOWN] if -score > ALIKE] or [lines[scored[0][1]]]
    return f"Our policy says:\n\n{list_lines(best)}"
