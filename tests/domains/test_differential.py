from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import domains
from domains.core.canonical import canonical
from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall
from domains.tau2.data import tau2_hash
from tests.domains.applying import apply
from tests.domains.call_sequences import NOT_IN_THE_PEER, sequences
from tests.effort import WHOLE
from tests.shared_data import ANY_TAU2, EDITIONS
from tests.tau2_process import Tau2Process, with_tau2

pytestmark = with_tau2

PEER = Path(__file__).parent / "peers" / "tau2_peer.py"

EXAMPLES, CALLS = (2_000, 10_000) if WHOLE else (200, 1_000)
"""Generated sequences, and the calls in them at least, for each domain."""


HASHED = 1 if WHOLE else 5
"""Of how many tasks one has all its records hashed by the peer, which takes it a second; what
changed is compared in each."""

TAKES_ANYWAY = re.compile(r"Error: ('certificate_\d+'$|1 validation error for Payment\namount)")
"""Refusals that come when the peer has taken money already; see ``domains/airline/quirks.py``."""


class Peer:
    """τ²-bench's tools of one domain."""

    def __init__(self, name: str) -> None:
        self._process = Tau2Process(PEER, name, str(ANY_TAU2 / name / "db.json"))

    def ask(self, calls: list[ToolCall], *, hashed: bool = False) -> dict[str, Any]:
        """Results, changed records and, if asked for, the hash, of calls on untouched records."""
        asked = [{"name": call.name, "arguments": call.arguments} for call in calls]
        told = self._process.ask(json.dumps({"calls": asked, "hash": hashed}))
        answer: dict[str, Any] = json.loads(told)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.finish()


@pytest.fixture(scope="module", params=["retail", "airline"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def domain(name: str) -> Domain:
    return domains.load(name, ANY_TAU2)


@pytest.fixture(scope="module")
def peer_of() -> Iterator[Callable[[str], Peer]]:
    started: dict[str, Peer] = {}
    yield lambda name: started.get(name) or started.setdefault(name, Peer(name))
    for process in started.values():
        process.close()


@pytest.fixture
def peer(name: str, peer_of: Callable[[str], Peer]) -> Peer:
    return peer_of(name)


def run(records: Records, calls: list[ToolCall]) -> list[list[Any]]:
    """Text and error flag of each call, writes carried out."""
    results = [
        apply(records, call, f"card {number}").result
        if records.tools.mutates(call.name)
        else records.look_up(call)
        for number, call in enumerate(calls)
    ]
    return [[result.text, result.error] for result in results]


def changed(records: Records) -> dict[str, Any]:
    return {f"{each.collection}/{each.key}": each.after for each in records.diff()}


def gold(name: str) -> list[list[ToolCall]]:
    """The expected calls of every task that is published, each list once."""
    lists: dict[str, list[ToolCall]] = {}
    for folder in EDITIONS:
        for task in json.loads((folder / name / "tasks.json").read_text(encoding="utf-8")):
            actions = task["evaluation_criteria"]["actions"] or []
            calls = [
                ToolCall(action["name"], action["arguments"])
                for action in actions
                if action["name"] not in NOT_IN_THE_PEER
            ]
            lists.setdefault(canonical([[call.name, call.arguments] for call in calls]), calls)
    return list(lists.values())


def test_every_tasks_expected_calls_end_as_in_tau2(name: str, domain: Domain, peer: Peer) -> None:
    assert tau2_hash(domain.base) == peer.ask([], hashed=True)["hash"]
    for number, calls in enumerate(gold(name)):
        records = domain.records()
        ours = run(records, calls)
        theirs = peer.ask(calls, hashed=bool(records.diff()) and number % HASHED == 0)
        assert ours == theirs["results"]
        assert canonical(changed(records)) == canonical(theirs["changed"])
        if theirs["hash"]:
            assert tau2_hash(records) == theirs["hash"]


@pytest.mark.parametrize(
    "call",
    [
        ToolCall(
            "book_reservation",
            {
                "user_id": "mei_hernandez_8984",
                "origin": "PHL",
                "destination": "LGA",
                "flight_type": "one_way",
                "cabin": "basic_economy",
                "flights": [{"flight_number": "HAT001", "date": "2024-05-17"}],
                "passengers": [{"first_name": "Ada", "last_name": "Berg", "dob": "1990-01-02"}],
                "payment_methods": [{"payment_id": "certificate_3321326", "amount": 38}] * 2,
                "total_baggages": 0,
                "nonfree_baggages": 0,
                "insurance": "no",
            },
        ),
        ToolCall(
            "update_reservation_baggages",
            {
                "reservation_id": "R9QDGB",
                "total_baggages": 2,
                "nonfree_baggages": 0.25,
                "payment_id": "gift_card_5309492",
            },
        ),
    ],
    ids=lambda call: call.name,
)
def test_a_refused_call_takes_money_there_and_nothing_here(
    call: ToolCall, peer_of: Callable[[str], Peer]
) -> None:
    records = domains.load("airline", ANY_TAU2).records()
    theirs = peer_of("airline").ask([call])
    assert run(records, [call]) == theirs["results"]
    assert TAKES_ANYWAY.match(theirs["results"][0][0])
    assert list(theirs["changed"]) == ["users/mei_hernandez_8984"]
    assert changed(records) == {}


@pytest.mark.timeout(600)
def test_generated_calls_end_as_in_tau2(name: str, domain: Domain, peer: Peer) -> None:
    count = 0

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(sequences(name, domain))
    def law(calls: list[ToolCall]) -> None:
        nonlocal count
        count += len(calls)
        records = domain.records()
        ours = run(records, calls)
        taken = next((i for i, each in enumerate(ours) if TAKES_ANYWAY.match(each[0])), None)
        theirs = peer.ask(calls if taken is None else calls[: taken + 1])
        assert ours[: len(theirs["results"])] == theirs["results"]
        if taken is None:
            assert canonical(changed(records)) == canonical(theirs["changed"])

    law()
    assert count >= CALLS
