"""Has a change be of what is named after "oops, wrong one", and not of what stood before it."""

from __future__ import annotations

from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import tokens


def take_other_one(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Give a change the words after the mark instead of its own; the parts they were in go."""
    place, earlier = _marked(message, catalog)
    if earlier is None:
        return
    after = [e for e in message.in_order[place:] if _is_of(e, earlier, catalog)]
    told = [_after_mark(_text(each)) for each in after]
    told = [each for each in told if tokens(each)]
    if not told or message.in_order[place] is not after[0]:
        return
    earlier.text = " . ".join(told)
    gone = [e for e in after if isinstance(e, ParsedRequest)]
    message.requests = [e for e in message.requests if all(e is not each for each in gone)]
    message.detail_sentences = [e for e in message.detail_sentences if e not in after]
    message.kept = [e for e in message.kept if all(e != each.text for each in gone)]


def _marked(message: ParsedMessage, catalog: IntentCatalog) -> tuple[int, ParsedRequest | None]:
    """The place of the first part that says "wrong one", and the change before it, if any."""
    for place, each in enumerate(message.in_order):
        if tells(tokens(_text(each)), "wrong one"):
            before = [e for e in message.in_order[:place] if isinstance(e, ParsedRequest)]
            found = before and before[-1].intent in catalog.acts
            return place, before[-1] if found else None
    return 0, None


def _is_of(part: ParsedRequest | str, change: ParsedRequest, catalog: IntentCatalog) -> bool:
    """Whether a part says more about a change, and is no other change."""
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
