"""Slot filling: turn each answer to a question into the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Callable

from agent.clerk.airline.bags import bags_mentioned, wants_insurance
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import Leg, read_flight_slots, way_mentioned
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.payment_slots import read_answer
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
from agent.clerk.airline.request_refinement import is_question
from agent.clerk.airline.vocabulary import number, words_of
from agent.clerk.airline.wording import say
from agent.clerk.deciding.offers import OFFER
from agent.clerk.state.task import Task


def is_yes(line: ParsedSentence) -> bool:
    """Whether an answer agrees; "please", "do" and "go" count only in phrases like "go ahead"."""
    first, *rest = line.words or ("",)
    if first in words_of("mannerly") and not set(rest[:1]) <= words_of("agrees"):
        return False
    return first in words_of("yes") and not words_of("no") & {first, *rest[:1]}


def is_no(line: ParsedSentence) -> bool:
    """Whether an answer denies."""
    return bool(words_of("no") & set(line.words[:3])) and not line.has_phrase(
        "no problem", "why not"
    )


def sentence_for_answer(
    slot: str, about: Task, line: ParsedSentence, dialogue: AirlineState
) -> str:
    """The sentence that an answer for a slot stands for; empty if it answers nothing."""
    if slot in _READ:
        return _READ[slot](about, line, dialogue)
    if slot in _NAMES and _NAMES[slot](line, dialogue):
        return f"{_implied_words(slot, line)} {line.text}".strip()
    agreed, denied = _AGREED.get(slot, ("", ""))
    return _with_extras(line, agreed if is_yes(line) else denied if is_no(line) else "")


def _implied_words(slot: str, line: ParsedSentence) -> str:
    """The part that an answer leaves out because the question had it: which way, "from" or "to"."""
    if slot in {"origin", "destination"}:
        bare = len(line.places) == 1 and not line.places[0].role
        return {"origin": "from", "destination": "to"}[slot] if bare else ""
    side = {"out": "outbound", "back": "back"}.get(slot.partition("_")[0], "")
    return side if not way_mentioned(line) else ""


def _names_trip(line: ParsedSentence, dialogue: AirlineState) -> object:
    named = line.ids or line.places or line.days or line.flight_numbers or line.cabins
    return named or line.has_phrase("latest", "most recent", "both", "all of them")


def _with_extras(line: ParsedSentence, sentence: str) -> str:
    """The sentence that an answer stands for, after its own words if they mention extras too."""
    return f"{line.text} . {sentence}" if sentence and _names_extras(line) else sentence


def _names_extras(line: ParsedSentence) -> bool:
    """Whether a sentence mentions bags, insurance or payment, which a yes or no may be about."""
    return bool(bags_mentioned(line) or wants_insurance([line]) is not None or payments(line))


def _names_leg(line: ParsedSentence, dialogue: AirlineState) -> object:
    return read_flight_slots(line) != Leg() or line.days


def _asks_of_price(line: ParsedSentence) -> bool:
    return line.has_phrase_of("priced") and is_question(line)


def _names_person(line: ParsedSentence, dialogue: AirlineState) -> object:
    return (
        people_in(line, dialogue)
        or names_in(line, dialogue)
        or line.births
        or line.has_phrase("name")
    )


_NAMES: dict[str, Callable[[ParsedSentence, AirlineState], object]] = {
    "reservation": _names_trip,
    "covered": lambda line, dialogue: reason([line]),
    **dict.fromkeys(("out_date", "back_date"), _names_leg),
    "legs": lambda line, dialogue: _names_leg(line, dialogue) or way_mentioned(line),
    **dict.fromkeys(("route", "origin", "destination"), lambda line, dialogue: line.places),
    "cabin": lambda line, dialogue: line.cabins and not _asks_of_price(line),
    "insurance": lambda line, dialogue: wants_insurance([line]) is not None,
    "renames": _names_person,
    "dob": _names_person,
    "revise": lambda line, dialogue: dialogue.names_something(line.text),
}
"""What an answer must mention to fill a slot, by slot."""

_AGREED = {
    "covered": ("for reasons of health", "change of plans"),
    "insurance": ("with insurance", "no insurance"),
}
"""The sentences that a yes and a no stand for, by slot."""


def _reason(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    if reason([line]):
        return line.text
    asks = "?" in line.words or is_yes(line) or (is_no(line) and len(line.words) < 4)
    wishes = dialogue.last.requests if dialogue.last is not None else []
    if (
        asks
        or any(not each.is_uncertain for each in wishes)
        or len(line.words) < 2
        or line.has_phrase("bye")
    ):
        return ""
    about.chosen["reason"] = "other"
    return line.text


def _type(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    if line.has_phrase_of("kinds of trip") or line.days:
        return line.text
    told = people_in(line, dialogue) or bags_mentioned(line) or wants_insurance([line]) is not None
    return f"{line.text} . one way" if told else ""


def _people(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    found = people_in(line, dialogue)
    if found or head_count(line, found):
        return line.text
    if line.has_phrase("profile", "file", "saved"):
        return f"{line.text} . all saved"
    if line.has_phrase_of("alone with") or (
        (is_yes(line) or is_no(line)) and not _names_extras(line)
    ):
        return "just me"
    return line.text if len(line.words) == 1 and line.raw[0][:1].isupper() else ""


def _bags(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    if bags_mentioned(line) is not None:
        return line.text
    counts = [many for each in line.words if (many := number(each)) is not None]
    if counts and len(line.words) <= 5 and not line.days:
        more = line.has_phrase("more", "another", "extra", "further")
        return _with_extras(line, f"{counts[0]} {'more' if more else 'checked'} bags")
    return _with_extras(line, "no bags" if is_no(line) else "")


def _payment(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    said = dialogue.parse(line.text.rpartition("?")[2])
    return (
        read_answer(said, dialogue.question, dialogue.records.methods)
        if dialogue.question is not None
        else ""
    )


def _flight(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    """A flight picked by its time, as said last, or the one that was reported as the cheapest."""
    last, ask = line.after_correction, dialogue.question
    if ask is None or _names_leg(last, dialogue):
        return f"{_implied_words(ask.slot, last)} {last.text}".strip() if ask is not None else ""
    told = (
        e
        for e in ask.choices
        if say("cheapest", flight=e.words) in "".join(dialogue.assistant_texts[-1:])
    )
    found = next(told, None) if is_yes(line) or line.has_phrase_of("takes it") else None
    return dialogue.pick(about, ask, found) if found is not None else ""


def _way(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    side = way_mentioned(line)
    about.chosen["way"] = side or about.chosen.get("way", "")
    return line.text if side else ""


def _passenger(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    me = customer(dialogue).first.lower()
    offered = dialogue.question.choices if dialogue.question is not None else ()
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
    return line.text if _names_person(line, dialogue) or line.days else ""


def _whole(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    agrees = is_yes(line) or line.has_phrase("whole", "everybody", "all", "everyone")
    if not agrees or line.has_phrase("leave", "never mind", "don't"):
        return ""
    about.chosen["whole"] = "yes"
    return line.text


def _go(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    if not (is_yes(line) or line.has_phrase("do it", "go ahead", "do that")):
        return ""
    about.what_if = False
    return line.text


def _transfer(about: Task, line: ParsedSentence, dialogue: AirlineState) -> str:
    if is_yes(line) or line.has_phrase("human", "agent", "transfer"):
        about.chosen["transfer"] = "human"
    elif is_no(line) or line.has_phrase("leave it", "never mind", "forget it"):
        about.chosen["transfer"] = "leave"
    return line.text if "transfer" in about.chosen else ""


_READ: dict[str, Callable[[Task, ParsedSentence, AirlineState], str]] = {
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
"""Readers of answers that need more than a mention, or that store a choice, by slot."""
