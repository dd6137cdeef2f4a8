"""Answers of a policy agent, as a model may give them."""

from __future__ import annotations

import json
from typing import Any

from agent.memory.evidence import Evidence
from agent.memory.material import policy_texts
from tests.agent.memory.test_rule_policy_agent import BROKEN, EXCHANGE, RETAIL

CLAUSE = next(n for n, text in enumerate(policy_texts(RETAIL), 1) if "never for the iden" in text)
CHECK = "Each new item has different options"
SAID = Evidence("decision", "s", 7, BROKEN, EXCHANGE, (CHECK,))


def touched(**more: Any) -> dict[str, Any]:
    """One entry that is sound: an exchange of what came broken."""
    return {
        "evidence": 1,
        "operation": "add",
        "capability": "exchange_broken_item",
        "tool": EXCHANGE,
        "trigger": "An item came broken and the customer wants the same again.",
        "preconditions": ["Ask what is broken."],
        "eligibility": ["The identical item is available."],
        "action": "Exchange it for the identical item.",
        "key_insight": "A broken item may be exchanged for the identical item.",
        "policy_lines": [CLAUSE],
        "gap": "missing exception",
        "check": {"name": CHECK, "effect": "relaxes", "condition": "the item came broken"},
    } | more


def review(*entries: dict[str, Any], **more: Any) -> str:
    """A review whose agent did as the policy says, and wrong."""
    return json.dumps(
        {
            "success": False, "failure": "alignment", "entries": list(entries),
            "reasons": "It kept to the clause, and a person says there is an exception.",
        } | more
    )  # fmt: skip
