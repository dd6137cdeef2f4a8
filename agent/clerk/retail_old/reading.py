"""Orders as they were last read, and the look-up that is needed where one was not."""

from __future__ import annotations

import json
from dataclasses import dataclass

from agent.clerk.remembering import Json
from agent.clerk.retail.memory import Memory
from agent.clerk.steps import Call, Settled


def all_orders(memory: Memory) -> list[Json]:
    """Every order of the customer, newest first; asks for the next look-up while one is missing."""
    return [
        read_order(memory, each) for each in reversed(memory.order_ids) if readable(memory, each)
    ]


def readable(memory: Memory, order_id: str) -> bool:
    """Whether looking the order up has not failed."""
    return _look_up(order_id).key_text not in memory.failed


@dataclass(frozen=True, slots=True)
class _LookUp:
    call: Call
    key_text: str


def _look_up(order_id: str) -> _LookUp:
    arguments = {"order_id": order_id}
    return _LookUp(
        Call("get_order_details", arguments), f"get_order_details:{json.dumps(arguments)}"
    )


def read_order(memory: Memory, order_id: str) -> Json:
    """An order as last read; Settled with the look-up while it was not."""
    found = memory.orders.get(order_id)
    if found is None:
        raise Settled(_look_up(order_id).call)
    return found
