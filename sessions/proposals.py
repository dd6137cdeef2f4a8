"""Parse the arguments that a model wrote for a call that was never run, and so never parsed."""

from __future__ import annotations

import json
from typing import Any

from sessions.cleaning import clean_json
from sessions.events import ProposedCall


def arguments_of_proposal(call: ProposedCall | None) -> dict[str, Any] | None:
    """A proposed call's arguments, cleaned; None if there is no call or they are no JSON object."""
    try:
        arguments = json.loads(call.arguments or "{}") if call else None
    except (ValueError, RecursionError):
        return None
    return clean_json(arguments) if isinstance(arguments, dict) else None
