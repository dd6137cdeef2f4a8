"""Skills for prices, flight searches, hypothetical changes and the sum of all changes."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline import bags
from agent.clerk.airline.answers import asked_flights, balance, policy_question, spending
from agent.clerk.airline.booking import TripSlots, query_for, refuse_unknown, trip_of
from agent.clerk.airline.cancellation import after_upgrade, answer_cancellable
from agent.clerk.airline.compensation import answer_compensation
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_search import (
    FlightQuery,
    as_argument,
    find_near_days,
    find_offers,
    flight_sought,
)
from agent.clerk.airline.flight_slots import Leg
from agent.clerk.airline.known_records import CABINS, Journey, ways
from agent.clerk.airline.new_flights import cabin_told, difference, look_up_times, price_now
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.part_meant import part_meant
from agent.clerk.airline.passengers import party
from agent.clerk.airline.replies import Step, answer, ask
from agent.clerk.airline.reservation_changes import flights_now, quote
from agent.clerk.airline.reservation_slots import (
    find_reservation,
    is_active,
    is_on_route,
    named_reservation,
    upcoming,
)
from agent.clerk.airline.vocabulary import FROM, TO
from agent.clerk.airline.wanted_legs import WantedLegs, lines_about, read_wanted
from agent.clerk.airline.wording import (
    REFUND_TIME,
    booked_flight,
    cabin,
    cost_of,
    count,
    fare,
    journey,
    money,
    say,
    shift_day,
    way,
    weekday,
)
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Statement
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, list_lines
from domains.airline.fares import EXTRA_BAG

_PRICED = frozenset({"cancel_reservation", "change_cabin", "change_flights"})
_OF_AMOUNTS = frozenset({None, "price_told", "outcome"})


def what_if(task: Task, dialogue: AirlineState, policy: str) -> Step:
    """The effect of a hypothetical change."""
    if task.intent == "change_cabin":
        return cabin_price(task, dialogue)
    if task.intent == "change_flights":
        return quote(task, dialogue, find_reservation(task, dialogue))
    if task.intent == "book_flight":
        return search(task, dialogue)
    if task.intent == "add_bags":
        return answer(f"Each checked bag beyond the free ones costs {money(EXTRA_BAG)}.")
    if task.intent == "insurance":
        return bags.insurance(task, dialogue)
    if task.intent == "compensation" and (told := answer_compensation(task, dialogue)):
        return told
    if task.intent != "cancel_reservation":
        return policy_question(task, dialogue, policy)
    record, lines = find_reservation(task, dialogue), dialogue.sentences_of(task)
    named = any(each.value == "business" for line in lines for each in line.cabins)
    if named or any(line.has_phrase("upgrade", "upgraded") for line in lines):
        return after_upgrade(task, dialogue, record)
    return answer_cancellable(dialogue, record)


def cabin_price(task: Task, dialogue: AirlineState) -> Statement:
    """The current price of a seat in the cabin asked about, or in all, and of the change."""
    record = find_reservation(task, dialogue)
    told, part = cabin_told(task, dialogue, record), part_meant(task, dialogue, record)
    names, moved = [told] if told else list(CABINS), ""
    whole = [price_now(dialogue.records, each) for each in record["flights"]]
    if told not in {"", record["cabin"]} and _open_in(whole, told, record):
        due = difference(record, [{"price": each["prices"][told]} for each in whole if each])
        both = ", both ways together" if record["flight_type"] == "round_trip" else ""
        who = count(len(record["passengers"]), "passenger")
        moved = (
            f"Changing reservation {record['reservation_id']} would {cost_of(due)} for {who}{both}."
        )
    if part:
        return answer(say("cabin of all", what=part, cost=f" {moved}".rstrip()), record)
    asked = asked_flights(task, dialogue, record)
    lines = [
        f"{booked_flight(flight)}, {way([flight])}: {_price(offered, names, record)}"
        for flight, offered in zip(record["flights"], whole, strict=True)
        if flight in asked
    ]
    return answer(f"The current price of a seat:\n\n{list_lines(lines)}\n\n{moved}".strip(), record)


def _price(offered: Json | None, names: list[str], record: Json) -> str:
    """The prices of a seat on a booked flight, or why it cannot be had."""
    if offered is None:
        return "there is no price, as it can no longer be booked"
    if len(names) == 1 and not _open_in([offered], names[0], record):
        return f"there are too few seats left in {cabin(names[0])}"
    return join_parts(f"{money(offered['prices'][each])} in {cabin(each)}" for each in names)


def _open_in(offered: list[Json | None], name: str, record: Json) -> bool:
    """Whether flights can be had in a cabin for all passengers, or are booked in it."""
    people, same = len(record["passengers"]), name == record["cabin"]
    return all(each and (same or each["available_seats"][name] >= people) for each in offered)


def told_last(task: Task, dialogue: AirlineState, policy: str = "") -> Step:
    """What the amount is for that was told last: "is that for both of us?"; else what was paid."""
    before = [e for e in dialogue.tasks[: dialogue.tasks.index(task)] if e.message != task.message]
    last = next((e for e in reversed(before) if e.intent not in _OF_AMOUNTS), task)
    if last.intent in {"allowance", "add_bags"} and not last.written:
        return answer(say("bags once", price=money(EXTRA_BAG)))
    if last.intent in _PRICED and not last.written:
        return what_if(last, dialogue, policy)
    return spending(task, dialogue)


def outcome(task: Task, dialogue: AirlineState, policy: str = "") -> Step:
    """The money that this conversation's changes moved; without changes, what one would move."""
    moves = [each.amount for each in dialogue.records.moves if each.amount]
    given = sum(dialogue.records.given.values())
    line = dialogue.parse(task.text)
    if line.has_phrase("left", "be on it", "remain", "remains"):
        return balance(Task("balance", ""), dialogue)
    gone = _cancelled_before(task, dialogue)
    if gone is not None:
        return spending(replace(task, text=f"{task.text} . reservation {gone}"), dialogue)
    if not moves and not given and any(each.intent in _PRICED for each in dialogue.tasks):
        return told_last(task, dialogue, policy)
    charged = sum(each for each in moves if each > 0)
    back = -sum(each for each in moves if each < 0)
    cancels = all(each.name == "cancel_reservation" for each in dialogue.changes)
    soon = f", {REFUND_TIME}" if cancels else ""  # of other refunds the policy does not say when
    parts = [f"you get back {money(back)} in all{soon}"] if back else []
    parts += [f"you were charged {money(charged)} in all"] if charged else []
    parts += [f"the certificate is worth {money(given)}"] if given else []
    text = "; ".join(parts) or "nothing has been charged or refunded in this conversation"
    return answer(f"{text[:1].upper()}{text[1:]}.")


