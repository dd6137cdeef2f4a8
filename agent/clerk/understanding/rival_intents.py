"""Finds what a message may ask for in addition to, or instead of, the tasks made from it.

Tasks are made from the parts of a message; the message as a whole shows what they may have missed.
Read whole, 98 of 100 sentences that no one tuned the clerk to have the right intent among the five
likeliest.
"""

from __future__ import annotations

from collections.abc import Container

from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest

CERTAIN = 0.55
"""How likely the intent of a part must be for the clerk to offer nothing else."""

LIKELY = 0.45
"""The same of a question, whose answer does no harm."""

RIVAL, RIVALS = 0.06, 4
"""How likely another intent must be to be offered, and how many are offered at most."""

CERTAINLY_NOT = 0.75
"""How likely it must be that a change is denied or only asked about for it not to be offered."""


def rivals(
    message: ParsedMessage, request: ParsedRequest, catalog: IntentCatalog, known: Container[str]
) -> list[str]:
    """The known intents that a message may have besides those of its requests, likeliest first."""
    if not request.guesses:
        return []
    wishes = [request, *(each for each in message.requests if not each.is_uncertain)]
    settled = {catalog.family(name) for each in wishes for name in _certain_intents(each, catalog)}
    likely = [each for each in message.guesses if each.name in known]
    missed = [each for each in likely if catalog.family(each.name) not in settled]
    if likely[:1] == missed[:1] or any(_is_in_doubt(each, catalog.acts) for each in wishes):
        return [each.name for each in missed if each.probability >= RIVAL][:RIVALS]
    return []


def _is_in_doubt(request: ParsedRequest, acts: Container[str]) -> bool:
    least = CERTAIN if request.intent in acts else LIKELY
    return request.modality == "meant" and request.probability < least


def _certain_intents(request: ParsedRequest, catalog: IntentCatalog) -> set[str]:
    """The intents that a request leaves no doubt about; what may not be denied may be meant."""
    if request.modality == "meant":
        return {request.intent}
    moods = {catalog.nothing, "no"} if request.modality == "denied" else {catalog.what_if}
    return moods if request.modality_probability < CERTAINLY_NOT else {*moods, request.intent}
