"""What seats and changes cost now, which flights there are, and what changes came to."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.acting import Step
from agent.clerk.airline.answers import asked_flights, balance, policy_question
from agent.clerk.airline.asking import answer, ask
from agent.clerk.airline.booking import refuse_unknown, way_of
from agent.clerk.airline.cancelling import after_upgrade, whether
from agent.clerk.airline.changing import quote
from agent.clerk.airline.journeys import duration, find_offers, lands, leaves
from agent.clerk.airline.memory import CABINS, Journey, amount_paid
from agent.clerk.airline.passengers import party
from agent.clerk.airline.rerouting import cabin_told, difference, price_now
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant, find_one
from agent.clerk.airline.wanted_trip import trip_of
from agent.clerk.airline.wording import (
    booked_flight,
    cabin,
    cost_of,
    count,
    fare,
    journey,
    money,
    offer,
    trip,
    way,
)  # fmt: skip
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Tell
from agent.clerk.state.task import Task
from agent.clerk.wording import join_parts, list_lines
from domains.airline.fares import EXTRA_BAG


def what_if(task: Task, talk: Talk, policy: str) -> Step:
    """What would come of a change that nobody has asked for yet."""
    if task.intent == "cancel_reservation":
        record = find_one(task, talk)
        upgraded = any(c.value == "business" for line in talk.lines(task) for c in line.cabins)
        upgraded = upgraded or any(line.has("upgrade", "upgraded") for line in talk.lines(task))
        return after_upgrade(talk, record, "business") if upgraded else whether(talk, record)
    if task.intent == "change_cabin":
        return _cabin_price(task, talk)
    if task.intent == "change_flights":
        return quote(task, talk, find_one(task, talk))
    if task.intent == "book_flight":
        return search(task, talk)
    if task.intent == "add_bags":
        return answer(f"Each checked bag beyond the free ones costs {money(EXTRA_BAG)}.")
    return policy_question(task, talk, policy)


def _cabin_price(task: Task, talk: Talk) -> Tell:
    """What a seat, or the change, costs now in the cabin asked about, or in all."""
    record = find_one(task, talk)
    told = cabin_told(task, talk, record)
    names = [told] if told else list(CABINS)
    offered = [(each, price_now(talk.memory, each)) for each in asked_flights(task, talk, record)]
    gone = [booked_flight(each) for each, found in offered if found is None]
    if gone:
        text = f"There is no price for {join_parts(gone)}: it can no longer be booked."
        return answer(text, record)
    known = [(each, found) for each, found in offered if found is not None]
    people = len(record["passengers"])
    full = [booked_flight(e) for e, found in known if found["available_seats"][names[0]] < people]
    if told and told != record["cabin"] and full:
        text = f"There are too few seats left in {cabin(told)} on {join_parts(full)}."
        return answer(text, record)
    lines = [
        f"{booked_flight(each)}, {way([each])}: "
        + join_parts(f"{money(found['prices'][n])} in {cabin(n)}" for n in names)
        for each, found in known
    ]
    moved = _move(record, told, [found for _, found in known])
    if len(lines) == 1:
        return answer(f"A seat costs now, on {lines[0]}. {moved}".strip(), record)
    return answer(f"A seat costs now:\n\n{list_lines(lines)}\n\n{moved}".strip(), record)


def _move(record: Json, name: str, offered: list[Json]) -> str:
    """What the change to another cabin would come to, where the whole trip was asked about."""
    if not name or name == record["cabin"] or len(offered) != len(record["flights"]):
        return ""
    due = difference(record, [{"price": each["prices"][name]} for each in offered])
    people = count(len(record["passengers"]), "passenger")
    return f"To change reservation {record['reservation_id']} would {cost_of(due)} for {people}."


def search(task: Task, talk: Talk, policy: str = "") -> Tell:
    """Which flights there are."""
    wanted = trip_of(task, talk)
    named = wanted.origin or wanted.destination or wanted.unknown
    if not named and talk.focus in talk.memory.reservations:
        record = talk.memory.reservations[str(talk.focus)]
        wanted.origin, wanted.destination = (record["origin"],), (record["destination"],)
        date = wanted.out.date or record["flights"][0]["date"]
        wanted.out = replace(wanted.out, date=date)
    refuse_unknown(wanted)
    if not wanted.origin or not wanted.destination:
        slot = "origin" if wanted.destination else "destination" if wanted.origin else "route"
        ask(task, slot, "From where to where should I look for flights?")
    if not wanted.out.date:
        ask(task, "out_date", "For which day should I look for flights?")
    size = party(task, talk, None).size
    cabin_ = wanted.cabin
    wanted.cabin = cabin_ or "economy"
    asked = way_of(wanted, wanted.out, size)
    found = find_offers(talk.memory, asked, wanted.out)
    if not found.fitting:
        return answer(f"I find no flight {asked} that can be booked as you wish it.")
    line = talk.line(task.text)
    extra = {"duration": line.has("how long"), "seats": line.has("how full", "seats", "how many")}
    lines = [_line(cabin_, each, asked.seats, extra) for each in found.fitting]
    stops = "direct" if found.stops == 0 else "with one stop"
    return answer(f"There are these flights {asked}, {stops}:\n\n{list_lines(lines)}")


def _line(named: str, each: Journey, seats: int, extra: dict[str, bool]) -> str:
    """A journey that was searched for, with its price in the cabin named or in all of them."""
    prices = ", ".join(f"{cabin(n)} {money(fare(each, n))}" for n in CABINS)
    line = offer(each, named, seats) if named else f"{journey(each)}: {prices}"
    line = f"{line}; {duration(lands(each) - leaves(each))}" if extra["duration"] else line
    names = [named] if named else CABINS
    left = {n: min(flight["available_seats"][n] for flight in each) for n in names}
    free = join_parts(f"{count(number, 'seat')} left in {cabin(n)}" for n, number in left.items())
    return f"{line}; {free}" if extra["seats"] else line


def outcome(task: Task, talk: Talk, policy: str = "") -> Tell:
    """What the changes of this conversation come to, or what is spoken of would."""
    moves = [each.amount for each in talk.memory.moves if each.amount]
    given = sum(talk.memory.given.values())
    if not moves and not given:
        return _would_be(task, talk)
    if talk.line(task.text).has("left", "be on it", "remain", "remains"):
        return balance(Task("balance", ""), talk)
    charged = sum(each for each in moves if each > 0)
    back = -sum(each for each in moves if each < 0)
    parts = [f"you get back {money(back)} in all"] if back else []
    parts += [f"you were charged {money(charged)} in all"] if charged else []
    if back and charged:
        whose = "to pay" if charged > back else "in your favour"
        parts.append(f"the difference is {money(abs(charged - back))} {whose}")
    parts += [f"the certificate is worth {money(given)}"] if given else []
    text = "; ".join(parts)
    return answer(f"{text[:1].upper()}{text[1:]}.")


def _would_be(task: Task, talk: Talk) -> Tell:
    line = talk.line(task.text)
    if line.cabins:
        return _cabin_price(task, talk)
    if line.has("left", "remain"):
        return balance(Task("balance", ""), talk)
    found = find_meant(task, talk) if line.has("back", "refund", "refunded") else []
    asks = len(found) == 1 and (line.places or line.days or line.ids or talk.focus)
    if not asks or line.has("already"):
        return answer("Nothing has been charged or refunded in this conversation.")
    text = f"For reservation {trip(found[0])} you paid {money(amount_paid(found[0]))}."
    return answer(text, found[0])
