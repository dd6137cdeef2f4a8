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

_OF_FLIGHTS = frozenset({"change_flights", "change_cabin", "book_flight"})
"""Tasks that flights or a cabin named beside an answer change."""

_FEW = 5
"""The most words of an answer in which a number alone is the answer."""


def is_yes(sentence: ParsedSentence) -> bool:
    """Whether an answer agrees; "please", "do" and "go" count only in phrases like "go ahead"."""
    first, *rest = sentence.words or ("",)
    if first in words_of("mannerly") and not set(rest[:1]) <= words_of("agrees"):
        return False
    return first in words_of("yes") and not words_of("no") & {first, *rest[:1]}


def is_no(sentence: ParsedSentence) -> bool:
    """Whether an answer denies."""
    return bool(words_of("no") & set(sentence.words[:3])) and not sentence.has_phrase(
        "no problem", "why not"
    )


def sentence_for_answer(
    slot: str, task: Task, sentence: ParsedSentence, dialogue: AirlineState
) -> str:
    """The sentence that an answer for a slot stands for; empty if it answers nothing."""
    if slot in _READ:
        return _READ[slot](task, sentence, dialogue)
    if slot in _NAMES and _NAMES[slot](sentence, dialogue):
        return f"{_implied_words(slot, sentence)} {sentence.text}".strip()
    agreed, denied = _AGREED.get(slot, ("", ""))
    said_no = is_no(sentence)  # before a yes: "ok then no" denies
    return _with_extras(sentence, denied if said_no else agreed if is_yes(sentence) else "")


def _implied_words(slot: str, sentence: ParsedSentence) -> str:
    """The part that an answer leaves out because the question had it: which way, "from" or "to"."""
    if slot in {"origin", "destination"}:
        bare = len(sentence.places) == 1 and not sentence.places[0].role
        return {"origin": "from", "destination": "to"}[slot] if bare else ""
    side = {"out": "outbound", "back": "back"}.get(slot.partition("_")[0], "")
    return side if not any(map(way_mentioned, [sentence, *sentence.parts()])) else ""


def _names_trip(sentence: ParsedSentence, dialogue: AirlineState) -> object:
    named = (
        sentence.ids
        or sentence.places
        or sentence.days
        or sentence.flight_numbers
        or sentence.cabins
    )
    return named or sentence.has_phrase("latest", "most recent", "both", "all of them")


def _with_extras(line: ParsedSentence, sentence: str) -> str:
    """The sentence that an answer stands for, after its own words if they mention extras too."""
    return f"{line.text} . {sentence}" if sentence and _names_extras(line) else sentence


def _names_extras(sentence: ParsedSentence) -> bool:
    """Whether a sentence mentions bags, insurance or payment, which a yes or no may be about."""
    return bool(
        bags_mentioned(sentence) or wants_insurance([sentence]) is not None or payments(sentence)
    )


def _names_leg(sentence: ParsedSentence, dialogue: AirlineState) -> object:
    return read_flight_slots(sentence) != Leg() or sentence.days


def _asks_of_price(sentence: ParsedSentence) -> bool:
    return sentence.has_phrase_of("priced") and is_question(sentence)


