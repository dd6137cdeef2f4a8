"""Determines the modality of a request: meant, denied, or only asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.labelling import Stance
from agent.clerk.understanding.parsed_message import (
    MARGIN_OF_CHANGE,
    WANTED,
    IntentCatalog,
    ParsedMessage,
    ParsedRequest,
)
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.tokens import tokens

DENIES = 0.4
"""How likely a text without a change of its own must be to deny one."""

MAY_BE_WANTED = 0.25
"""How likely it must be that a change is wanted for what denies or supposes it to be offered, and
the other way round."""


CLEARLY_WANTED = 0.75
"""How likely it must be that a change is wanted for a denial beside it to be of something else."""

OUTDONE = 0.2
"""How much less likely than its denial a change must be for what wants it to be unclear."""


def set_modality(
    request: ParsedRequest, catalog: IntentCatalog, stance: Mapping[Stance, float]
) -> ParsedRequest:
    """Set the modality of a request by the stance of its text, and return the request."""
    act = next((each.name for each in request.guesses if each.name in catalog.acts), "")
    if request.intent in catalog.acts and tells(tokens(request.text), "done already"):
        _leave_acts(request, catalog)
        return request
    if request.intent == catalog.what_if and act:
        request.intent = act  # what is supposed is the change itself
    if request.intent not in catalog.acts:
        if request.intent == catalog.nothing and request.probability >= DENIES:
            request.modality = "denied"
        return request
    known = sum(likely for name, likely in stance.items() if name != "none")
    shown: dict[Stance, float] = {
        name: likely / known for name, likely in stance.items() if name != "none"
    }
    towards = max(shown, key=lambda each: shown[each])
    wanted = shown["want"]
    if towards == "want" or wanted >= MAY_BE_WANTED:
        request.modality_probability = wanted
        request.margin = MARGIN_OF_CHANGE
        if wanted < WANTED:
            _add_doubts(request, catalog, shown)
    elif towards == "mention":
        _leave_acts(request, catalog)
    else:
        request.modality = "denied" if towards == "deny" else "what_if"
        request.modality_probability = shown[towards]
    return request


def _add_doubts(
    request: ParsedRequest, catalog: IntentCatalog, stance: Mapping[Stance, float]
) -> None:
    """Add to the guesses that the change is denied, or only asked about, where either is likely."""
    doubts = {catalog.nothing: stance["deny"], catalog.what_if: stance["ask"]}
    likely = {name: share for name, share in doubts.items() if share >= MAY_BE_WANTED}
    found = [Guess(name, share * request.probability) for name, share in likely.items()]
    others = (each for each in request.guesses if each.name not in likely)
    request.guesses = tuple(sorted([*others, *found], key=lambda each: -each.probability))


def _leave_acts(request: ParsedRequest, catalog: IntentCatalog) -> None:
    """Reclassify what only mentions a change as an intent that changes nothing."""
    asking = [each for each in request.guesses if each.name not in {*catalog.acts, *catalog.asides}]
    known = sum(each.probability for each in asking) or 1.0  # all may be too unlikely to count
    request.guesses = tuple(replace(each, probability=each.probability / known) for each in asking)
    request.intent, request.probability = request.guesses[0].name, request.guesses[0].probability
    request.modality = "denied" if request.intent == catalog.nothing else "meant"


def drop_outdone(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Make unclear what wants a change that is denied beside it with far more certainty.

    "I don't want to cancel. I said I want her half back" does not cancel.
    """
    surely = [
        each
        for each in message.requests
        if each.modality == "denied" and each.intent in catalog.acts
    ]
    for each in [e for e in message.requests if e.modality == "meant" and surely]:
        alike = (e for e in surely if catalog.family(e.intent) == catalog.family(each.intent))
        sure = max((min(e.probability, e.modality_probability) for e in alike), default=0.0)
        if sure - each.probability >= OUTDONE:
            message.requests.remove(each)
            message.detail_sentences.append(each.text)
            message.unclear.append(each.text)


def suppose_alike(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Take what is hardly wanted for supposed, beside more of the same change that is only that.

    "What if I had it sent to 12 Main Street, Troy" sends nothing to Troy.
    """
    supposed = {
        catalog.family(each.intent)
        for each in message.requests
        if each.modality == "what_if" and each.modality_probability >= CLEARLY_WANTED
    }
    for each in message.requests:
        hardly = each.modality == "meant" and each.modality_probability < CLEARLY_WANTED
        changes = each.intent in catalog.acts and catalog.family(each.intent) in supposed
        if hardly and changes:
            each.modality = "what_if"
