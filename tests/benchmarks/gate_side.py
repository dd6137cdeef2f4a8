"""The write that every side carries out, and the moments at which each is timed."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, Protocol

TOOL = "cancel_pending_order"
ORDER = "#W5000000"
"""The order of the one gated write; a conversation that makes several cancels the next ones."""

REASON = "no longer needed"
ORDERS = 40
"""How many orders there are to cancel, numbered on from :data:`ORDER`."""

REQUEST = "Please cancel my order #W5000000, I no longer need it."

_LINES = (
    "Hi, this is Yusuf. I ordered a mechanical keyboard and a smart thermostat last week.",
    "Thanks, Yusuf. I found your account, and the order with both items; it is still pending.",
    "Could you tell me whether the keyboard comes with clicky switches, and what it costs?",
    "It has linear switches and costs $164.28. A clicky one is in stock for the same price.",
)


def order_id(number: int) -> str:
    """The id of the order with that number, counted from 0."""
    return f"#W{int(ORDER[2:]) + number}"


def arguments(number: int = 0) -> dict[str, str]:
    """The arguments of the call that cancels the order with that number."""
    return {"order_id": order_id(number), "reason": REASON}


def arguments_text(number: int = 0) -> str:
    """The same as a model writes them."""
    return json.dumps(arguments(number))


def call_id(number: int = 0) -> str:
    """The id of that call."""
    return f"call-{number}"


def chat(messages: int) -> list[tuple[str, str]]:
    """That many earlier messages as (role, text), the customer's first, 80 to 90 letters each."""
    roles = cycle(("user", "assistant"))
    return list(islice(zip(roles, cycle(_LINES), strict=False), messages))


def small_orders() -> dict[str, dict[str, Any]]:
    """All the records that a peer has: the status of each order."""
    return {order_id(number): {"status": "pending"} for number in range(ORDERS)}


def cancel(orders: dict[str, dict[str, Any]], order_id: str, reason: str) -> str:
    """The write as a peer's tool does it."""
    order = orders[order_id]
    order["status"] = "cancelled"
    order["cancel_reason"] = reason
    return f"{order_id} is cancelled"


@dataclass(frozen=True, slots=True)
class Times:
    """CPU milliseconds of the process, all threads together, in one gated write."""

    card: float
    """T1: the model's output is ready -> the pause is on disk and in the caller's hands."""

    entered: float
    """T2a: the person approves -> the tool's body is entered."""

    durable: float
    """T2b: the person approves -> the tool's result is on disk."""


class Stamps:
    """A stopwatch on the CPU time of this process; each moment is stamped where it happens."""

    def __init__(self) -> None:
        self._at: dict[str, int] = {}

    def output(self) -> None:
        """The model's output is whole."""
        self._at["output"] = time.process_time_ns()

    def ready(self) -> None:
        """The pause is durable and whoever asks the person holds it."""
        self._at["ready"] = time.process_time_ns()

    def approved(self) -> None:
        """The person said yes."""
        self._at["approved"] = time.process_time_ns()

    def entered(self) -> None:
        """The tool's body was entered; the last entry counts, as earlier ones were trials."""
        self._at["entered"] = time.process_time_ns()

    def durable(self) -> None:
        """The result is on disk."""
        self._at["durable"] = time.process_time_ns()

    def times(self) -> Times:
        """The three intervals; KeyError where a moment did not come."""
        at, self._at = self._at, {}
        return Times(
            card=(at["ready"] - at["output"]) / 1e6,
            entered=(at["entered"] - at["approved"]) / 1e6,
            durable=(at["durable"] - at["approved"]) / 1e6,
        )


class Side(Protocol):
    """One system at the gate."""

    name: str

    def seed(self, thread: str, messages: int) -> None:
        """Give a conversation its earlier messages, untimed."""
        ...

    def turn(self, thread: str, number: int = 0) -> Times:
        """One gated write in that conversation: cancel the order with that number."""
        ...

    def size(self) -> int:
        """Bytes on disk now."""
        ...

    def close(self) -> None:
        """Let files and loops go."""
        ...