def _names_person(sentence: ParsedSentence, dialogue: AirlineState) -> object:
    return (
        people_in(sentence, dialogue)
        or names_in(sentence, dialogue)
        or sentence.births
        or sentence.has_phrase("name")
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


def _reason(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    if reason([sentence]):
        return sentence.text
    asks = (
        "?" in sentence.words or is_yes(sentence) or (is_no(sentence) and len(sentence.words) < 4)
    )
    wishes = dialogue.last.requests if dialogue.last is not None else []
    if (
        asks
        or any(not each.is_uncertain for each in wishes)
        or len(sentence.words) < 2
        or sentence.has_phrase("bye")
    ):
        return ""
    task.chosen["reason"] = "other"
    return sentence.text


def _type(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    if sentence.has_phrase_of("kinds of trip") or sentence.days:
        return sentence.text
    told = (
        people_in(sentence, dialogue)
        or bags_mentioned(sentence)
        or wants_insurance([sentence]) is not None
    )
    return f"{sentence.text} . one way" if told else ""


def _people(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    found = people_in(sentence, dialogue)
    if found or head_count(sentence, found):
        return sentence.text
    if sentence.has_phrase("profile", "file", "saved"):
        return f"{sentence.text} . all saved"
    if sentence.has_phrase_of("alone with") or (
        (is_yes(sentence) or is_no(sentence)) and not _names_extras(sentence)
    ):
        return "just me"
    return sentence.text if len(sentence.words) == 1 and sentence.raw[0][:1].isupper() else ""


def _bags(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    if bags_mentioned(sentence) is not None:
        return sentence.text
    counts = _bare_counts(sentence)
    if len(counts) > 1:  # the last is what the others come to: "one each, so 2"
        return f"{sentence.text.replace(' each', ' ')} . {counts[-1]} checked bags"
    if counts:
        more = sentence.has_phrase("more", "another", "extra", "further", "add")
        return _with_extras(sentence, f"{counts[-1]} {'more' if more else 'checked'} bags")
    return _with_extras(sentence, "no bags" if is_no(sentence) else "")


def _bare_counts(sentence: ParsedSentence) -> list[int]:
    """The numbers of an answer in a few words, or of parts that begin with one: "so 2"."""
    if len(sentence.words) <= _FEW and not sentence.days:
        parts = [sentence]
    else:
        parts = [e for e in sentence.parts() if len(e.words) <= _FEW and not e.days]
        parts = [e for e in parts if number(e.words[0]) is not None or e.words[0] == "so"]
    return [many for part in parts for each in part.words if (many := number(each)) is not None]


def _payment(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    """The methods named, after the words that change the flights or the cabin, if there are any."""
    said = dialogue.parse(sentence.text.rpartition("?")[2])
    if dialogue.question is None:
        return ""
    told = read_answer(said, dialogue.question, dialogue.records.methods)
    changed = _names_leg(said, dialogue) or said.cabins
    return f"{said.text} . {told}".strip(" .") if changed and task.intent in _OF_FLIGHTS else told


def _flight(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    """A flight picked by its time, as said last, or the one that was reported as the cheapest."""
    last, ask = sentence.after_correction, dialogue.question
    if ask is None or _names_leg(last, dialogue):
        return f"{_implied_words(ask.slot, last)} {last.text}".strip() if ask is not None else ""
    told = (
        e
        for e in ask.choices
        if say("cheapest", flight=e.words) in "".join(dialogue.assistant_texts[-1:])
    )
    found = next(told, None) if is_yes(sentence) or sentence.has_phrase_of("takes it") else None
    return dialogue.pick(task, ask, found) if found is not None else ""


def _way(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    side = way_mentioned(sentence)
    task.chosen["way"] = side or task.chosen.get("way", "")
    return sentence.text if side else ""


def _passenger(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    me = customer(dialogue).first.lower()
    offered = dialogue.question.choices if dialogue.question is not None else ()
    own = (each.value for each in offered if not each.value.startswith(OFFER))
    of = {value: value.split()[0].lower() for value in own}
    named = [value for value, first in of.items() if is_named(first, sentence)]
    if not named and means_another(sentence):
        named = [value for value, first in of.items() if first != me]
    elif not named and means_self(sentence):
        named = [value for value, first in of.items() if first == me]
    if len(named) == 1:
        task.chosen["passenger"] = named[0]
        return sentence.text
    return sentence.text if _names_person(sentence, dialogue) or sentence.days else ""


def _whole(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    agrees = is_yes(sentence) or sentence.has_phrase_of("all of us")
    if not agrees or sentence.has_phrase("leave", "never mind", "don't"):
        return ""
    task.chosen["whole"] = "yes"
    return sentence.text


def _go(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    if not (is_yes(sentence) or sentence.has_phrase("do it", "go ahead", "do that")):
        return ""
    task.what_if = False
    return sentence.text


def _transfer(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    if is_yes(sentence) or sentence.has_phrase("human", "agent", "transfer"):
        task.chosen["transfer"] = "human"
    elif is_no(sentence) or sentence.has_phrase("leave it", "never mind", "forget it"):
        task.chosen["transfer"] = "leave"
    return sentence.text if "transfer" in task.chosen else ""


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
