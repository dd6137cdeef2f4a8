"""Booking: fill the slots of a trip, one question at a time, and build the call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from agent.clerk.airline import payment_slots
from agent.clerk.airline.bags import bags_in_all, wants_insurance
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import (
    FlightQuery,
    arrival_of,
    as_argument,
    choose_journey,
    cities_of,
    find_offers,
)
from agent.clerk.airline.flight_slots import Leg, read_flight_slots, way_mentioned
from agent.clerk.airline.known_records import CABINS, Journey, ways
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.passengers import MOST, party, travellers
from agent.clerk.airline.replies import Step, ask, refuse, tell_done, with_news
from agent.clerk.airline.reservation_changes import refuse_over_limit
from agent.clerk.airline.reservation_slots import find_candidates, upcoming
from agent.clerk.airline.vocabulary import FROM, NOT, TO
from agent.clerk.airline.wanted_legs import WantedLegs
from agent.clerk.airline.wording import cabin, count, fare, journey, money, say, shift_day, weekday
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Settled
from agent.clerk.state.task import Task
from domains.airline.fares import EXTRA_BAG, INSURANCE, free_bags


@dataclass
class TripSlots(WantedLegs):
    """The slots of a trip to book or search; a slot that was not mentioned is empty."""

    origin: tuple[str, ...] = ()
    destination: tuple[str, ...] = ()
    unknown: str = ""
    """A mentioned city that the airline does not fly to."""

    kind: str = ""
    """``one_way`` or ``round_trip``."""

    cabin: str = ""
    one_day: bool = False
    """Whether the way back is on the day of the way out."""

    asks: bool = False
    """Whether the trip is only searched for, so that what questions say of times counts."""

    last_side: str = ""
    """``back`` if the last sentence is about the way back."""

    stopovers: frozenset[str] = frozenset()
    """The airports where flights that were found change planes: only "to" makes one the end."""

    copied_from: Json | None = None
    """The reservation that the trip should resemble."""

    def read(self, line: ParsedSentence) -> None:
        """Update the slots by a sentence."""
        turns, only_asks = self._turns(line), "?" in line.words and not line.has_phrase_of("wishes")
        known = self.origin and self.destination
        if not turns and (self.asks or not (only_asks and known)):
            self._read_places(line)
        if line.has_phrase_of("one way"):
            self.kind = "one_way"
        elif line.has_phrase_of("round trip") or line.has_phrase("return"):
            self.kind = "round_trip"
        costs = line.has_phrase("cost", "fare", "fares", "how much") and line.is_question
        named = [] if costs else [each.value for each in line.cabins if each.role != FROM]
        self.cabin = [self.cabin, *named][-1]
        if self.asks or not only_asks or line.days:
            super().read(line)
        self.last_side = "back" if turns or way_mentioned(line) == "back" else ""
        self.one_day |= line.has_phrase_of("both on a day")
        self.one_day |= line.has_phrase_of("same day") and line.has_phrase_of("way back")

    def _turns(self, line: ParsedSentence) -> bool:
        """Whether a sentence names the ends of a round trip the other way round: the way back."""
        there = TripSlots()
        there._read_places(line)
        known = self.origin and self.destination and not line.has_phrase("way round", "way around")
        returns = self.kind == "round_trip" or self.one_day or not self.back.is_empty
        ends = there.origin, there.destination
        return bool(known and returns and ends == (self.destination, self.origin))

    def _side_first_meant(self, line: ParsedSentence) -> str:
        return "back" if self._turns(line) else "out"

    def _read_places(self, line: ParsedSentence) -> None:
        """Read origin and destination; a place without a role fills the one that is missing."""
        named: dict[str, list[tuple[str, ...]]] = {FROM: [], TO: [], NOT: [], "": []}
        for place in line.places:
            passed = not place.role and self.origin and self.stopovers.intersection(place.value)
            named[NOT if passed else place.role].append(place.value)
            if not place.value and place.role != NOT:
                self.unknown = " ".join(line.raw[place.start : place.end])
        origins, destinations, loose = (list(filter(None, named[e])) for e in (FROM, TO, ""))
        if destinations:
            origins = origins or [each for each in loose if each != destinations[0]]
        elif loose:
            destinations = loose[-1:]
            origins = origins or loose[:-1]
        ends = next(iter(origins), self.origin), next(iter(destinations), self.destination)
        if cities_of(ends[0]) != cities_of(ends[1]):  # "leaving New York" may be the way back
            self.origin, self.destination = ends

    def copy(self, model: Json) -> None:
        """Fill the empty slots from the reservation that the trip should resemble."""
        ends = (model["origin"],), (model["destination"],)
        same = (self.origin or ends[0], self.destination or ends[1]) == ends
        self.origin = self.origin or (model["origin"],)
        self.destination = self.destination or (model["destination"],)
        self.kind = self.kind or model["flight_type"]
        self.cabin = self.cabin or model["cabin"]
        for name, flights in zip(("out", "back"), ways(model), strict=True):
            if flights and self.of(name).date in {"", flights[0]["date"]}:
                leg = replace(self.of(name), days=(flights[0]["date"],), shift=None)
                around = "" if leg.around == "same" else leg.around
                free = same and replace(leg, days=(), around=around).is_empty
                numbers = tuple(each["flight_number"] for each in flights) if free else leg.numbers
                self.put(name, replace(leg, numbers=numbers))


def trip_of(task: Task, dialogue: AirlineState) -> TripSlots:
    """The trip that a task's sentences describe, read oldest first."""
    found_before = (each for many in dialogue.records.searches.values() for each in many)
    changes = frozenset(flight["origin"] for each in found_before for flight in each[1:])
    found = TripSlots(asks=task.intent == "search_flights", stopovers=changes)
    lines = dialogue.sentences_of(task)
    own = any(said.places for said in lines) and any(said.days for said in lines)
    for said in [*([] if own else dialogue.parse_all(task.context)), *lines]:
        found.read(said)
    gone = [dialogue.record_id_of(e) for e in dialogue.changes if e.name == "cancel_reservation"]
    if any(said.has_phrase_of("the like") for said in lines) and dialogue.records.user:
        found.copied_from = _reservation_to_copy(task, dialogue)
    elif gone and ((lines[0].places and not own) or lines[0].has_phrase("instead")):
        found.copied_from = dialogue.records.reservations.get(gone[-1])
    for said in dialogue.parse_all(task.alternatives):
        stops = read_flight_slots(said).stops if found.out.stops else ()
        found.out = replace(found.out, stops=(*found.out.stops, *stops))
    if found.copied_from is not None:
        found.copy(found.copied_from)
    out = found.out.date
    if found.one_day and found.kind != "one_way":
        found.back = replace(found.back, days=found.out.days)
    elif found.back.shift and out:  # "and back the next day"
        found.back = replace(found.back, days=(shift_day(out, found.back.shift),), shift=None)
    back = found.back.date
    found.kind = found.kind or "round_trip" * bool(back)
    if out and back and back < out:  # "back on Friday": the first one after the way out
        late = (date.fromisoformat(out) - date.fromisoformat(back)).days
        found.back = replace(found.back, days=(shift_day(back, late + -late % 7),))
    return found


