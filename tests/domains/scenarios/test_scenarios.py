from __future__ import annotations

import pytest

import domains
from domains.core.domain import Domain, Scenario
from domains.core.draft import Draft
from domains.core.tool import ToolCall
from tests.domains.scenarios.scenario_ends import as_text, carried_out, customer, failed_checks

LOADED = [domains.load(name) for name in domains.names()]
SCENARIOS = [
    pytest.param(domain, scenario, id=f"{domain.name}-{scenario.id}")
    for domain in LOADED
    for scenario in domain.scenarios
]
ENDS = [
    pytest.param(domain, scenario, end, id=f"{domain.name}-{scenario.id}-{place}")
    for domain in LOADED
    for scenario in domain.scenarios
    for place, end in enumerate(scenario.ends)
]


@pytest.mark.parametrize("domain", LOADED, ids=lambda domain: domain.name)
def test_every_domain_has_enough_of_them(domain: Domain) -> None:
    assert len(domain.scenarios) >= 14


@pytest.mark.parametrize(("domain", "scenario", "end"), ENDS)
def test_an_end_runs_and_changes_the_records_unless_it_is_empty(
    domain: Domain, scenario: Scenario, end: tuple[ToolCall, ...]
) -> None:
    assert bool(carried_out(domain, end)) == bool(end)


@pytest.mark.parametrize(("domain", "scenario", "end"), ENDS)
def test_an_end_is_made_of_writes_to_the_customers_own_records(
    domain: Domain, scenario: Scenario, end: tuple[ToolCall, ...]
) -> None:
    user = customer(domain, scenario)
    own = {user["user_id"], *user.get("orders", ()), *user.get("reservations", ())}
    for call in end:
        tool = domain.tools.get(call.name)
        assert tool is not None
        assert tool.mutates
        assert own & {value for value in call.arguments.values() if isinstance(value, str)}


@pytest.mark.parametrize(("domain", "scenario", "end"), ENDS)
def test_every_check_of_a_write_holds_when_its_turn_comes(
    domain: Domain, scenario: Scenario, end: tuple[ToolCall, ...]
) -> None:
    draft = Draft(domain.records())
    for call in end:
        assert failed_checks(domain, draft, call) == []
        domain.tools.run(call, draft)


@pytest.mark.parametrize(("domain", "scenario"), SCENARIOS)
def test_the_ends_of_one_scenario_differ(domain: Domain, scenario: Scenario) -> None:
    reached = {as_text(carried_out(domain, end)) for end in scenario.ends}
    assert len(reached) == len(scenario.ends)
    assert len(scenario.ends) > 1 or "several ends" not in scenario.tags


@pytest.mark.parametrize(("domain", "scenario"), SCENARIOS)
def test_a_role_can_be_read_while_talking(domain: Domain, scenario: Scenario) -> None:
    role = scenario.role
    assert role.who.startswith("You are ")
    assert role.wants
    assert role.manner
    lines = (*role.knows, *role.does_not_know, *role.wants, role.manner)
    assert all(len(line) <= 160 and line.endswith(".") for line in lines)
    assert len(scenario.title) <= 40


@pytest.mark.parametrize("domain", LOADED, ids=lambda domain: domain.name)
def test_only_a_handed_over_scenario_ends_with_a_transfer(domain: Domain) -> None:
    handed_over = [scenario for scenario in domain.scenarios if scenario.transfer]
    assert handed_over
    assert all("transfer" in scenario.tags for scenario in handed_over)
    assert all(scenario.ends == ((),) for scenario in handed_over)
