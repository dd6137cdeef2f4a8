"""Finds what a message may ask for in addition to, or instead of, the tasks made from it.

Tasks are made from the parts of a message; the message as a whole shows what they may have missed.
Read whole, 98 of 100 sentences that no one tuned the clerk to have the right intent among the five
likeliest.
"""

from __future__ import annotations

from collections.abc import Container

from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest

CERTAIN = 0.65
"""How likely the intent of a part must be for the clerk to offer nothing else."""

RIVAL, RIVALS = 0.02, 4
"""How likely another intent must be to be offered, and how many are offered at most."""

SEEN = 0.05
"""How likely a denial or a hypothetical question must be to be taken as certain."""


def rivals(
    message: ParsedMessage, request: ParsedRequest, catalog: IntentCatalog, known: Container[str]
) -> list[str]:
    """The known intents that a message may have besides those of its requests, likeliest first."""
    if not request.guesses:
        return []
    wishes = [request, *(each for each in message.requests if not each.is_uncertain)]
    denies = all(each.modality == "denied" for each in wishes)
    settled = {
        catalog.family(name)
        for each in wishes
        for name in _certain_intents(each, message, catalog, denies)
    }
    likely = [each for each in message.guesses if each.name in known]
    missed = [each for each in likely if catalog.family(each.name) not in settled]
    if likely[:1] == missed[:1] or any(map(_is_in_doubt, wishes)):
        return [each.name for each in missed if each.probability >= RIVAL][:RIVALS]
    return []


def _is_in_doubt(request: ParsedRequest) -> bool:
    return request.modality == "meant" and not request.has_verb and request.probability < CERTAIN


def _certain_intents(
    request: ParsedRequest, message: ParsedMessage, catalog: IntentCatalog, denies: bool
) -> set[str]:
    """The intents that a request leaves no doubt about.

    If the classifier gives no sign of the hypothetical question that was found, or of a denial
    where every request is denied, the request itself may be meant.
    """
    if request.modality == "meant":
        return {request.intent}
    moods = {catalog.nothing, "no"} if request.modality == "denied" else {catalog.what_if}
    signs = sum(each.probability for each in message.guesses if catalog.family(each.name) in moods)
    own = sum(each.probability for each in request.guesses if catalog.family(each.name) in moods)
    doubtful = max(signs, own) < SEEN and (denies or request.modality == "what_if")
    return moods if doubtful else {*moods, request.intent}
