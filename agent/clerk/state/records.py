"""What a clerk has read so far, whatever its trade: the customer, and the calls that failed."""

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
"""The tool that hands a customer over to a human."""

NOT_DONE = "Not carried out"
"""How the loop begins the result of a call that was not carried out."""

DECLINED = ("Not carried out: the customer declined", "Not carried out: the customer asked")
"""Of those, the ones that the customer did not want as they were."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call as it stands in an assistant message."""

    id: str
    name: str
    arguments: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Name and arguments as text, to see whether a look-up was made before."""
        return f"{self.name}:{json.dumps(self.arguments, sort_keys=True, default=str)}"


@dataclass
class Remembered(ABC):
    """Records as they were last read; nothing here was not in a message."""

    user_id: str | None = None
    user: Json | None = None
    failed: dict[str, str] = field(default_factory=dict)
    """Error texts by the call that met them."""

    transferred: bool = False
    learned: Learned = field(default_factory=Learned)
    """What was read of how the policy is to be understood."""

    def read(self, call: Asked, text: str) -> None:
        """Take in a tool's result."""
        if call.name == RETRIEVE:
            self.learned.take(call.arguments, text)
        elif text.startswith("Error"):
            self.miss(call, text)
        elif call.name == HAND_OVER:
            self.transferred = True
        else:
            self.keep(call, text)

    def miss(self, call: Asked, text: str) -> None:
        """Take in that a call failed, and what it said."""
        self.failed[call.key] = text

    @abstractmethod
    def keep(self, call: Asked, text: str) -> None:
        """Keep what a call that went through has told."""

    @property
    def methods(self) -> dict[str, Json]:
        """The customer's payment methods by id."""
        found = (self.user or {}).get("payment_methods")
        if not isinstance(found, dict):
            return {}
        return {key: each for key, each in found.items() if isinstance(each, dict)}

    @property
    def first_name(self) -> str:
        """The customer's first name, as their profile has it."""
        name = (self.user or {}).get("name")
        return str(name.get("first_name", "")) if isinstance(name, dict) else ""


def as_json(text: str) -> Any:
    """A result's value; None where it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_object(text: str) -> Json | None:
    """A result that is a JSON object; None where it is not."""
    value = as_json(text)
    return value if isinstance(value, dict) else None