def _reservation_to_copy(task: Task, dialogue: AirlineState) -> Json | None:
    """The reservation that the trip should resemble: "the same flight as my current one"."""
    known = dialogue.records.reservations.get(task.chosen.get("focus") or str(dialogue.focus))
    found = [known] if known else find_candidates(task, dialogue)
    if len(found) != 1:
        found = upcoming(dialogue.records.read_reservations(), dialogue)
    return found[0] if len(found) == 1 else None


def book(task: Task, dialogue: AirlineState, policy: str = "") -> Step:
    """The booking call, or the next question while a slot is empty."""
    if task.written:
        return tell_done(task, dialogue)
    wanted = trip_of(task, dialogue)
    _ask_missing(wanted, task, dialogue)
    found = party(task, dialogue, wanted.copied_from)
    chosen: list[Journey] = []
    try:
        for slot, leg in (("out", wanted.out), ("back", wanted.back)):
            if slot == "out" or wanted.kind != "one_way":
                way = query_for(wanted, leg, found.size)
                for out in chosen:  # the way back starts where and after the way out ends
                    there, here = (out[-1]["destination"],), (out[0]["origin"],)
                    end = arrival_of(out)
                    way = replace(way, origins=there, destinations=here, earliest=end)
                chosen.append(choose_journey(task, dialogue, way, leg, slot))
        seats = sum(fare(each, wanted.cabin) for each in chosen) * found.size
        refuse_over_limit(task, seats, found.size, "The flights alone would cost")
        people = travellers(task, dialogue, found)
        extras = _extras(wanted, task, dialogue, len(people))
    except Settled as settled:
        news = _news(dialogue, chosen, wanted.cabin, found.size)
        raise Settled(with_news(settled.step, dialogue, news)) from None
    flights = [flight for each in chosen for flight in each]
    arguments = {
        "user_id": dialogue.records.user_id,
        "origin": flights[0]["origin"],
        "destination": chosen[0][-1]["destination"],
        "flight_type": wanted.kind or "round_trip",
        "cabin": wanted.cabin,
        "flights": as_argument(flights),
        "passengers": people,
        **extras,
    }
    total, bill = _bill(wanted, chosen, len(people), extras)
    refuse_over_limit(task, total, len(people), "The booking would cost")
    arguments["payment_methods"] = payment_slots.split(task, dialogue, total, bill)
    return Call("book_reservation", arguments, task)


