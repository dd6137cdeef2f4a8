"""How the airline's tools must be called: codes, dates and cabins written as in its records.

(Difficulty-routed control, section 3.2, API-level protocol guard.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from domains.airline.airports import CITIES
from domains.core.draft import Draft
from domains.core.protocol_guards import ProtocolGuard, one_call_guard
from domains.core.tool import ToolCall

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CODES = {city.casefold(): code for code, city in CITIES.items()}


def _small_letters(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    given = call.arguments["reservation_id"]
    right = given.strip().lstrip("#").upper()
    if given != right and draft.get("reservations", right) is not None:
        yield f"{given} is not a valid reservation_id: write it as {right}."


def _city_for_code(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    for name in ("origin", "destination"):
        given = call.arguments.get(name, "").strip()
        code = _CODES.get(given.casefold(), given.upper())
        if given and given != code and code in CITIES:
            yield f"{name} takes an airport code: {code} for {given}."


def _date(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    flights = call.arguments.get("flights", [])
    for each in (call.arguments, *flights):
        if "date" in each and not _DATE.fullmatch(each["date"]):
            yield f"Write a date as YYYY-MM-DD, such as 2024-05-20, not {each['date']}."


def _cabin(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    given = call.arguments["cabin"]
    if given not in ("business", "economy", "basic_economy"):
        yield f"cabin must be business, economy or basic_economy, not {given}."


PROTOCOL = (
    ProtocolGuard("A reservation's id is in capitals", _small_letters),
    ProtocolGuard("An airport is given by its code", _city_for_code),
    ProtocolGuard("A date is written as in the records", _date),
    ProtocolGuard("A cabin has one of three names", _cabin),
    one_call_guard("reservation_id", "flights of the reservation", "update_reservation_flights"),
    one_call_guard("reservation_id", "bags of the reservation", "update_reservation_baggages"),
    one_call_guard(
        "reservation_id", "passengers of the reservation", "update_reservation_passengers"
    ),
)
"""Guards that send a wrong call back to the agent and say what to do instead."""
