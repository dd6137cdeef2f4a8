from __future__ import annotations

from typing import Any

import pytest

from domains.airline import wording
from domains.core.domain import Domain
from tests.domains.retail.test_wording import card

MIA = {"first_name": "Mia", "last_name": "Li", "dob": "1990-04-05"}
AMELIA = {"first_name": "Amelia", "last_name": "Ahmed", "dob": "1957-03-21"}


def trip(**changed: Any) -> dict[str, Any]:
    """Task 20 of τ²-bench: New York to Seattle by way of Atlanta."""
    arguments: dict[str, Any] = {
        "user_id": "mia_li_3668",
        "origin": "JFK",
        "destination": "SEA",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [
            {"flight_number": "HAT136", "date": "2024-05-20"},
            {"flight_number": "HAT039", "date": "2024-05-20"},
        ],
        "passengers": [MIA],
        "payment_methods": [
            {"payment_id": "certificate_7504069", "amount": 250},
            {"payment_id": "credit_card_4421486", "amount": 5},
        ],
        "total_baggages": 3,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return {**arguments, **changed}


def test_a_booking_names_the_trip_the_people_and_who_pays(airline_tau2: Domain) -> None:
    sentence, effects, verdicts = card(airline_tau2, "book_reservation", **trip())
    assert sentence == (
        "Book a one-way trip New York (JFK) → Seattle (SEA), 20 May, economy, for Mia Li, "
        "3 checked bags, no travel insurance: $255.00: $250.00 from the travel certificate "
        "certificate_7504069 and $5.00 from Visa ending 7447."
    )
    assert effects[0] == "new reservation HATHAT: one-way trip, New York (JFK) → Seattle (SEA)"
    assert "the travel certificate certificate_7504069 is used up" in effects
    assert verdicts["Bags beyond the free ones are paid for, and only those"] == (
        "✓ 3 bags; 3 free for 1 passenger (gold member in economy), so 0 to pay for"
    )
    assert all(verdict.startswith("✓") for verdict in verdicts.values())


def test_what_is_lost_of_a_certificate_is_told(airline_tau2: Domain) -> None:
    paid = [
        {"payment_id": "certificate_7504069", "amount": 200},
        {"payment_id": "credit_card_4421486", "amount": 55},
    ]
    _, effects, _ = card(airline_tau2, "book_reservation", **trip(payment_methods=paid))
    assert (
        "the travel certificate certificate_7504069 is used up; the $50.00 left on it is lost"
        in effects
    )


def test_one_payment_is_told_in_short(airline_tau2: Domain) -> None:
    paid = [{"payment_id": "credit_card_4421486", "amount": 510}]
    people = trip(passengers=[MIA, AMELIA], payment_methods=paid)
    sentence, _, _ = card(airline_tau2, "book_reservation", **people)
    assert "for Mia Li and Amelia Ahmed" in sentence
    assert sentence.endswith("no travel insurance: 2 × $255.00 = $510.00 from Visa ending 7447.")


def test_of_many_passengers_two_are_named_and_the_others_counted() -> None:
    people = [{"first_name": each, "last_name": "Li", "dob": "1990-01-01"} for each in "ABCD"]
    assert wording.passengers(people[:3]) == "A Li, B Li and C Li"
    assert wording.passengers(people) == "A Li, B Li and 2 more"


def test_long_names_do_not_push_the_price_away() -> None:
    long = [{"first_name": each * 60, "last_name": "Li", "dob": "1990-01-01"} for each in "ABC"]
    assert len(wording.passengers(long)) < 3 * 55


def test_how_many_are_named_does_not_depend_on_what_they_are_called() -> None:
    long = [{"first_name": each * 60, "last_name": "Li", "dob": "1990-01-01"} for each in "AB"]
    assert "more" not in wording.passengers(long)


def test_a_cancellation_tells_what_goes_back_and_why_it_may_not(airline_tau2: Domain) -> None:
    sentence, effects, verdicts = card(airline_tau2, "cancel_reservation", reservation_id="VAAOXJ")
    assert sentence == (
        "Cancel reservation VAAOXJ, Charlotte (CLT) → Orlando (MCO), 24 May, 1 passenger; "
        "$306.00 back to Mastercard ending 1780."
    )
    assert effects[0] == "reservation VAAOXJ: cancelled"
    assert effects[1].startswith("given up: HAT")
    assert effects[-1].startswith("refund $306.00 to ")
    assert effects[-1].endswith(", within 5 to 7 business days")
    assert verdicts["There are grounds to cancel it"] == (
        "✗ booked 2024-05-06 at 23:58, more than 24 hours ago; economy, not business; "
        "no travel insurance; no flight cancelled"
    )


def test_a_change_of_cabin_tells_the_difference(airline_tau2: Domain) -> None:
    """Task 37 of τ²-bench."""
    sentence, effects, _ = card(
        airline_tau2,
        "update_reservation_flights",
        reservation_id="M20IZO",
        cabin="business",
        flights=[
            {"flight_number": "HAT268", "date": "2024-05-22"},
            {"flight_number": "HAT010", "date": "2024-05-22"},
        ],
        payment_id="credit_card_9074831",
    )
    assert sentence.endswith(
        "from economy to business, still on HAT268 on 22 May and HAT010 on 22 May; "
        "2 × $597.00 = $1,194.00 more, paid with Mastercard ending 7334."
    )
    assert effects[0] == (
        "HAT268 on 22 May, 07:00–09:30, New York (JFK) → Atlanta (ATL): $136.00 → $430.00 each"
    )
    assert effects[2].startswith("cabin: economy → business, for Aarav Ahmed and ")
    assert effects[3:] == [
        "pay $1,194.00 with Mastercard ending 7334, "
        "not the method this was paid with (Mastercard ending 5018)",
        "not used: Mastercard ending 5018",
    ]


def test_other_flights_tell_their_times_and_those_given_up(airline_tau2: Domain) -> None:
    """Task 20 of τ-bench's airline: one stop fewer on the way out, the way back as it is."""
    sentence, effects, _ = card(
        airline_tau2,
        "update_reservation_flights",
        reservation_id="1N99U6",
        cabin="economy",
        flights=[
            {"flight_number": "HAT266", "date": "2024-05-19"},
            {"flight_number": "HAT112", "date": "2024-05-27"},
        ],
        payment_id="gift_card_5634230",
    )
    assert "2 × $207.00 = $414.00 back to the gift card (balance $67.00)." in sentence
    assert [each.split(",")[0] for each in effects[:4]] == [
        "no longer: HAT284 on 19 May",
        "no longer: HAT152 on 19 May",
        "instead: HAT266 on 19 May",
        "as before: HAT112 on 27 May",
    ]
    assert effects[2].endswith("13:00–16:00, Las Vegas (LAS) → Houston (IAH) ($146.00 each)")


def test_bags_tell_what_they_cost(airline_tau2: Domain) -> None:
    """Task 12 of τ²-bench."""
    sentence, _, _ = card(
        airline_tau2,
        "update_reservation_baggages",
        reservation_id="YAX4DR",
        total_baggages=2,
        nonfree_baggages=0,
        payment_id="credit_card_4938634",
    )
    assert sentence.startswith("Have 2 checked bags on reservation YAX4DR, ")
    assert sentence.endswith("; at no charge.")


@pytest.mark.parametrize(
    ("dates", "words"),
    [
        (["2024-05-20"], "20 May"),
        (["2024-05-25", "2024-05-20"], "20–25 May"),
        (["2024-05-30", "2024-06-02"], "30 May – 2 June"),
        ([], "no date"),
        (["soon"], "soon"),
    ],
)
def test_days_of_a_trip_read_shortly(dates: list[str], words: str) -> None:
    assert wording.days(dates) == words


@pytest.mark.parametrize(
    ("total", "nonfree", "words"),
    [
        (0, 0, "no checked bags"),
        (1, 0, "1 checked bag"),
        (3, 1, "3 checked bags (1 of them paid for)"),
    ],
)
def test_bags_read_as_one_would_say_it(total: int, nonfree: int, words: str) -> None:
    assert wording.bags(total, nonfree) == words


def test_an_airport_that_is_not_known_keeps_its_code() -> None:
    assert wording.airport("XYZ") == "XYZ"
    assert wording.airport("JFK") == "New York (JFK)"
