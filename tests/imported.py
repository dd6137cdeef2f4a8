"""Runs of another program on the demo airline, small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import domains
from sessions.importing import import_runs, read_runs
from sessions.importing.storing import Origin
from sessions.store.store import Store

TINDRA, KEANU = "tindra_yilmaz_5074", "keanu_zamora_1084"

ALLOWED = "G7MC9S"
"""Tindra's, which the policy lets her cancel; the others are Keanu's but one."""

ALSO_ALLOWED = "B9SJ4V"
KEANUS_ALLOWED = "P2QP5X"
FORBIDDEN = "V4DD2S"
"""Which nothing lets him cancel."""

WRITES = 5
"""In all runs: one is wrong, three are right, and one is right but against the policy."""


def file_of_runs(folder: Path) -> Path:
    """A file as τ-bench's first edition writes them."""
    path = folder / "runs.json"
    path.write_text(json.dumps(RUNS))
    return path


def take_in(store: Store, folder: Path) -> list[str]:
    """The runs as sessions; their ids."""
    path, airline = file_of_runs(folder), domains.load("airline")
    runs = list(read_runs(path, "airline", "gpt-test"))
    return import_runs(store, runs, airline, Origin(path, None, "1")).sessions


def run(number: int, expected: str, *messages: dict[str, Any]) -> dict[str, Any]:
    """A run whose task is to cancel a reservation."""
    actions = [{"name": "cancel_reservation", "kwargs": {"reservation_id": expected}}]
    task = {"user_id": "u", "instruction": "Be brief.", "actions": actions, "outputs": []}
    said = [{"role": "system", "content": "policy"}, *messages]
    info = {"task": task, "reward_info": {"reward": 1.0}}
    return {"task_id": number, "reward": 1.0, "info": info, "traj": said, "trial": 0}


def said(text: str) -> dict[str, Any]:
    """Words of the customer."""
    return {"role": "user", "content": text}


def called(name: str, **arguments: Any) -> list[dict[str, Any]]:
    """A call of the agent, and that something came back."""
    call_id = f"{name}-{len(arguments)}-{'-'.join(map(str, arguments.values()))}"
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "name": name, "content": "{}"},
    ]


def identified(customer: str) -> list[dict[str, Any]]:
    """The look-up that the policy lets identify a customer."""
    return called("get_user_details", user_id=customer)


def cancelled(reservation: str) -> list[dict[str, Any]]:
    """A cancellation."""
    return called("cancel_reservation", reservation_id=reservation)


RUNS = [
    run(0, ALLOWED, said(f"Cancel my trip. {TINDRA}"), *identified(TINDRA), *cancelled(ALLOWED)),
    run(
        1,
        KEANUS_ALLOWED,
        said(f"Cancel my trip. {KEANU}"),
        *identified(KEANU),
        *cancelled(FORBIDDEN),
        said("No, the other one!"),
        *cancelled(KEANUS_ALLOWED),
    ),
    run(2, FORBIDDEN, said(f"Cancel my trip. {KEANU}"), *identified(KEANU), *cancelled(FORBIDDEN)),
    run(3, ALSO_ALLOWED, said("Cancel my trip, now."), *cancelled(ALSO_ALLOWED)),
]
