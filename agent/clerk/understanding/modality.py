"""Determines the modality of a request: meant, denied, or only asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agent.clerk.understanding.labelling import Stance
from agent.clerk.understanding.parsed_message import MARGIN_OF_CHANGE, IntentCatalog, ParsedRequest

DENIES = 0.4
"""How likely a text without a change of its own must be to deny one."""

MAY_BE_WANTED = 0.25
"""How likely it must be that a change is wanted for what denies or supposes it to be offered."""

SURELY_WANTS = 0.75
"""How likely a text must be to want a change for its intent to be one against the classifier."""


def set_modality(
    request: ParsedRequest, catalog: IntentCatalog, stance: Mapping[Stance, float]
) -> ParsedRequest:
    """Set the modality of a request by the stance of its text, and return the request."""
    if request.intent in {catalog.nothing, catalog.what_if}:
        _name_change(request, catalog, stance)
    if request.intent not in catalog.acts:
        if request.intent == catalog.nothing and request.probability >= DENIES:
            request.modality = "denied"
        return request
    towards, likely, wanted = _clearest(stance)
    if request.intent in catalog.asked_for:  # who asks for it wants it, as far as the rules go
        wanted += stance["ask"] / sum(share for name, share in stance.items() if name != "none")
    if towards == "want" or wanted >= MAY_BE_WANTED:
        request.modality_probability = wanted
        request.margin = MARGIN_OF_CHANGE
    elif towards == "mention":
        _leave_acts(request, catalog)
        request.modality = "denied" if request.intent == catalog.nothing else "meant"
    else:
        request.modality = "denied" if towards == "deny" else "what_if"
        request.modality_probability = likely
    return request


def _clearest(stance: Mapping[Stance, float]) -> tuple[Stance, float, float]:
    """The likeliest stance, how likely it is, and how likely a wish, if the text has any at all."""
    shown = {name: likely for name, likely in stance.items() if name != "none"}
    best = max(shown, key=lambda each: shown[each])
    known = sum(shown.values())
    return best, shown[best] / known, shown["want"] / known


def _name_change(
    request: ParsedRequest, catalog: IntentCatalog, stance: Mapping[Stance, float]
) -> None:
    """Name the change that a text supposes, or that it wants after all: "don't need it, cancel"."""
    act = next((each for each in request.guesses if each.name in catalog.acts), None)
    wants = stance["want"] >= SURELY_WANTS
    if act is not None and (wants or request.intent == catalog.what_if):
        request.intent = act.name
        request.probability = act.probability if wants else request.probability


def _leave_acts(request: ParsedRequest, catalog: IntentCatalog) -> None:
    """Reclassify what only mentions a change as an intent that changes nothing."""
    asking = [each for each in request.guesses if each.name not in {*catalog.acts, *catalog.asides}]
    known = sum(each.probability for each in asking) or 1.0  # all may be too unlikely to count
    request.guesses = tuple(replace(each, probability=each.probability / known) for each in asking)
    request.intent, request.probability = request.guesses[0].name, request.guesses[0].probability
