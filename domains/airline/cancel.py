"""Cancelling a reservation: the tool, and what its card says."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from domains.airline import checks, effects, seats, store, wording
from domains.airline.look_ups import ReservationId
from domains.airline.quirks import Quirks
from domains.records import Draft, Record
from domains.tool import Arguments, Check, Effect, Finding, Tool, WriteNotes, writes

CHANGE_OF_MIND = timedelta(hours=24)
"""How long after booking any reservation can be cancelled."""

JUDGED = (
    checks.YOU_WERE_IDENTIFIED,
    checks.IT_IS_YOURS,
    "You gave the reason for cancelling yourself.",
    "Where only the travel insurance allows it: your reason is health or weather.",
)


def tool(quirks: Quirks, now: str) -> Tool:
    """The tool ``cancel_reservation``; ``now`` is the time it is, as in the records."""

    @writes(_notes(quirks, now))
    def cancel_reservation(draft: Draft, reservation_id: ReservationId) -> Record:
        """Cancel a whole reservation and refund what was paid to where it came from.

        Nothing is checked of whether the policy lets it be cancelled. The customer must have
        confirmed it beforehand.
        """
        quirks.check_standing(store.get_reservation(draft, reservation_id))
        reservation = draft.edit("reservations", reservation_id)
        reservation["payment_history"] += [
            {**row, "amount": -row["amount"]} for row in reservation["payment_history"]
        ]
        reservation["status"] = "cancelled"
        if not quirks.keeps_seats:
            passengers = len(reservation["passengers"])
            seats.take(draft, reservation["flights"], reservation["cabin"], -passengers)
        return reservation

    return cancel_reservation


def _notes(quirks: Quirks, now: str) -> WriteNotes:
    def may_be_cancelled(draft: Draft, arguments: Arguments) -> Finding:
        reservation = checks.reservation_of(draft, arguments)
        grounds = _grounds(draft, reservation, now)
        booked = reservation["created_at"].replace("T", " at ")
        none = (
            f"booked {booked}, {wording.cabin(reservation['cabin'])}, not insured, none cancelled"
        )
        return Finding(bool(grounds), "; ".join(grounds) or none)

    return WriteNotes(
        sentence=_sentence,
        effects=_effects,
        checks=(
            checks.RESERVATION_EXISTS,
            checks.not_cancelled(quirks),
            checks.NONE_FLOWN,
            Check(
                "Booked within 24 hours, cancelled by the airline, business, or insured",
                "policy",
                may_be_cancelled,
            ),
        ),
        judged=JUDGED,
        closes=("This reservation can no longer be changed or brought back.",),
    )


def _grounds(draft: Draft, reservation: Record, now: str) -> list[str]:
    """Why the policy lets it be cancelled, each ground in words."""
    age = datetime.fromisoformat(now) - datetime.fromisoformat(reservation["created_at"])
    called_off = [
        f"{flight['flight_number']} on {wording.day(flight['date'])} is cancelled by the airline"
        for flight in reservation["flights"]
        if store.status_of(draft, flight) == "cancelled"
    ]
    return [
        *(["booked within 24 hours"] if age <= CHANGE_OF_MIND else []),
        *called_off,
        *(["it is business"] if reservation["cabin"] == "business" else []),
        *(["it is insured"] if reservation["insurance"] == "yes" else []),
    ]


def _sentence(draft: Draft, arguments: Arguments) -> str:
    reservation, user = checks.reservation_of(draft, arguments), checks.owner_of(draft, arguments)
    days = wording.days(flight["date"] for flight in reservation["flights"])
    people = wording.count(len(reservation["passengers"]), "passenger")
    paid: Counter[str] = Counter()
    for row in reservation["payment_history"]:
        paid[row["payment_id"]] += row["amount"]
    back = [
        f"{wording.money(amount)} back to {wording.by_method(user, method_id)}"
        for method_id, amount in paid.items()
        if amount
    ]
    refund = wording.listing(back) if back else "nothing to refund"
    return (
        f"Cancel reservation {reservation['reservation_id']}, {wording.route(reservation)}, "
        f"{days}, {people}; {refund}."
    )


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return [
        *effects.status(changes),
        *effects.payments(draft, changes, "within 5 to 7 business days"),
        *effects.seats(changes),
    ]
