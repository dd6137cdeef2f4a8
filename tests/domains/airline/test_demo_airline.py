from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime, timedelta
from itertools import chain, pairwise, product
from typing import Any

import pytest

from domains.airline.airports import CITIES
from domains.airline.schema import Airline, Flight, Reservation, User
from domains.core.changes import Record
from tests.domains.repeating import repeated
from tests.generators.airline import generate
from tests.shared_data import TAU2

STORE: dict[str, dict[str, Record]] = json.loads(generate.STORE.read_text(encoding="utf-8"))
FLIGHTS, USERS, RESERVATIONS = STORE["flights"], STORE["users"], STORE["reservations"]
NOW = datetime(2024, 5, 15, 15)
DAYS = [(flight, date, day) for flight in FLIGHTS.values() for date, day in flight["dates"].items()]
METHODS: dict[str, Record] = dict(
    chain.from_iterable(user["payment_methods"].items() for user in USERS.values())
)
CABINS = ("basic_economy", "economy", "business")
FREE_BAGS = {
    ("regular", "basic_economy"): 0,
    ("regular", "economy"): 1,
    ("regular", "business"): 2,
    ("silver", "basic_economy"): 1,
    ("silver", "economy"): 2,
    ("silver", "business"): 3,
    ("gold", "basic_economy"): 2,
    ("gold", "economy"): 3,
    ("gold", "business"): 4,
}


def with_status(status: str) -> list[tuple[Record, str, Record]]:
    return [(flight, date, day) for flight, date, day in DAYS if day["status"] == status]


def scheduled(flight_number: str, date: str) -> tuple[datetime, datetime]:
    flight = FLIGHTS[flight_number]
    arrival, _, overnight = flight["scheduled_arrival_time_est"].partition("+")
    return (
        datetime.fromisoformat(f"{date}T{flight['scheduled_departure_time_est']}"),
        datetime.fromisoformat(f"{date}T{arrival}") + timedelta(days=int(overnight or 0)),
    )


def statuses(reservation: Record) -> set[str]:
    flights = reservation["flights"]
    return {FLIGHTS[each["flight_number"]]["dates"][each["date"]]["status"] for each in flights}


def cost(reservation: Record) -> int:
    prices: list[int] = [flight["price"] for flight in reservation["flights"]]
    each = sum(prices) + (30 if reservation["insurance"] == "yes" else 0)
    extra: int = 50 * reservation["nonfree_baggages"]
    return each * len(reservation["passengers"]) + extra


def paid(reservation: Record) -> list[int]:
    return [move["amount"] for move in reservation["payment_history"]]


def test_the_airline_is_as_big_as_promised() -> None:
    assert len(USERS) >= 40
    assert len(RESERVATIONS) >= 100
    assert len(FLIGHTS) >= 70
    assert len({flight["origin"] for flight in FLIGHTS.values()}) == 12
    assert {flight["destination"] for flight in FLIGHTS.values()} <= CITIES.keys()


def test_every_flight_has_three_weeks_of_days_around_now() -> None:
    first, last = NOW - timedelta(days=10), NOW + timedelta(days=11)
    expected = [(first + timedelta(days=day)).date().isoformat() for day in range(22)]
    assert expected[-1] == last.date().isoformat()
    assert all(list(flight["dates"]) == expected for flight in FLIGHTS.values())


@pytest.mark.parametrize(
    ("status", "least"),
    [
        ("available", 700),
        ("landed", 600),
        ("cancelled", 20),
        ("on time", 15),
        ("flying", 8),
        ("delayed", 4),
    ],
)
def test_there_are_days_in_every_status(status: str, least: int) -> None:
    assert len(with_status(status)) >= least


def test_what_happened_to_a_flight_agrees_with_the_clock() -> None:
    for flight, date, day in DAYS:
        departs, _ = scheduled(flight["flight_number"], date)
        times = {
            name.rpartition("_time_est")[0]: datetime.fromisoformat(text)
            for name, text in day.items()
            if name.endswith("_time_est")
        }
        match day["status"]:
            case "available":
                assert date > NOW.date().isoformat()
            case "landed":
                assert times["actual_departure"] < times["actual_arrival"] <= NOW
            case "flying":
                assert times["actual_departure"] <= NOW < times["estimated_arrival"]
            case "on time" | "delayed":
                assert NOW < times["estimated_departure"] < times["estimated_arrival"]
                late = times["estimated_departure"] - departs >= timedelta(minutes=30)
                assert late == (day["status"] == "delayed")
            case "cancelled":
                assert len(day) == 1
        assert all(time >= departs for time in times.values())


def test_what_can_be_booked_has_seats_and_rising_prices_in_every_cabin() -> None:
    for _, _, day in with_status("available"):
        assert tuple(day["available_seats"]) == tuple(day["prices"]) == CABINS
        assert all(0 <= seats < 20 for seats in day["available_seats"].values())
        basic, economy, business = day["prices"].values()
        assert 0 < basic < economy < business
    seats = Counter(
        cabin
        for _, _, day in with_status("available")
        for cabin, left in day["available_seats"].items()
        if left == 0
    )
    assert all(seats[cabin] >= 30 for cabin in CABINS)