def refuse_unknown(wanted: TripSlots) -> None:
    """Raise Settled with a refusal if the customer names a city without flights."""
    if wanted.unknown and not (wanted.origin and wanted.destination):
        refuse(f"I'm sorry, we don't fly to {wanted.unknown.title()}.")


def _ask_missing(wanted: TripSlots, task: Task, dialogue: AirlineState) -> None:
    """Raise Settled with a question for the route, the type of trip, a day or the cabin."""
    refuse_unknown(wanted)
    out, here, there = wanted.out, cities_of(wanted.origin), cities_of(wanted.destination)
    if not here and not there:
        ask(task, "route", "Where would you like to fly from, and where to?")
    if not here:
        ask(task, "origin", say("from where to?", there=there))
    if not there:
        ask(task, "destination", say("where from?", here=here))
    if out.date and not (wanted.kind and wanted.cabin):  # told before anything else is asked
        way = replace(query_for(wanted, out, 1), cabin=wanted.cabin or "economy")
        found = find_offers(dialogue.records, way, out)
        if not (found.fitting or found.near or found.full):
            choose_journey(task, dialogue, way, out, "out")
    if not wanted.kind and wanted.back.is_empty:
        kinds = [Choice("one way", "one-way trip"), Choice("round trip", "round trip")]
        ask(task, "type", "Should it be a one-way trip or a round trip?", choices=kinds)
    if not out.date:
        ask(task, "out_date", "On which day would you like to fly?")
    if wanted.kind != "one_way" and not wanted.back.date:
        ask(task, "back_date", "On which day would you like to fly back?")
    if not wanted.cabin:
        back = f" and back on {weekday(wanted.back.date)}" if wanted.kind != "one_way" else ""
        lead = f"{here} to {there} on {weekday(out.date)}{back}."
        text = "Which cabin would you like: **basic economy**, **economy** or **business**?"
        choices = [Choice(each, cabin(each)) for each in CABINS]
        lead = "" if dialogue.asked_beside or dialogue.has_told(lead) else lead
        ask(task, "cabin", text, lead=lead, choices=choices)


def query_for(wanted: TripSlots, leg: Leg, size: int, *, back: bool = False) -> FlightQuery:
    """One way of the trip, as it is searched for."""
    ends = wanted.origin, wanted.destination
    return FlightQuery(*(ends[::-1] if back else ends), leg.days, wanted.cabin, min(size, MOST))


def _news(dialogue: AirlineState, chosen: list[Journey], cabin_: str, size: int) -> str:
    """The flights that were found and not yet reported."""
    new = [each for each in chosen if not all(dialogue.has_told(f["flight_number"]) for f in each)]
    lines = [
        f"{weekday(each[0]['date'])} there is {journey(each)}, "
        f"for {money(fare(each, cabin_))}{' each' if size > 1 else ''}"
        for each in new
    ]
    none = "" if all(len(e) == 1 for e in new) else "There is no direct flight that fits. "
    return f"{none}On {'; back on '.join(lines)}." if new else ""


def _extras(wanted: TripSlots, task: Task, dialogue: AirlineState, people: int) -> Json:
    """The arguments for bags and insurance; raises Settled with a question."""
    lines = dialogue.sentences_of(task)
    bags, insured = bags_in_all(lines, 0, people), wants_insurance(lines)
    free = free_bags(dialogue.records.membership, wanted.cabin, people)
    if bags is None:
        each = f"{count(free, 'bag')} would be free" if free else "none is free"
        further = "extra one" if free else "one"
        ask(task, "bags", say("bags?", each=each, further=further, price=money(EXTRA_BAG)))
    if insured is None:
        each = " for each passenger" if people > 1 else ""
        ask(task, "insurance", say("insurance?", price=f"{money(INSURANCE)}{each}"))
    return {
        "total_baggages": max(0, bags),
        "nonfree_baggages": max(0, bags - free),
        "insurance": "yes" if insured else "no",
    }


def _bill(wanted: TripSlots, chosen: list[Journey], people: int, extras: Json) -> tuple[int, str]:
    """The price of a booking in dollars, and in words with its flights."""
    seat, paid_bags = sum(fare(each, wanted.cabin) for each in chosen), extras["nonfree_baggages"]
    safe = INSURANCE * people * (extras["insurance"] == "yes")
    more = {"insurance": safe, count(paid_bags, "bag"): EXTRA_BAG * paid_bags}
    total = seat * people + sum(more.values())
    times = "; back on ".join(f"{weekday(each[0]['date'])}: {journey(each)}" for each in chosen)
    parts = [money(seat) if people == 1 else f"{people} × {money(seat)}"]
    parts += [f"{money(amount)} for {what}" for what, amount in more.items() if amount]
    sums = f" ({' + '.join(parts)})" if len(parts) > 1 or people > 1 else ""
    kind = ", one way" if wanted.kind == "one_way" else ""
    text = f"{times}, in {cabin(wanted.cabin)}{kind}. That comes to {money(total)}{sums}."
    return total, text
