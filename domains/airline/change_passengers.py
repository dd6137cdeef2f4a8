"""Changing who flies on a reservation: the tool, and what its card says."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Annotated, Any

from domains.airline import checks, effects, evidence, objects, store, wording
from domains.airline.look_ups import ReservationId
from domains.airline.objects import PassengerDetails
from domains.airline.quirks import Quirks
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import (
    Arguments,
    Check,
    Effect,
    Finding,
    Tool,
    ToolError,
    WriteDeclaration,
    writes,
)


def tool(quirks: Quirks) -> Tool:
    """The tool ``update_reservation_passengers``."""

    @writes(_notes(quirks))
    def update_reservation_passengers(
        draft: Draft,
        reservation_id: ReservationId,
        passengers: Annotated[
            list[PassengerDetails], "Everybody who flies, as first_name, last_name and dob."
        ],
    ) -> Record:
        """Change who flies on a reservation; their number must stay as it is.

        The customer must have confirmed the passengers beforehand.
        """
        listed = _read(quirks, passengers)
        reservation = store.get_reservation(draft, reservation_id)
        quirks.check_standing(reservation)
        if len(listed) != len(reservation["passengers"]):
            raise ToolError("Number of passengers does not match")
        reservation = draft.edit("reservations", reservation_id)
        reservation["passengers"] = listed
        return reservation

    return update_reservation_passengers


def _read(quirks: Quirks, passengers: Sequence[Any]) -> Any:
    """The passengers as records.

    Under the quirk ``unread_passengers``, a list that does not hold only objects is copied as it
    is, so the result may be anything that has a length.
    """
    quirks.check_passengers(passengers)
    listed = objects.passengers(passengers)
    if listed is passengers:
        return copy.deepcopy(passengers)
    return [each.model_dump() for each in listed]


def _notes(quirks: Quirks) -> WriteDeclaration:
    def readable(draft: Draft, arguments: Arguments) -> Finding:
        return Finding(True, _passenger_names(_read(quirks, arguments["passengers"])))

    def as_many(draft: Draft, arguments: Arguments) -> Finding:
        now = len(checks.reservation_of(draft, arguments)["passengers"])
        new = len(arguments["passengers"])
        return Finding(now == new, f"{now} now, {new} after the change")

    def sentence(draft: Draft, arguments: Arguments) -> str:
        reservation = checks.reservation_of(draft, arguments)
        listed = _passenger_names(_read(quirks, arguments["passengers"]))
        called = wording.value(reservation["reservation_id"])
        return (
            f"Have {listed} fly on reservation {called}, "
            f"{wording.route(reservation)}, "
            f"in place of {_passenger_names(reservation['passengers'])}."
        )

    return WriteDeclaration(
        sentence=sentence,
        effects=_effects,
        checks=(
            checks.RESERVATION_EXISTS,
            checks.not_cancelled(quirks),
            Check("Each passenger is an object that can be read", "tool", readable),
            Check("There are as many passengers as before", "tool", as_many),
            Check("Each passenger has a first name, a last name and a dob", "policy", _complete),
            Check("At least one passenger changes", "policy", _differs),
        ),
        guards=evidence.OF_RESERVATION,
    )


def _passenger_names(passengers: Sequence[Any]) -> str:
    return wording.listing([wording.passenger(each) for each in passengers])


def _complete(draft: Draft, arguments: Arguments) -> Finding:
    from domains.airline.schema import Passenger

    for each in arguments["passengers"]:
        Passenger.model_validate(each)
    return Finding(True, "every passenger has")


def _differs(draft: Draft, arguments: Arguments) -> Finding:
    now = checks.reservation_of(draft, arguments)["passengers"]
    same = now == arguments["passengers"]
    return Finding(not same, "the same as now" if same else _passenger_names(now) + " now")


def _effects(draft: Draft, arguments: Arguments, changes: effects.Changes) -> list[Effect]:
    return list(effects.passengers(changes))