def test_one_stop_leads_where_no_flight_does() -> None:
    direct = {(flight["origin"], flight["destination"]) for flight in FLIGHTS.values()}
    date = "2024-05-20"
    joined = {
        (first["origin"], second["destination"])
        for first, second in product(FLIGHTS.values(), repeat=2)
        if first["destination"] == second["origin"]
        and first["origin"] != second["destination"]
        and scheduled(first["flight_number"], date)[1] < scheduled(second["flight_number"], date)[0]
    }
    assert len(joined - direct) >= 25


def test_out_and_back_on_one_day_is_possible() -> None:
    times = [
        (scheduled(flight["flight_number"], "2024-05-20"), flight["origin"], flight["destination"])
        for flight in FLIGHTS.values()
    ]
    pairs = {
        (origin, destination)
        for (_, arrives), origin, destination in times
        for (departs, _), start, end in times
        if (origin, destination) == (end, start) and departs - arrives > timedelta(hours=4)
    }
    assert len(pairs) >= 10


def test_every_membership_cabin_trip_and_insurance_is_there() -> None:
    memberships = Counter(user["membership"] for user in USERS.values())
    assert all(memberships[each] >= 8 for each in ("regular", "silver", "gold"))
    for field, values in (
        ("cabin", CABINS),
        ("flight_type", ("one_way", "round_trip")),
        ("insurance", ("yes", "no")),
    ):
        counted = Counter(reservation[field] for reservation in RESERVATIONS.values())
        assert all(counted[value] >= 15 for value in values)
    assert sum("status" in reservation for reservation in RESERVATIONS.values()) >= 4


def test_every_kind_of_payment_method_is_held_and_used() -> None:
    sources = {"credit_card", "gift_card", "certificate"}
    assert {method["source"] for method in METHODS.values()} == sources
    used = [
        move["payment_id"]
        for reservation in RESERVATIONS.values()
        for move in reservation["payment_history"]
    ]
    assert {payment_id.rpartition("_")[0] for payment_id in used} == sources
    assert all(method["amount"] > 0 for method in METHODS.values() if "amount" in method)


def test_reservations_hold_flights_in_every_state_but_the_air() -> None:
    found = Counter(chain.from_iterable(map(statuses, RESERVATIONS.values())))
    assert all(found[each] >= 2 for each in ("available", "landed", "cancelled", "delayed"))
    upcoming = [
        flight
        for reservation in RESERVATIONS.values()
        for flight in reservation["flights"]
        if flight["date"] > NOW.date().isoformat()
        and FLIGHTS[flight["flight_number"]]["dates"][flight["date"]]["status"] == "cancelled"
    ]
    assert len(upcoming) >= 2
    assert sum(len(statuses(each) & {"landed", "available"}) == 2 for each in booked()) >= 3


def booked() -> list[Record]:
    return [reservation for reservation in RESERVATIONS.values() if "status" not in reservation]


def test_ids_are_unique_and_keys_are_ids() -> None:
    assert repeated([key for user in USERS.values() for key in user["payment_methods"]]) == []
    assert all(flight["flight_number"] == key for key, flight in FLIGHTS.items())
    assert all(user["user_id"] == key for key, user in USERS.items())
    assert all(each["reservation_id"] == key for key, each in RESERVATIONS.items())
    assert all(method["id"] == key for key, method in METHODS.items())


def test_ids_look_like_what_they_name() -> None:
    assert all(re.fullmatch(r"LRK\d{3}", key) for key in FLIGHTS)
    assert all(re.fullmatch(r"[a-z]+_[a-z]+_\d{4}", key) for key in USERS)
    assert all(re.fullmatch(r"(credit_card|gift_card|certificate)_\d{7}", key) for key in METHODS)
    for key in RESERVATIONS:
        assert re.fullmatch(r"[A-HJ-NP-Z2-9]{6}", key)
        assert sum(character.isdigit() for character in key) == 2


def test_addresses_emails_and_birthdays_are_whole() -> None:
    emails = [user["email"] for user in USERS.values()]
    assert repeated(emails) == []
    assert all(re.fullmatch(r"[a-z0-9._]+@example\.com", email) for email in emails)
    for user in USERS.values():
        address = user["address"]
        assert re.fullmatch(r"\d{5}", address["zip"])
        assert re.fullmatch(r"[A-Z]{2}", address["state"])
        assert address["address1"]
        assert address["city"]
    passengers = chain.from_iterable(each["passengers"] for each in RESERVATIONS.values())
    saved = chain.from_iterable(user["saved_passengers"] for user in USERS.values())
    for person in chain(passengers, saved, USERS.values()):
        assert datetime(1940, 1, 1) < datetime.fromisoformat(person["dob"]) < NOW


