from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from sessions.events import ProposedCall
from sessions.importing import import_runs, read_runs
from sessions.importing.domain_check import refuse_other_domain
from sessions.importing.runs import Agent, Run
from sessions.importing.storing import Origin
from sessions.store.errors import ImportRefused
from sessions.store.store import Store
from tests.sessions.importing.test_tau1 import SAMPLE, needs_the_sample
from tests.shared_data import TAU2

AIRLINE, FILE = domains.load("airline"), Path("runs.json")
KNOWN = [tool.name for tool in AIRLINE.tools]


def run(*names: str, expected: tuple[str, ...] = (), customer: str = "") -> Run:
    """A run with these calls, on a task that lists those."""
    calls = tuple(ProposedCall(id=str(each), name=name, arguments="{}")
                  for each, name in enumerate(names))  # fmt: skip
    actions = [{"name": each, "arguments": {}} for each in expected]
    return Run(
        source="tau1", original="1/0", task_id="1", model="m", steps=(Agent("", calls),),
        ended="customer", ending="stop", digest="d", customer=customer,
        task={"evaluation_criteria": {"actions": actions}},
    )  # fmt: skip


@needs_the_sample
def test_runs_of_an_airline_are_no_runs_of_a_store(tmp_path: Path) -> None:
    retail = domains.load("retail", TAU2)
    with Store.open(tmp_path / "s.db") as store:
        with pytest.raises(ImportRefused, match=r"does not fit retail: .* name that with --domain"):
            import_runs(store, list(read_runs(SAMPLE, "retail")), retail, Origin(SAMPLE, TAU2, "1"))
        assert store.sessions() == []


@needs_the_sample
def test_runs_on_other_records_are_told_by_their_customers(tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "s.db") as store,
        pytest.raises(ImportRefused, match=r"does not fit these records: .* --domain and --data"),
    ):
        import_runs(store, list(read_runs(SAMPLE, "airline")), AIRLINE, Origin(SAMPLE, None, "1"))


@given(st.lists(st.sampled_from(KNOWN), max_size=60), st.integers(0, 3), st.integers(0, 50))
def test_thoughts_and_a_few_slips_of_an_agent_are_no_sign_of_another_domain(
    known: list[str], slips: int, thoughts: int
) -> None:
    names = [*known, *["think"] * thoughts, *["made_up"] * slips]
    if slips * 2 <= len(names):
        refuse_other_domain([run(*names)], AIRLINE, FILE)


@given(st.lists(st.sampled_from(KNOWN), max_size=60), st.integers(4, 60))
def test_more_than_a_few_unknown_calls_are(known: list[str], unknown: int) -> None:
    with pytest.raises(ImportRefused, match="does not fit airline"):
        refuse_other_domain([run(*known), run(*["made_up"] * unknown)], AIRLINE, FILE)


def test_tasks_that_expect_the_tools_of_another_domain_are_enough() -> None:
    with pytest.raises(ImportRefused, match="calls that its tasks expect"):
        refuse_other_domain(
            [run("get_user_details", expected=("cancel_pending_order",))], AIRLINE, FILE
        )


def test_a_customer_who_is_not_here_may_be_a_slip() -> None:
    here = next(iter(AIRLINE.customer_ids.values()))
    refuse_other_domain([run(customer=each) for each in (here, "a", "b", "c")], AIRLINE, FILE)
    with pytest.raises(ImportRefused, match="4 are not in them"):
        refuse_other_domain(
            [run(customer=each) for each in (here, "a", "b", "c", "d")], AIRLINE, FILE
        )
