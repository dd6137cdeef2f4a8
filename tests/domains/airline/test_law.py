from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall
from tests.domains.airline.airline_calls import user_ids, writes
from tests.domains.applying import apply
from tests.effort import examples

LAW = settings(
    max_examples=examples(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def after_writes(domain: Domain, data: st.DataObject) -> tuple[Records, ToolCall]:
    """Records that may have been written to, and a write on the same customer's."""
    user_id = data.draw(user_ids(domain))
    records = domain.records()
    for number in range(data.draw(st.sampled_from([0, 0, 1, 3]))):
        apply(records, data.draw(writes(domain, user_id)), f"card {number}")
    return records, data.draw(writes(domain, user_id))


@LAW
@given(data=st.data())
def test_every_change_of_a_write_stands_on_the_customers_sheets(
    airline: Domain, data: st.DataObject
) -> None:
    records, call = after_writes(airline, data)
    for change in apply(records, call, "last card").changes:
        if change.collection == "flights":
            continue
        assert change.after is not None
        sheets = airline.sheets(records, change.after["user_id"])
        paths = [field.path for sheet in sheets for field in sheet.fields]
        for each in change.fields:
            where = "/".join(filter(None, (change.collection, change.key, each.label)))
            near = [path for path in paths if where == path or where.startswith(f"{path}.")]
            under = [path for path in paths if path.startswith((f"{where}.", f"{where}/"))]
            assert near or under or each.after in ([], {}), where


@LAW
@given(data=st.data())
def test_on_our_own_records_seats_and_money_stay_in_balance(
    airline_demo: Domain, data: st.DataObject
) -> None:
    records, call = after_writes(airline_demo, data)
    apply(records, call, "last card")
    for change in records.diff():
        after = change.after or {}
        for method in after.get("payment_methods", {}).values():
            assert method.get("amount", 0) >= 0
        for day in after.get("dates", {}).values():
            assert all(seats >= 0 for seats in day.get("available_seats", {}).values())
        for passenger in after.get("passengers", []):
            assert passenger.keys() == {"first_name", "last_name", "dob"}
