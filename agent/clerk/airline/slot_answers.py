"""Slot filling: turn each answer to a question into the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from agent.clerk.airline.bags import bags_mentioned, wants_insurance
from agent.clerk.airline.cancellation import reason
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import read_flight_slots, way_mentioned
from agent.clerk.airline.parsed_sentence import ParsedSentence
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.payment_slots import read_answer
from agent.clerk.airline.people import head_count, means_another, means_self, names_in, people_in
from agent.clerk.airline.vocabulary import number, words_of
from agent.clerk.airline.wording import say
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import Tokens
from agent.comparison.sentences import sentences

_OF_FLIGHTS = frozenset({"change_flights", "change_cabin", "book_flight"})
"""Tasks that flights or a cabin named beside an answer change."""


def is_yes(sentence: ParsedSentence) -> bool:
    """Whether an answer agrees; "please", "do" and "go" count only in phrases like "go ahead"."""
    first, *rest = sentence.words or ("",)
    if first in words_of("mannerly") and not set(rest[:1]) <= words_of("agrees"):
        return False
    return first in words_of("yes") and not words_of("no") & {first, *rest[:1]}


def is_no(sentence: ParsedSentence) -> bool:
    """Whether an answer denies."""
    polite = sentence.has_phrase("no problem", "why not")
    return bool(words_of("no") & set(sentence.words[:3])) and not polite


def sentence_for_answer(
    slot: str, task: Task, sentence: ParsedSentence, dialogue: AirlineState
) -> str:
    """The sentence that an answer for a slot stands for; empty if it answers nothing."""
    if slot in _READ:
        return _READ[slot](task, sentence, dialogue)
    if slot in _NAMES and _NAMES[slot](sentence, dialogue):
        return f"{_implied_words(slot, sentence)} {sentence.text}".strip()
    if slot in _CHOICES:
        return _choice(slot, task, sentence)
    agreed, denied = _MEANT.get(slot, ("", ""))
    said = denied if is_no(sentence) else agreed if is_yes(sentence) else ""  # "ok then no"
    return f"{sentence.text} . {said}" if said else ""


def _implied_words(slot: str, sentence: ParsedSentence) -> str:
    """The part that an answer leaves out because the question had it: which way, "from" or "to"."""
    if slot in {"origin", "destination"}:
        bare = len(sentence.places) == 1 and not sentence.places[0].role
        return {"origin": "from", "destination": "to"}[slot] if bare else ""
    side = {"out": "outbound", "back": "back"}.get(slot.partition("_")[0], "")
    return side if not any(map(way_mentioned, [sentence, *sentence.parts()])) else ""


def _names_leg(line: ParsedSentence, dialogue: AirlineState) -> bool:
    return not read_flight_slots(line).is_empty or bool(line.days)


def _names_person(line: ParsedSentence, dialogue: AirlineState) -> object:
    named = people_in(line, dialogue) or names_in(line, dialogue) or line.births or line.days
    return named or means_self(line) or means_another(line) or line.has_phrase("name")


_NAMES: dict[str, Callable[[ParsedSentence, AirlineState], object]] = {
    "reservation": lambda line, dialogue: (
        line.names_trip or line.flight_numbers or line.cabins or line.has_phrase_of("which trips")
    ),
    "covered": lambda line, dialogue: reason([line]),
    **dict.fromkeys(("out_date", "back_date"), _names_leg),
    "legs": lambda line, dialogue: _names_leg(line, dialogue) or way_mentioned(line),
    "way": lambda line, dialogue: way_mentioned(line),
    **dict.fromkeys(("route", "origin", "destination"), lambda line, dialogue: line.places),
    "type": lambda line, dialogue: line.has_phrase_of("kinds of trip") or line.days,
    "cabin": lambda line, dialogue: (
        line.cabins and not (line.has_phrase_of("priced") and line.is_question)
    ),
    "insurance": lambda line, dialogue: wants_insurance([line]) is not None,
    **dict.fromkeys(("renames", "dob", "passenger"), _names_person),
    "revise": lambda line, dialogue: dialogue.names_something(line.text),
}
"""What an answer must mention to fill a slot, by slot."""

_MEANT = {
    "covered": ("for reasons of health", "change of plans"),
    "insurance": ("with insurance", "no insurance"),
}
"""The sentences that a yes and a no stand for, by slot."""

_CHOICES = {"whole": "yes", "go": "yes", "rebook": "yes", "transfer": "human"}
"""The choices that are stored for a yes, by slot; ``words.json`` has further phrases for it."""


def _choice(slot: str, task: Task, sentence: ParsedSentence) -> str:
    """Store what a yes stands for; empty if the sentence is none."""
    agrees = is_yes(sentence) or sentence.has_phrase_of(f"agrees to {slot}")
    if is_no(sentence) or not agrees:
        return ""
    task.chosen[slot] = _CHOICES[slot]
    task.what_if = task.what_if and slot != "go"
    return sentence.text


def _reason(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    """The reason given; any other statement is one that is not on the list."""
    if reason([sentence]):
        return sentence.text
    asks = "?" in sentence.words or is_yes(sentence) or sentence.has_phrase("bye")
    wishes = dialogue.last.requests if dialogue.last is not None else []
    wants = any(not each.is_uncertain for each in wishes)
    if asks or wants or len(sentence.words) < (4 if is_no(sentence) else 2):
        return ""
    task.chosen["reason"] = "other"
    return sentence.text


def _people(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    found = people_in(sentence, dialogue)
    if found or head_count(sentence, found):
        return sentence.text
    if sentence.has_phrase("profile", "file", "saved"):
        return f"{sentence.text} . all saved"
    agrees = len(sentence.words) < 3 and (is_yes(sentence) or is_no(sentence))
    if agrees or sentence.has_phrase_of("alone with"):
        return "just me"
    return sentence.text if len(sentence.words) == 1 and sentence.raw[0][:1].isupper() else ""


_FEW = 3
"""In an answer with at most this many words "a" is a number: "just a suitcase"."""

_POINTING = frozenset({"the", "this", "that", "which", "any", "other", "last", "extra"})
"""Words before a "one" that is no number."""


def _bags(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    told_of = bags_mentioned(sentence)
    if told_of is not None and told_of[0] != "held":
        return sentence.text
    parts = [each for each in sentence.parts() if not each.days]
    told = [number(word) for part in parts for word in part.words[:1] + _counting(part.words)]
    counts = [many for many in told if many is not None]
    if len(counts) > 1:  # "one each, so 2": the last is what the others come to
        return f"{sentence.text.replace(' each', ' ')} . {counts[-1]} checked bags"
    more = words_of("more") & {*sentence.words}
    bags = f"{counts[-1]} {'more' if more else 'checked'} bags" if counts else ""
    if not bags and is_no(sentence):
        if any(word.startswith("insur") for word in sentence.words[1:3]):
            return sentence.text  # "no insurance" says nothing of bags
        bags = "" if sentence.days else "no bags"  # "no, it has to be the 21st"
    return f"{sentence.text} . {bags}" if bags else ""


def _counting(words: Tokens) -> Tokens:
    """The words after the first, without each "one" that stands for a thing: "the one extra".

    Nor does "a" count beside more words: "none, just a backpack in the cabin".
    """
    pairs = pairwise(words)
    counts = (word for before, word in pairs if word != "one" or before not in _POINTING)
    return tuple(word for word in counts if word not in {"a", "an"} or len(words) <= _FEW)


def _payment(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    """The methods named, after the words that change the flights or the cabin, if there are any."""
    after = sentence.text.rpartition("?")[2].strip()
    told = [dialogue.parse(each.text) for each in sentences(after or sentence.text)]
    if not after:  # "gift card. And do I get a voucher?"
        told = [each for each in told if payments(each) and not each.is_question]
    told = [each for each in told if not each.has_phrase_of("supposes")] or told
    said = dialogue.parse(" ".join(each.text for each in told))
    if dialogue.question is None:
        return ""
    paid = read_answer(said, dialogue.question, dialogue.records.methods)
    changed = _names_leg(said, dialogue) or said.cabins
    return f"{said.text} . {paid}".strip(" .") if changed and task.intent in _OF_FLIGHTS else paid


def _flight(task: Task, sentence: ParsedSentence, dialogue: AirlineState) -> str:
    """A flight picked by its time, as said last, or the one that was reported as the cheapest."""
    last, ask = sentence.after_correction, dialogue.question
    if ask is None:
        return ""
    if _names_leg(last, dialogue):
        return f"{_implied_words(ask.slot, last)} {last.text}".strip()
    told = "".join(dialogue.assistant_texts[-1:])
    cheapest = [each for each in ask.choices if say("cheapest", flight=each.words) in told]
    agrees = is_yes(sentence) or sentence.has_phrase_of("takes it")
    return dialogue.pick(task, ask, cheapest[0]) if cheapest and agrees else ""


_READ: dict[str, Callable[[Task, ParsedSentence, AirlineState], str]] = {
    "reason": _reason,
    "people": _people,
    "bags": _bags,
    **dict.fromkeys(("payment", "payment_rest", "payment_which"), _payment),
    "out_flight": _flight,
    "back_flight": _flight,
}
"""Readers of answers that need more than a mention, by slot."""