def test_customers_and_reservations_name_each_other() -> None:
    listed = [(key, each) for key, user in USERS.items() for each in user["reservations"]]
    assert sorted(listed) == sorted((each["user_id"], key) for key, each in RESERVATIONS.items())


def test_a_reservation_is_paid_exactly_for_what_is_in_it() -> None:
    for reservation in booked():
        assert all(amount > 0 for amount in paid(reservation))
        assert sum(paid(reservation)) == cost(reservation)


def test_a_cancelled_reservation_is_refunded_payment_by_payment() -> None:
    for reservation in RESERVATIONS.values():
        if "status" in reservation:
            moves = reservation["payment_history"]
            half = len(moves) // 2
            assert sum(paid(reservation)[:half]) == cost(reservation)
            assert [{**move, "amount": -move["amount"]} for move in moves[:half]] == moves[half:]


def test_a_reservation_is_paid_with_methods_of_its_own_customer() -> None:
    for reservation in RESERVATIONS.values():
        for move in reservation["payment_history"]:
            spent = move["payment_id"].startswith("certificate")
            held = USERS[reservation["user_id"]]["payment_methods"]
            assert (move["payment_id"] in METHODS) != spent
            assert spent or move["payment_id"] in held


def test_bags_beyond_the_free_ones_of_the_membership_are_paid_for() -> None:
    for reservation in RESERVATIONS.values():
        membership = USERS[reservation["user_id"]]["membership"]
        free = FREE_BAGS[membership, reservation["cabin"]] * len(reservation["passengers"])
        assert reservation["nonfree_baggages"] == max(0, reservation["total_baggages"] - free)
    assert sum(each["nonfree_baggages"] > 0 for each in RESERVATIONS.values()) >= 5


def test_a_reservations_flights_fly_between_those_cities_on_that_date() -> None:
    for flight in chain.from_iterable(each["flights"] for each in RESERVATIONS.values()):
        record = FLIGHTS[flight["flight_number"]]
        assert flight["date"] in record["dates"]
        assert {name: record[name] for name in ("origin", "destination")}.items() <= flight.items()


def test_a_reservations_flights_join_up_into_its_trip() -> None:
    for reservation in RESERVATIONS.values():
        flights = reservation["flights"]
        there_and_back = reservation["flight_type"] == "round_trip"
        assert flights[0]["origin"] == reservation["origin"]
        assert (
            flights[-1]["destination"] == reservation["origin" if there_and_back else "destination"]
        )
        assert reservation["destination"] in {flight["destination"] for flight in flights}
        for first, second in pairwise(flights):
            assert first["destination"] == second["origin"]
            assert (
                scheduled(first["flight_number"], first["date"])[1]
                < scheduled(second["flight_number"], second["date"])[0]
            )
    assert sum(len(each["flights"]) > 2 for each in RESERVATIONS.values()) >= 3


def test_a_reservation_was_made_before_now_and_before_it_is_flown() -> None:
    for reservation in RESERVATIONS.values():
        made, first = datetime.fromisoformat(reservation["created_at"]), reservation["flights"][0]
        assert made < min(NOW, scheduled(first["flight_number"], first["date"])[0])


def test_at_most_five_fly_together_the_customer_among_them_and_nobody_twice() -> None:
    for reservation in RESERVATIONS.values():
        user = USERS[reservation["user_id"]]
        assert reservation["passengers"][0] == {**user["name"], "dob": user["dob"]}
        assert len(reservation["passengers"]) <= 5
        assert repeated([json.dumps(each) for each in reservation["passengers"]]) == []
        for person in reservation["passengers"][1:]:
            assert person in user["saved_passengers"]


def test_fields_stand_in_the_order_of_the_shared_schema() -> None:
    Airline.model_validate(STORE)
    for model, records in ((Flight, FLIGHTS), (User, USERS), (Reservation, RESERVATIONS)):
        for record in records.values():
            assert list(record) == [name for name in model.model_fields if name in record]
    read = Airline.model_validate(STORE).model_dump(mode="json", exclude_none=True)
    assert json.dumps(read["reservations"]) == json.dumps(RESERVATIONS)
    assert json.dumps(read["flights"]) == json.dumps(FLIGHTS)


@pytest.mark.skipif(not (TAU2 / "airline").exists(), reason="τ²-bench's records are not here")
def test_nothing_is_taken_from_the_benchmarks_records() -> None:
    theirs: Any = json.loads((TAU2 / "airline" / "db.json").read_text(encoding="utf-8"))
    for name, records in STORE.items():
        assert not records.keys() & theirs[name].keys()
    assert not {user["email"] for user in USERS.values()} & {
        user["email"] for user in theirs["users"].values()
    }
    held = chain.from_iterable(user["payment_methods"] for user in theirs["users"].values())
    assert not METHODS.keys() & set(held)
