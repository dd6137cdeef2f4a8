"""Side questions: asked instead of an answer, they do not change what is to be done.

Examples are the cost of the current change, the cheapest of the offered flights and the weekday of
a date. Each is answered, and then the open question is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.known_records import amount_paid
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.replies import answer
from agent.clerk.airline.reservation_changes import tell_change
from agent.clerk.airline.reservation_slots import find_candidates
from agent.clerk.airline.vocabulary import Mention, vocabulary, words_of
from agent.clerk.airline.wording import REFUND_TIME, day, money, say, trip
from agent.clerk.domain_skills import Skill
from agent.clerk.state.steps import Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedRequest
from domains.airline.fares import EXTRA_BAG

_COSTS = {
    "change_passengers": say("costs nothing"),
    **dict.fromkeys(("book_flight", "change_flights", "change_cabin"), say("depends")),
    "cancel_reservation": say("cancelling costs nothing", soon=REFUND_TIME),
    "add_bags": say("bag costs", price=money(EXTRA_BAG)),
}
_SHORT = 9
"""A question about the cheapest offer has fewer words than this, so it asks for nothing else."""

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def side_question_in(sentence: ParsedSentence, dialogue: AirlineState) -> str:
    """The intent of a sentence that is only one of these side questions; else empty."""
    return next((intent for intent, asks in _ASIDES.items() if asks(sentence, dialogue)), "")


def split_asides(text: str, dialogue: AirlineState) -> tuple[list[ParsedRequest], str]:
    """The side questions of a message as requests, and the rest of its text."""
    parts = [text] if side_question_in(dialogue.parse(text), dialogue) else SENTENCE_END.split(text)
    told = [(each, side_question_in(dialogue.parse(each), dialogue)) for each in parts]
    asked = [ParsedRequest(e, part, 1.0, ()) for part, e in told if e]
    return asked, " ".join(part for part, intent in told if not intent)


def _cost(task: Task, dialogue: AirlineState, policy: str) -> Statement:
    """The cost of the current change, or what is known of it before the details."""
    tasks = [each for each in (dialogue.current_task, *dialogue.open_tasks) if each is not None]
    about = next((each for each in tasks if each.intent in _COSTS), task)
    change = tell_change(about, dialogue) if about.intent == "change_flights" else ""
    ask = dialogue.question
    if about.intent == "change_flights" and ask is not None and ask.slot.endswith("_flight"):
        change = change or say("cost of each")
    text = change or _COSTS.get(str(about.intent), say("depends"))
    found = find_candidates(about, dialogue) if about.intent == "cancel_reservation" else []
    if len(found) == 1:
        text = f"{text} For {trip(found[0])} that is {money(amount_paid(found[0]))}."
    return answer(text)


def _asks_of_offer(sentence: ParsedSentence, dialogue: AirlineState) -> bool:
    """Whether a sentence only asks which of the offered flights is the cheapest."""
    if dialogue.question is None or not dialogue.question.slot.endswith("_flight"):
        return False
    last = sentence.after_correction
    bare = len(last.words) < _SHORT and replace(read_flight_slots(last), rank="", nth=1).is_empty
    return bare and last.is_question and last.has_phrase_of("cheaper") and not last.days


def _cheapest(task: Task, dialogue: AirlineState, policy: str) -> Statement:
    """The cheapest of the offered flights."""
    offered = dialogue.question.choices if dialogue.question is not None else ()
    priced = (each for each in offered if each.price)
    found = min(priced, key=lambda each: each.price, default=None)
    return answer(say("cheapest", flight=found.words) if found else say("depends"))


def _asks_of_weekday(sentence: ParsedSentence, dialogue: AirlineState) -> bool:
    """Whether a sentence only asks for the weekday of a date."""
    dates, named = _dates(sentence), _weekdays_in(sentence)
    inside = {place for each in dates for place in range(each.start, each.end)}
    rest = {word for place, word in enumerate(sentence.words) if place not in inside}
    asks = rest & ({"is", "isn't", "was"} if named else {"day", "weekday"})
    bare = rest <= words_of("around weekdays") | {*named}
    return len(dates) == 1 and bool(asks) and bare and sentence.is_question


def _weekdays_in(sentence: ParsedSentence) -> dict[str, tuple[int, ...]]:
    """The weekdays that a sentence names, each as numbers from Monday, 0."""
    known = {"weekend": (5, 6), **{e: (n,) for e, n in vocabulary()["weekdays"].items()}}
    return {word: known[word] for word in sentence.words if word in known}


def _dates(sentence: ParsedSentence) -> list[Mention]:
    """The days that a sentence gives by date, not by weekday."""
    return [e for e in sentence.days if sentence.words[e.start] not in _weekdays_in(sentence)]


def _weekday(task: Task, dialogue: AirlineState, policy: str) -> Statement:
    """The weekday of a date, with a yes or no if the question suggests one."""
    said = dialogue.parse(task.text)
    when = _dates(said)[0].value
    found = date.fromisoformat(when)
    right = [found.weekday() in each for each in _weekdays_in(said).values()]
    lead = "" if not right else "Yes, " if all(right) else "No, "
    return answer(f"{lead}{day(when)} is a {found:%A}.")


_ASIDES: Mapping[str, Callable[[ParsedSentence, AirlineState], bool]] = {
    "cheapest_offered": _asks_of_offer,
    "weekday": _asks_of_weekday,
}
ASIDES: Mapping[str, Skill] = {
    "cost_of_change": _cost,
    "cheapest_offered": _cheapest,
    "weekday": _weekday,
}
"""Skills for side questions, by intent; these intents have no examples."""
