"""What the clerk has read so far, in any domain: the customer's profile and the failed calls."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.lessons.learned import Learned
from sessions.events.memory import RETRIEVE

Json = dict[str, Any]

HAND_OVER = "transfer_to_human_agents"
"""The tool that transfers a customer to a human agent."""

NOT_DONE = "Not carried out"
NOT_SHOWN = "Error: not shown to the customer"
"""How the answer begins to a change that is not shown, after others were declined."""

"""How the turn loop begins the result of a call that was not carried out."""

DECLINED = ("Not carried out: the customer declined", "Not carried out: the customer asked")
"""How it begins such a result if the customer did not want the call as it was."""


def call_key(name: str, arguments: Mapping[str, Any]) -> str:
    """The name and the arguments of a call as text, to find out whether two are the same."""
    return f"{name}:{json.dumps(arguments, sort_keys=True, default=str)}"


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A tool call in an assistant message."""

    id: str
    name: str
    arguments: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Name and arguments as text."""
        return call_key(self.name, self.arguments)


@dataclass
class KnownRecords(ABC):
    """The records as they were last read; everything here was in a message."""

    user_id: str | None = None
    user: Json | None = None
    failed: dict[str, str] = field(default_factory=dict)
    """Error texts, by the key of the call that failed."""

    transferred: bool = False
    transfer_summary: str = ""
    """What a human agent was told when the customer was transferred."""

    learned: Learned = field(default_factory=Learned)
    """What was read from the memory about how to interpret the policy."""

    def read(self, call: RecordedCall, text: str) -> None:
        """Store a tool's result."""
        if call.name == RETRIEVE:
            self.learned.take(call.arguments, text)
        elif text.startswith("Error"):
            self.keep_error(call, text)
        elif call.name == HAND_OVER:
            self.transferred = True
            self.transfer_summary = str(call.arguments.get("summary") or "")
        else:
            self.keep(call, text)

    def keep_error(self, call: RecordedCall, text: str) -> None:
        """Store the error text of a failed call."""
        self.failed[call.key] = text

    @abstractmethod
    def keep(self, call: RecordedCall, text: str) -> None:
        """Store the result of a successful call."""

    def _of_user(self, name: str) -> Json:
        found = (self.user or {}).get(name)
        return found if isinstance(found, dict) else {}

    @property
    def methods(self) -> dict[str, Json]:
        """The customer's payment methods by id."""
        found = self._of_user("payment_methods")
        return {key: each for key, each in found.items() if isinstance(each, dict)}

    @property
    def first_name(self) -> str:
        """The customer's first name from their profile, or an empty string."""
        return str(self._of_user("name").get("first_name", ""))


def as_json(text: str) -> Any:
    """The value of a result; None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_object(text: str) -> Json | None:
    """The JSON object in a result; None if it is not one."""
    value = as_json(text)
    return value if isinstance(value, dict) else None
