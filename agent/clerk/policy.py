"""Answers a question in the policy's own words if no other answer fits."""

from __future__ import annotations

from agent.clerk.understanding.encoder import vector
from agent.clerk.wording import list_lines

SHOWN = 3
"""How many lines of the policy are quoted at most."""

ALIKE = 0.25
"""How similar to the question a line must be to be quoted; the best one is quoted in any case."""


def policy_lines(question: str, policy: str) -> str:
    """A Markdown answer that quotes the lines of the policy most similar to a question."""
    lines = [
        line.strip("-* ")
        for line in policy.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        return "I can do what the policy allows. What would you like to do?"
    asked = vector(question[:500])
    scored = sorted(((-float(vector(line) @ asked), n) for n, line in enumerate(lines)))
    best = [lines[n] for score, n in scored[:SHOWN] if -score > ALIKE] or [lines[scored[0][1]]]
    return f"Our policy says:\n\n{list_lines(best)}"
