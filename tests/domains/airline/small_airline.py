"""An airline in which each defect can be seen: three flights, one customer, four reservations."""

from __future__ import annotations

from typing import Any

from domains.core.changes import Record

ADA = {"first_name": "Ada", "last_name": "Berg", "dob": "1990-01-02"}
OLE = {"first_name": "Ole", "last_name": "Dahl", "dob": "2001-11-30"}


def airline() -> dict[str, Any]:
    """The content of a file of records."""
    return {
        "flights": {
            "F1": _flight("F1", "SEA", "ORD", "20:00:00", "01:30:00+1"),
            "F2": _flight("F2", "ORD", "JFK", "08:00:00", "11:00:00"),
            "F3": _flight("F3", "ORD", "SEA", "09:00:00", "12:00:00"),
        },
        "users": {
            "ada": {
                "user_id": "ada",
                "name": {"first_name": "Ada", "last_name": "Berg"},
                "address": {
                    "address1": "1 Elm Street",
                    "city": "Boise",
                    "country": "USA",
                    "state": "ID",
                    "zip": "83702",
                },
                "email": "ada@example.com",
                "dob": "1990-01-02",
                "payment_methods": {
                    "visa": {
                        "source": "credit_card",
                        "id": "visa",
                        "brand": "visa",
                        "last_four": "1111",
                    },
                    "gift": {"source": "gift_card", "id": "gift", "amount": 150.0},
                    "cert": {"source": "certificate", "id": "cert", "amount": 250.0},
                },
                "saved_passengers": [OLE],
                "membership": "regular",
                "reservations": ["R1", "R2", "R3", "R4"],
            }
        },
        "reservations": {
            "R1": _reservation("R1", "economy", [("F1", "SEA", "ORD", "2024-05-20")]),
            "R2": _reservation("R2", "basic_economy", [("F2", "ORD", "JFK", "2024-05-20")]),
            "R3": _reservation("R3", "economy", [("F3", "ORD", "SEA", "2024-05-14")]),
            "R4": _reservation("R4", "economy", [("F2", "ORD", "JFK", "2024-05-15")]),
        },
    }


def _flight(number: str, origin: str, destination: str, departs: str, arrives: str) -> Record:
    landed = {
        "status": "landed",
        "actual_departure_time_est": f"2024-05-14T{departs}",
        "actual_arrival_time_est": f"2024-05-14T{arrives[:8]}",
    }
    delayed = {
        "status": "delayed",
        "estimated_departure_time_est": "2024-05-15T22:00:00",
        "estimated_arrival_time_est": "2024-05-15T23:00:00",
    }
    flying = {
        "status": "flying",
        "actual_departure_time_est": "2024-05-15T14:00:00",
        "estimated_arrival_time_est": "2024-05-15T17:00:00",
    }
    open_days = ["2024-05-20", "2024-05-21", "2024-05-31", "2024-06-01"]
    return {
        "flight_number": number,
        "origin": origin,
        "destination": destination,
        "scheduled_departure_time_est": departs,
        "scheduled_arrival_time_est": arrives,
        "dates": {
            "2024-05-13": flying,
            "2024-05-14": landed,
            "2024-05-15": delayed,
            "2024-05-16": {"status": "cancelled"},
            **{day: _open() for day in open_days},
        },
    }


def _open() -> Record:
    return {
        "status": "available",
        "available_seats": {"basic_economy": 3, "economy": 3, "business": 1},
        "prices": {"basic_economy": 50, "economy": 100, "business": 300},
    }


def _reservation(key: str, cabin: str, flights: list[tuple[str, str, str, str]]) -> Record:
    return {
        "reservation_id": key,
        "user_id": "ada",
        "origin": flights[0][1],
        "destination": flights[-1][2],
        "flight_type": "one_way",
        "cabin": cabin,
        "flights": [
            {
                "flight_number": number,
                "origin": origin,
                "destination": destination,
                "date": date,
                "price": 90,
            }
            for number, origin, destination, date in flights
        ],
        "passengers": [ADA],
        "payment_history": [{"payment_id": "visa", "amount": 90 * len(flights)}],
        "created_at": "2024-05-02T03:10:19",
        "total_baggages": 1,
        "nonfree_baggages": 0,
        "insurance": "no",
    }


def booking(**changed: Any) -> dict[str, Any]:
    """The arguments of a booking that is right in all respects, with some of them changed."""
    arguments: dict[str, Any] = {
        "user_id": "ada",
        "origin": "SEA",
        "destination": "ORD",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "F1", "date": "2024-05-20"}],
        "passengers": [ADA],
        "payment_methods": [{"payment_id": "visa", "amount": 100}],
        "total_baggages": 1,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return {**arguments, **changed}
