"""Finds what a message may ask for in addition to, or instead of, the tasks made from it.

Tasks are made from the parts of a message; the message as a whole shows what they may have missed.
"""

from __future__ import annotations

from collections.abc import Container

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest

SETTLED_CHANGE, SETTLED_QUESTION = 0.85, 0.85
"""How likely a part's change, or its question, must be for the clerk to offer nothing else."""

RIVAL, RIVALS = 0.06, 4
"""How likely another intent must be to be offered, and how many are offered at most."""

CERTAINLY_NOT = 0.75
"""How likely it must be that a change is denied or only asked about for it not to be offered."""


def _likeliest(message: ParsedMessage, request: ParsedRequest) -> list[Guess]:
    """What the message as a whole may mean, or the request alone if that tells it more surely."""
    found: dict[str, Guess] = {}
    for each in (*message.guesses, *request.guesses):
        if each.name not in found or each.probability > found[each.name].probability:
            found[each.name] = each
    return sorted(found.values(), key=lambda each: -each.probability)


def rivals(
    message: ParsedMessage, request: ParsedRequest, catalog: IntentCatalog, known: Container[str]
) -> list[str]:
    """The known intents that a message may have besides those of its requests, likeliest first."""
    if not request.guesses:
        return []
    wishes = [request, *(each for each in message.requests if not each.is_uncertain)]
    settled: set[str] = set()
    doubted = False
    for wish in wishes:
        least = SETTLED_CHANGE if wish.intent in catalog.acts else SETTLED_QUESTION
        if wish.modality == "meant":
            doubted |= wish.probability < least
            settled.add(catalog.family(wish.intent))
            continue
        settled |= {catalog.nothing, "no"} if wish.modality == "denied" else {catalog.what_if}
        if wish.modality_probability >= CERTAINLY_NOT:
            settled.add(catalog.family(wish.intent))
    likely = [each for each in _likeliest(message, request) if each.name in known]
    missed = [each for each in likely if catalog.family(each.name) not in settled]
    if doubted or likely[:1] == missed[:1]:
        return [each.name for each in missed if each.probability >= RIVAL][:RIVALS]
    return []
