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
    ParsedRequest,
)

DENIES = 0.4
"""How likely a text without a change of its own must be to deny one."""

MAY_BE_WANTED = 0.25
"""How likely it must be that a change is wanted for what denies or supposes it to be offered, and
the other way round."""


def set_modality(
    request: ParsedRequest, catalog: IntentCatalog, stance: Mapping[Stance, float]
) -> ParsedRequest:
    """Set the modality of a request by the stance of its text, and return the request."""
    act = next((each.name for each in request.guesses if each.name in catalog.acts), "")
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
