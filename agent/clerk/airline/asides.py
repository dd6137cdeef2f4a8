"""Questions that are asked instead of an answer, and say nothing of what is to be done.

What the change at hand costs, which of the flights on offer is the cheapest, what day of the week a
date is: each is answered, and what was asked before is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from agent.clerk.airline.asking import answer
from agent.clerk.airline.flight_wish import wish
from agent.clerk.airline.line import Line
from agent.clerk.airline.memory import amount_paid
from agent.clerk.airline.refining import is_question
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.trips import find_meant
from agent.clerk.airline.wording import REFUND_TIME, day, money, say, trip
from agent.clerk.airline.words import Mention, vocabulary, words_of
from agent.clerk.state.steps import Tell
from agent.clerk.state.task import Task
from agent.clerk.trade import Skill
from agent.clerk.understanding.wishes import Wish

_COSTS = {
    "change_passengers": say("costs nothing"),
    **dict.fromkeys(("book_flight", "change_flights", "change_cabin"), say("depends")),
    "cancel_reservation": say("cancelling costs nothing", soon=REFUND_TIME),
}
_WEEKEND = (5, 6)
_SHORT = 9
"""Words of a question that asks for nothing beside."""

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def aside_in(said: Line, talk: Talk) -> str:
    """The intent of words that ask nothing but one of these questions; or nothing."""
    return next((intent for intent, (asks, _) in _ASIDES.items() if asks(said, talk)), "")


def split_asides(text: str, talk: Talk) -> tuple[list[Wish], str]:
    """Such questions of a message as wishes, and what is left of it."""
    parts = [text] if aside_in(talk.line(text), talk) else SENTENCE_END.split(text)
    told = [(each, aside_in(talk.line(each), talk)) for each in parts]
    asked = [Wish(e, part, 1.0, (), has_cue=True, has_verb=True) for part, e in told if e]
    return asked, " ".join(part for part, intent in told if not intent)


def _asks_of_cost(said: Line, talk: Talk) -> bool:
    """Whether words ask nothing but what the change that is spoken of costs.

    Not beside a question that comes with the amount, or asks for it.
    """
    ask, about = talk.ask, talk.about
    if ask is None or about is None or about.closed or about.what_if:
        return False
    bare = set(said.words) <= words_of("cost") | words_of("around cost")
    asks = bare and said.tells("cost") and bool(words_of("asks of cost") & set(said.words[:3]))
    return asks and about.intent in _COSTS and not ask.slot.startswith(("payment", "go"))


def _cost(task: Task, talk: Talk, policy: str) -> Tell:
    """What is known of the cost before the details are: nothing, or that it depends on them."""
    tasks = [each for each in (talk.about, *talk.open) if each is not None]
    about = next((each for each in tasks if each.intent in _COSTS), task)
    text = _COSTS.get(str(about.intent), say("depends"))
    found = find_meant(about, talk) if about.intent == "cancel_reservation" else []
    if len(found) == 1:
        text = f"{text} For {trip(found[0])} that is {money(amount_paid(found[0]))}."
    return answer(text)


def _asks_of_offer(said: Line, talk: Talk) -> bool:
    """Whether it is asked which flight on offer is the cheapest, by what was said last."""
    if talk.ask is None or not talk.ask.slot.endswith("_flight"):
        return False
    last = said.corrected
    bare = len(last.words) < _SHORT and replace(wish(last), rank="", nth=1).empty
    return bare and is_question(last) and last.tells("cheaper") and not last.days


def _cheapest(task: Task, talk: Talk, policy: str) -> Tell:
    """The cheapest of the flights on offer."""
    own = [each for each in talk.ask.choices if each.price] if talk.ask is not None else []
    found = min(own, key=lambda each: each.price, default=None)
    return answer(say("cheapest", flight=found.words) if found else say("depends"))


def _asks_of_weekday(said: Line, talk: Talk) -> bool:
    """Whether it is only asked what day of the week a date is."""
    dates = _dates(said)
    inside = {place for each in dates for place in range(each.start, each.end)}
    rest = {word for place, word in enumerate(said.words) if place not in inside}
    named = rest & _weekdays() or (rest & {"what", "which"} and rest & {"day", "weekday"})
    bare = rest <= words_of("around weekdays") | _weekdays()
    return len(dates) == 1 and bool(named) and bare and is_question(said)


def _weekdays() -> set[str]:
    return {*vocabulary()["weekdays"], "weekend"}


def _dates(said: Line) -> list[Mention]:
    """The days that are named by their dates."""
    return [each for each in said.days if said.words[each.start] not in _weekdays()]


def _weekday(task: Task, talk: Talk, policy: str) -> Tell:
    """What day of the week a date is, and whether it is the one that was asked about."""
    said = talk.line(task.text)
    when = _dates(said)[0].value
    found = date.fromisoformat(when).weekday()
    known = vocabulary()["weekdays"]
    named = [known.get(word, _WEEKEND) for word in said.words if word in _weekdays()]
    right = [found == each or (each == _WEEKEND and found in _WEEKEND) for each in named]
    lead = "" if not right else "Yes, " if all(right) else "No, "
    return answer(f"{lead}{day(when)} is a {date.fromisoformat(when):%A}.")


_ASIDES: Mapping[str, tuple[Callable[[Line, Talk], bool], Skill]] = {
    "cost_of_change": (_asks_of_cost, _cost),
    "cheapest_offered": (_asks_of_offer, _cheapest),
    "weekday": (_asks_of_weekday, _weekday),
}
ASIDES: Mapping[str, Skill] = {intent: skill for intent, (_, skill) in _ASIDES.items()}
"""The skills by intent, none of which an example has."""
