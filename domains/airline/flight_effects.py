"""Sentences about a reservation's flights before and after a change, with their times."""

from __future__ import annotations

from collections.abc import Iterator

from domains.airline import wording
from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.effects import Changes, changed_records, under
from domains.core.tool import Effect


def flights(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield a sentence for each flight of a reservation in which any flight differs."""
    for change, before, after in changed_records(changes, "reservations"):
        covers = under(change, "flights")
        if covers:
            for words in _compare(draft, before, after):
                yield Effect(words, covers)


def name_of_flight(draft: Draft, flight: Record) -> str:
    """A flight in full: ``HAT136 on 20 May, 19:00–21:30, New York (JFK) → Atlanta (ATL)``."""
    scheduled = draft.get("flights", flight["flight_number"])
    parts = (
        wording.flight_and_day(flight),
        times(scheduled) if scheduled else "",
        wording.route(flight),
    )
    return ", ".join(filter(None, parts))


def times(flight: Record) -> str:
    """Departure and arrival: ``09:00–12:30``; an arrival after midnight keeps its ``+1``."""
    departs, arrives = (flight[f"scheduled_{end}_time_est"] for end in ("departure", "arrival"))
    return f"{wording.value(departs[:5])}–{wording.value(arrives[:5] + arrives[8:])}"


def _compare(draft: Draft, before: Record, after: Record) -> Iterator[str]:
    old = {_key(flight): flight for flight in before["flights"]}
    new = {_key(flight) for flight in after["flights"]}
    each = " each" if len(after["passengers"]) > 1 else ""
    for key, flight in old.items():
        if key not in new:
            price = wording.money(flight["price"])
            yield f"no longer: {name_of_flight(draft, flight)} ({price}{each})"
    for flight in after["flights"]:
        price, was = wording.money(flight["price"]), old.get(_key(flight))
        if was is None:
            yield f"instead: {name_of_flight(draft, flight)} ({price}{each})"
        elif was["price"] != flight["price"]:
            yield f"{name_of_flight(draft, flight)}: {wording.money(was['price'])} → {price}{each}"
        else:
            yield f"as before: {name_of_flight(draft, flight)} ({price}{each})"
    if not after["flights"]:
        yield "no flights are left"


def _key(flight: Record) -> tuple[str, str]:
    return flight["flight_number"], flight["date"]
