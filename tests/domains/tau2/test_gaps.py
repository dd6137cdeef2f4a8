"""The gaps of τ²-bench's policies: what our scenarios about them promise holds on its records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, permutations

import pytest

import domains
from agent.simulated.scripts import script_for
from domains.core.domain import Domain, Gaps, Scenario
from domains.core.draft import Draft
from domains.core.records import Base
from domains.core.tool import ToolCall
from tests.domains.scenarios.scenario_ends import as_text, carried_out, customer, failed_checks
from tests.domains.tau2.gap_records import places_of
from tests.shared_data import ANY_TAU2

pytestmark = pytest.mark.skipif(not ANY_TAU2.is_dir(), reason="τ²-bench's records are not here")

FAMILIES = {"airline": 7, "retail": 3}


@pytest.fixture(scope="module", params=sorted(FAMILIES))
def domain(request: pytest.FixtureRequest) -> Domain:
    return domains.load(str(request.param), ANY_TAU2)


def families(domain: Domain) -> Iterator[list[Scenario]]:
    for _, group in groupby(domain.gap_scenarios, lambda each: each.parent or each.id):
        yield list(group)


def test_every_parent_has_its_three_sisters_after_it(domain: Domain) -> None:
    found = list(families(domain))
    assert len(found) == FAMILIES[domain.name]
    for parent, *sisters in found:
        assert [each.variant for each in sisters] == ["simplified", "different", "complex"]
        assert {each.parent for each in sisters} == {parent.id}
        assert {each.gap for each in sisters} == {parent.gap}
        assert (parent.variant, parent.parent, parent.splits) == ("", "", ("gaps",))
    parents = [family[0].id for family in found]
    assert [each for gap in domain.gaps for each in gap.parents] == parents


def test_what_stands_in_the_way_is_the_gap_and_nothing_else(domain: Domain) -> None:
    checks = {gap.id: {gap.check} - {""} for gap in domain.gaps}
    for scenario in domain.gap_scenarios:
        for end in scenario.ends:
            draft, failed, judged = Draft(domain.records()), set(), 0
            for call in end:
                failed |= set(failed_checks(domain, draft, call))
                judged += asks_for_the_reason(domain, draft, call.name, call.arguments)
                result = domain.tools.run(call, draft)
                assert not result.error, (scenario.id, result.text)
            assert failed == checks[scenario.gap], scenario.id
            assert failed or judged == 1, scenario.id


def asks_for_the_reason(domain: Domain, draft: Draft, name: str, arguments: object) -> bool:
    tool = domain.tools.get(name)
    assert tool is not None
    assert tool.notes is not None
    assert isinstance(arguments, dict)
    return name == "cancel_reservation" and any(tool.notes.questions(draft, arguments))


def test_a_gap_names_a_check_of_its_tool_and_a_clause_of_the_policy(domain: Domain) -> None:
    for gap in domain.gaps:
        tool = domain.tools.get(gap.tool)
        assert tool is not None
        assert tool.notes is not None
        assert gap.check in {"", *(each.name for each in tool.notes.checks)}
        assert gap.policy in " ".join(domain.policy.split())


def test_the_ends_of_one_scenario_lead_to_different_places(domain: Domain) -> None:
    for each in domain.gap_scenarios:
        assert len({as_text(carried_out(domain, end)) for end in each.ends}) == len(each.ends)


def test_in_whichever_order_the_changes_come_their_end_is_acceptable(domain: Domain) -> None:
    for each in domain.gap_scenarios:
        acceptable = {as_text(carried_out(domain, end)) for end in each.ends}
        for order in permutations(each.ends[0]):
            if not upgrades_what_was_cancelled(order):
                assert as_text(carried_out(domain, order)) in acceptable, (each.id, order)


def upgrades_what_was_cancelled(order: tuple[ToolCall, ...]) -> bool:
    gone: list[object] = []
    for call in order:
        if call.arguments.get("reservation_id") in gone:
            return True
        if call.name == "cancel_reservation":
            gone.append(call.arguments["reservation_id"])
    return False


def test_a_different_instance_has_another_customer_and_a_complex_one_a_second_thing(
    domain: Domain,
) -> None:
    for parent, simplified, different, second in families(domain):
        users = [customer(domain, each)["user_id"] for each in (parent, different)]
        assert len(set(users)) == 2, parent.id
        things = [
            len(each.ends[0]) + len(each.communicate) + len(each.assertions)
            for each in (simplified, second)
        ]
        assert things[0] < things[1], parent.id


def test_a_role_can_be_read_while_talking(domain: Domain) -> None:
    for each in domain.gap_scenarios:
        role = each.role
        lines = (*role.knows, *role.does_not_know, *role.wants, role.manner, each.explanation)
        assert all(len(line) <= 200 and line.endswith(".") for line in lines), each.id
        assert len(each.title) <= 40, each.id


def test_a_customer_who_is_code_has_words_for_each_change_that_is_right(domain: Domain) -> None:
    for each in domain.gap_scenarios:
        script = script_for(each)
        assert script.written, each.id
        assert set(script.asks) == {call.name for end in each.ends for call in end}, each.id


def test_nothing_is_said_of_records_or_of_a_policy_that_are_others(domain: Domain) -> None:
    kept = domain.gap_scenarios[0]
    users = dict(domain.base.collections["users"])
    known = customer(domain, kept)["user_id"]
    users[known] = {**users[known], "email": "someone.else@example.com"}
    moved = Base({**domain.base.collections, "users": users}, "others")
    assert gaps_of(domain, base=moved) == Gaps()
    assert gaps_of(domain, policy=domain.policy.replace("different product option", "color")
                   .replace("delayed flights", "late flights")) == Gaps()  # fmt: skip


def gaps_of(domain: Domain, **other: object) -> Gaps:
    return domain.read_gaps(replace(domain, **other))  # type: ignore[arg-type]


def test_the_records_that_they_rest_on_are_those_that_are_listed(domain: Domain) -> None:
    for place in places_of(domain, domain.gap_scenarios):
        collection, _, key = place.partition("/")
        changed = {**domain.base.collections[collection], key: {}}
        moved = Base({**domain.base.collections, collection: changed}, "others")
        assert gaps_of(domain, base=moved) == Gaps(), place
