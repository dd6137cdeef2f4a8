"""Determines the modality of a request: meant, denied, or only asked about."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.understanding import clauses, scope
from agent.clerk.understanding.parsed_message import MARGIN_OF_CHANGE, IntentCatalog, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.tokens import Tokens, find, has, tokens

DENIES, WONDERS = 0.5, 0.3
"""How likely a denial or a hypothetical question must be if no explicit word shows it."""

CUED = 0.4
"""How likely a denial must be with a word for it: "dont need it" is rather a reason."""

_ANSWER = re.compile(
    r"\W*(?:(?:oh|ah|um+|well|actually|wait|sorry|hm+)\W+)*(?:no\W+)*(?:no|nope|nah)"
    r"(?:\s*[,.!;:]|\s+(?=(?:just|please|actually|wait)\b))",
    re.IGNORECASE,
)
"""A no that answers or corrects what was said before, and negates nothing after it."""


def set_modality(request: ParsedRequest, catalog: IntentCatalog) -> ParsedRequest:
    """Set the modality of a request, and return the request."""
    words = tokens(_without_answer(request.text))
    likely = CUED if request.has_cue else DENIES
    if request.intent == catalog.nothing and request.probability >= likely:
        request.modality = "denied"
    elif request.intent == catalog.what_if:
        acts = (each.name for each in request.guesses if each.name in catalog.acts)
        request.intent, request.modality = next(acts, request.intent), "what_if"
    elif request.intent in catalog.acts:
        if not request.has_cue and scope.seeks_information(words):
            _leave_acts(request, catalog)
        elif _is_denied(request, words, catalog):
            request.modality = "denied"
        elif scope.cannot(words, catalog.cue_words(request.intent)):
            request.probability, request.has_cue, request.has_verb = 0.0, False, False
        elif _is_asked(request, words, catalog):
            request.modality = "what_if"
        elif not request.has_cue:
            request.margin = MARGIN_OF_CHANGE
    return request


def _leave_acts(request: ParsedRequest, catalog: IntentCatalog) -> None:
    """Reclassify a question without a word for a change as an intent that changes nothing."""
    asking = [each for each in request.guesses if each.name not in {*catalog.acts, *catalog.asides}]
    known = sum(each.probability for each in asking)
    request.guesses = tuple(replace(each, probability=each.probability / known) for each in asking)
    request.intent, request.probability = request.guesses[0].name, request.guesses[0].probability


def _is_denied(request: ParsedRequest, words: Tokens, catalog: IntentCatalog) -> bool:
    """Whether a change is denied, by its own cue words or by a verb for any change."""
    cues = catalog.cues.get(request.intent, ())
    own = any(find(tokens(cue), words) >= 0 for cue in cues)
    return (
        (not request.has_verb and tells(words, "must not"))
        or (request.intent in catalog.kept and scope.stays(words))
        or (catalog.verb(words) is None and scope.lets_go(words, request.text))
        or (catalog.verb(words) is None and tells(words, "keeping"))
        or tells(words, "unsaid")
        or (scope.wants_none(words) and catalog.verb(words[3:]) is None)
        or scope.wants_undone(words, cues)
        or scope.nearly_was(words, cues)
        or scope.is_denied(words, cues)
        or (not own and scope.is_denied(words, catalog.changing, everywhere=True))
        or (own and scope.is_change_denied(request.text, catalog.changing, cues))
    )


def _is_asked(request: ParsedRequest, words: Tokens, catalog: IntentCatalog) -> bool:
    """Whether a sentence asks about the change or considers it, and does not request it."""
    found = {each.name: each.probability for each in request.guesses}
    return (
        scope.asks_about(words)
        or tells(words[:4], "another time")
        or scope.wavers(words, catalog.cues.get(request.intent, ()))
        or tells(words, "what if")
        or has(words[:5], "how much")
        or (
            not tells(words, "polite")
            and clauses.limit(request.text) is None
            and _is_wondered(found, request, catalog)
        )
    )


def _is_wondered(found: dict[str, float], request: ParsedRequest, catalog: IntentCatalog) -> bool:
    """Whether the words rather ask what a change would involve than request it."""
    return found.get(catalog.what_if, 0.0) > max(WONDERS, found.get(request.intent, 0.0))


def _without_answer(text: str) -> str:
    """The text without a no at its beginning."""
    answer = _ANSWER.match(text)
    return text[answer.end() :] if answer else text
