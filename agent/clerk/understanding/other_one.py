"""Has a change be of what is named after "oops, wrong one", and not of what stood before it."""

from __future__ import annotations

from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import tokens


def take_other_one(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Give a change the words after the mark instead of its own, with the details behind them.

    Requests of their own behind the mark stay as they are.
    """
    place, change = _marked(message, catalog)
    if change is None:
        return
    marked, *behind = message.in_order[place:]
    told = [_after_mark(_text(marked)), *(each for each in behind if isinstance(each, str))]
    told = [each for each in told if tokens(each)]
    if told and _is_of(marked, change, catalog):
        change.text = " . ".join(told)
        message.requests = [each for each in message.requests if each is not marked]
        message.detail_sentences = [
            each for each in message.detail_sentences if each not in (*told, _text(marked))
        ]
        message.kept = [each for each in message.kept if each != _text(marked)]


def _marked(message: ParsedMessage, catalog: IntentCatalog) -> tuple[int, ParsedRequest | None]:
    """The place of the first part that says "wrong one", and the change before it, if any."""
    for place, each in enumerate(message.in_order):
        if tells(tokens(_text(each)), "wrong one"):
            before = [e for e in message.in_order[:place] if isinstance(e, ParsedRequest)]
            found = before and before[-1].intent in catalog.acts
            return place, before[-1] if found else None
    return 0, None


def _is_of(part: ParsedRequest | str, change: ParsedRequest, catalog: IntentCatalog) -> bool:
    """Whether a part corrects a change, and is no other change."""
    if isinstance(part, str):
        return True
    known = part.intent not in catalog.acts or part.modality == "denied" or part.is_uncertain
    return known or part.intent == change.intent


def _after_mark(text: str) -> str:
    """What stands after "wrong one"; all of a text that does not say so."""
    for phrase in GENERAL.by_name["wrong one"]:
        _, found, rest = text.lower().partition(phrase)
        if found:
            return text[-len(rest) :].strip(" ,.;:-") if rest else ""
    return text


def _text(part: ParsedRequest | str) -> str:
    return part if isinstance(part, str) else part.text