def _cancelled_before(task: Task, dialogue: AirlineState) -> str | None:
    """The id of the cancelled reservation that a question is about, if nothing was changed."""
    changed = {each.arguments.get("reservation_id") for each in dialogue.changes}
    gone = [each for each in dialogue.records.read_reservations() if not is_active(each)]
    gone = [each for each in gone if each["reservation_id"] not in changed]
    told = dialogue.parse(task.message)
    named = named_reservation(told, gone)
    said = told.has_phrase("cancelled", "canceled")
    found = named or (gone[0] if said and len(gone) == 1 else None)
    return str(found["reservation_id"]) if found is not None else None


def search(task: Task, dialogue: AirlineState, policy: str = "") -> Statement:
    """The flights that match a search, or to which a reservation could be changed."""
    wanted = trip_of(task, dialogue)
    record = _reservation_meant(task, dialogue, wanted)
    if record is not None:
        told = read_wanted(lines_about(record, task, dialogue), record)
        sides = ["out", "back"] if ways(record)[1] else ["out"]
        sides = [told.side] if told.side in sides else _sides_named(task, dialogue, record) or sides
        found = (_search_way(task, dialogue, record, side, told) for side in sides)
        return answer("\n\n".join(found), record)
    refuse_unknown(wanted)
    if not wanted.origin or not wanted.destination:
        slot = "origin" if wanted.destination else "destination" if wanted.origin else "route"
        ask(task, slot, "Where should I look for flights from, and where to?")
    if not wanted.out.date:
        ask(task, "out_date", "For which day should I look for flights?")
    named, wanted.cabin = wanted.cabin, wanted.cabin or "economy"
    returns = wanted.kind != "one_way" and bool(wanted.back.date)
    ways_asked = ["back"] if returns and wanted.last_side else ["out", *["back"] * returns]
    people = party(task, dialogue, None).size
    lists: list[str] = []
    for side in ways_asked:
        asked = query_for(wanted, wanted.of(side), people, back=side == "back")
        lists.append(_tell_found(task, dialogue, asked, wanted.of(side), named=named))
    return answer("\n\n".join(lists))


