"""Answers in the policy's own words, where no other answer fits a question."""

from __future__ import annotations

import re

from agent.clerk.airline.language import first_meaning
from agent.clerk.airline.requests import Request
from agent.clerk.steps import Tell
from agent.clerk.wording import listed

_STOP = frozenset(
    {"what", "your", "policy", "policies", "about", "rules", "tell", "does", "when", "will"}
    | {
        "would",
        "could",
        "have",
        "that",
        "this",
        "with",
        "allowed",
        "possible",
        "know",
        "please",
        "there",
    }
    | {"there", "much", "many", "long"}
)
SHOWN = 3
"""Lines of the policy that are quoted."""


def policy(request: Request, text: str) -> Tell:
    """The policy's own lines on what was asked."""
    stems = {word[:6] for word in re.findall(r"[a-z]{4,}", request.text) if word not in _STOP}
    topic = first_meaning("policy_topics", request.text)
    stems = set(topic.split()) if topic else stems
    lines = [line.strip("-* ") for line in text.splitlines() if line.startswith(("-", "*"))]
    scored = [
        (sum(stem in line.lower() for stem in stems), -n, line) for n, line in enumerate(lines)
    ]
    shown = 1 if topic else SHOWN
    best = [line for score, _, line in sorted(scored, reverse=True)[:shown] if score]
    if not best:
        return Tell("I can book, change and cancel reservations, as the policy allows.", "answered")
    return Tell(f"Our policy says:\n\n{listed(best)}", "answered")
