"""Answers to questions, each as the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline.bags import bags_told, insurance_wish
from agent.clerk.airline.flight_wish import Leg, side_of, wish
from agent.clerk.airline.line import Line
from agent.clerk.airline.paying import read_answer
from agent.clerk.airline.people import (
    customer,
    head_count,
    is_named,
    means_another,
    means_self,
    names_in,
    people_in,
)  # fmt: skip
from agent.clerk.airline.reasons import reason
from agent.clerk.airline.refining import is_question
from agent.clerk.airline.talk import Talk
from agent.clerk.airline.talk_of_money import payments
from agent.clerk.airline.wording import say
from agent.clerk.airline.words import number, words_of
from agent.clerk.deciding.offers import OFFER
from agent.clerk.state.task import Task


def is_yes(line: Line) -> bool:
    """Whether an answer agrees; "please" and "do" agree only where little else is said."""
    first, *rest = line.words or ("",)
    if first in words_of("mannerly") and not set(rest[:1]) <= words_of("agrees"):
        return False
    return first in words_of("yes") and not words_of("no") & {first, *rest[:1]}


def is_no(line: Line) -> bool:
    """Whether an answer denies."""
    return bool(words_of("no") & set(line.words[:3])) and not line.has("no problem", "why not")


def answer_to(slot: str, about: Task, line: Line, talk: Talk) -> str:
    """The sentence that an answer stands for; nothing where it answers nothing."""
    if slot in _READ:
        return _READ[slot](about, line, talk)
    if slot in _NAMES and _NAMES[slot](line, talk):
        return f"{_lead(slot, line)} {line.text}".strip()
    agreed, denied = _AGREED.get(slot, ("", ""))
    return _beside(line, agreed if is_yes(line) else denied if is_no(line) else "")


def _lead(slot: str, line: Line) -> str:
    """What an answer leaves out because the question had it: which way, or which end."""
    if slot in {"origin", "destination"}:
        bare = len(line.places) == 1 and not line.places[0].role
        return {"origin": "from", "destination": "to"}[slot] if bare else ""
    side = {"out": "outbound", "back": "back"}.get(slot.partition("_")[0], "")
    return side if not side_of(line) else ""


def _names_trip(line: Line, talk: Talk) -> object:
    named = line.ids or line.places or line.days or line.flight_numbers or line.cabins
    return named or line.has("latest", "most recent", "both", "all of them")


def _beside(line: Line, sentence: str) -> str:
    """What an answer stands for, after its words where these tell of more than was asked."""
    return f"{line.text} . {sentence}" if sentence and _names_extras(line) else sentence


def _names_extras(line: Line) -> bool:
    """Whether bags, insurance or a payment are spoken of, which a yes or a no may belong to."""
    return bool(bags_told(line) or insurance_wish([line]) is not None or payments(line))


def _names_leg(line: Line, talk: Talk) -> object:
    return wish(line) != Leg() or line.days


def _asks_of_price(line: Line) -> bool:
    return line.tells("priced") and is_question(line)


def _names_person(line: Line, talk: Talk) -> object:
    return people_in(line, talk) or names_in(line, talk) or line.births or line.has("name")


_NAMES: dict[str, Callable[[Line, Talk], object]] = {
    "reservation": _names_trip,
    "covered": lambda line, talk: reason([line]),
    **dict.fromkeys(("out_date", "back_date"), _names_leg),
    "legs": lambda line, talk: _names_leg(line, talk) or side_of(line),
    **dict.fromkeys(("route", "origin", "destination"), lambda line, talk: line.places),
    "cabin": lambda line, talk: line.cabins and not _asks_of_price(line),
    "insurance": lambda line, talk: insurance_wish([line]) is not None,
    "renames": _names_person,
    "dob": _names_person,
    "revise": lambda line, talk: talk.names(line.text),
}
"""What an answer has to name, by the slot of the question."""

_AGREED = {
    "covered": ("for reasons of health", "change of plans"),
    "insurance": ("with insurance", "no insurance"),
}
"""What a yes and a no stand for."""


def _reason(about: Task, line: Line, talk: Talk) -> str:
    if reason([line]):
        return line.text
    asks = "?" in line.words or is_yes(line) or (is_no(line) and len(line.words) < 4)
    wishes = talk.last.wishes if talk.last is not None else []
    if asks or any(not each.unsure for each in wishes) or len(line.words) < 2 or line.has("bye"):
        return ""
    about.chosen["reason"] = "other"
    return line.text


def _type(about: Task, line: Line, talk: Talk) -> str:
    if line.tells("kinds of trip") or line.days:
        return line.text
    told = people_in(line, talk) or bags_told(line) or insurance_wish([line]) is not None
    return f"{line.text} . one way" if told else ""


def _people(about: Task, line: Line, talk: Talk) -> str:
    found = people_in(line, talk)
    if found or head_count(line, found):
        return line.text
    if line.has("profile", "file", "saved"):
        return f"{line.text} . all saved"
    if line.tells("alone with") or ((is_yes(line) or is_no(line)) and not _names_extras(line)):
        return "just me"
    return line.text if len(line.words) == 1 and line.raw[0][:1].isupper() else ""


def _bags(about: Task, line: Line, talk: Talk) -> str:
    if bags_told(line) is not None:
        return line.text
    counts = [many for each in line.words if (many := number(each)) is not None]
    if counts and len(line.words) <= 5 and not line.days:
        more = line.has("more", "another", "extra", "further")
        return _beside(line, f"{counts[0]} {'more' if more else 'checked'} bags")
    return _beside(line, "no bags" if is_no(line) else "")


def _payment(about: Task, line: Line, talk: Talk) -> str:
    said = talk.line(line.text.rpartition("?")[2])
    return read_answer(said, talk.ask, talk.memory.methods) if talk.ask is not None else ""


def _flight(about: Task, line: Line, talk: Talk) -> str:
    """A flight by its time, as it was said last, or the one that was told to be the cheapest."""
    last, ask = line.corrected, talk.ask
    if ask is None or _names_leg(last, talk):
        return f"{_lead(ask.slot, last)} {last.text}".strip() if ask is not None else ""
    told = (e for e in ask.choices if say("cheapest", flight=e.words) in "".join(talk.spoken[-1:]))
    found = next(told, None) if is_yes(line) or line.tells("takes it") else None
    return talk.pick(about, ask, found) if found is not None else ""


def _way(about: Task, line: Line, talk: Talk) -> str:
    side = side_of(line)
    about.chosen["way"] = side or about.chosen.get("way", "")
    return line.text if side else ""


def _passenger(about: Task, line: Line, talk: Talk) -> str:
    me = customer(talk).first.lower()
    offered = talk.ask.choices if talk.ask is not None else ()
    own = (each.value for each in offered if not each.value.startswith(OFFER))
    of = {value: value.split()[0].lower() for value in own}
    named = [value for value, first in of.items() if is_named(first, line)]
    if not named and means_another(line):
        named = [value for value, first in of.items() if first != me]
    elif not named and means_self(line):
        named = [value for value, first in of.items() if first == me]
    if len(named) == 1:
        about.chosen["passenger"] = named[0]
        return line.text
    return line.text if _names_person(line, talk) or line.days else ""


def _whole(about: Task, line: Line, talk: Talk) -> str:
    agrees = is_yes(line) or line.has("whole", "everybody", "all", "everyone")
    if not agrees or line.has("leave", "never mind", "don't"):
        return ""
    about.chosen["whole"] = "yes"
    return line.text


def _go(about: Task, line: Line, talk: Talk) -> str:
    if not (is_yes(line) or line.has("do it", "go ahead", "do that")):
        return ""
    about.what_if = False
    return line.text


def _transfer(about: Task, line: Line, talk: Talk) -> str:
    if is_yes(line) or line.has("human", "agent", "transfer"):
        about.chosen["transfer"] = "human"
    elif is_no(line) or line.has("leave it", "never mind", "forget it"):
        about.chosen["transfer"] = "leave"
    return line.text if "transfer" in about.chosen else ""


_READ: dict[str, Callable[[Task, Line, Talk], str]] = {
    "reason": _reason,
    "type": _type,
    "people": _people,
    "bags": _bags,
    **dict.fromkeys(("payment", "payment_rest", "payment_which"), _payment),
    "way": _way,
    "passenger": _passenger,
    "out_flight": _flight,
    "back_flight": _flight,
    "whole": _whole,
    "go": _go,
    "transfer": _transfer,
}
"""Answers that are read, or keep what was chosen, in a way of their own."""