def _sides_named(task: Task, dialogue: AirlineState, record: Json) -> list[str]:
    """The way of a round trip whose two ends a question names: "from Atlanta to New York"."""
    places = [each for line in dialogue.sentences_of(task) for each in line.places]
    here, there = ({c for e in places if e.role == way for c in e.value} for way in (FROM, TO))
    ends = record["origin"], record["destination"]
    named = {"out": ends, "back": ends[::-1]}
    return [way for way, (one, two) in named.items() if one in here and two in there]


def _reservation_meant(task: Task, dialogue: AirlineState, wanted: TripSlots) -> Json | None:
    """The reservation that a search is about; None for a new trip, on a route of its own."""
    own = [e for e in dialogue.parse(task.message).ids if e in dialogue.records.reservation_ids]
    record = dialogue.records.reservations.get(own[0] if own else task.chosen.get("focus", ""))
    if record is None and wanted.origin and wanted.destination:
        return None
    pool = [record] if record else upcoming(dialogue.records.read_reservations(), dialogue)
    lines = [*dialogue.parse_all(task.context), *dialogue.sentences_of(task)]
    found = [e for e in pool if is_active(e) and all(is_on_route(each, e) for each in lines)]
    return found[0] if len(found) == 1 else None


def _search_way(
    task: Task, dialogue: AirlineState, record: Json, side: str, wanted: WantedLegs
) -> str:
    booked = ways(record)[side == "back"]
    leg = wanted.either.updated_by(wanted.of(side))
    dates = leg.days or (shift_day(booked[0]["date"], leg.shift or 0),)
    now = flights_now(task, dialogue, record, side, dates)
    look_up_times(dialogue.records, now[0])
    name = cabin_told(task, dialogue, record) or record["cabin"]
    ends = (booked[0]["origin"],), (booked[-1]["destination"],)
    asked = FlightQuery(*ends, dates, name, len(record["passengers"]), now, record, may_stay=True)
    return _tell_found(task, dialogue, asked, leg, named=name)


def _tell_found(
    task: Task, dialogue: AirlineState, asked: FlightQuery, leg: Leg, *, named: str
) -> str:
    """What a search finds or what comes near, with prices in the named cabin or in all."""
    found = find_offers(dialogue.records, asked, leg)
    now = as_argument(asked.instead_of) if leg.relative else None
    near = [each for each in found.near if as_argument(each) != now]
    if found.fitting:
        stops = "direct" if found.stops == 0 else "with one stop"
        seat = f", in {cabin(named)}" if named else ""
        lead, listed = f"I found these flights {asked}, {stops}{seat}", [*found.fitting]
    elif near:
        lead, listed = f"No flight {asked} is just like that, but there is", near
    else:
        like = f"{leg.relative} flight" if leg.relative else flight_sought(asked, leg)
        none = f"There is no {like} {asked} that can be booked"
        lead = f"No flight {asked} has {asked.room} any more" if found.full else none
        listed = [*find_near_days(dialogue, asked, leg)]
        if not listed:
            return f"{lead}."
        lead = f"{lead}. The nearest days with one are"
    line = dialogue.parse(task.text)
    return f"{lead}:\n\n{list_lines(_tell_offer(each, asked, named, line) for each in listed)}"


def _tell_offer(each: Journey, asked: FlightQuery, named: str, line: ParsedSentence) -> str:
    """A journey on one line, with its price, and with its free seats if asked for."""
    names = [named] if named else list(CABINS)
    prices = ", ".join(f"{cabin(n)} {money(fare(each, n))}" for n in names)
    day = "" if (each[0]["date"],) == asked.dates else f"{weekday(each[0]['date'])}: "
    told = asked.describe(each) if named else f"{day}{journey(each)}: {prices}"
    if line.has_phrase("how full", "seats", "how many"):
        left = {n: min(flight["available_seats"][n] for flight in each) for n in names}
        free = (f"{count(number, 'seat')} left in {cabin(n)}" for n, number in left.items())
        told = f"{told}; {join_parts(free)}"
    return told
