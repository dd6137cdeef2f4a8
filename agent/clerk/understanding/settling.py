"""Settles which requests of a message remain, by the rules that need the whole message."""

from __future__ import annotations

from itertools import pairwise

from agent.clerk.understanding import sentence_kinds
from agent.clerk.understanding.parsed_message import (
    CLEAR,
    IntentCatalog,
    ParsedMessage,
    ParsedRequest,
)
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.retracting import retract
from agent.clerk.understanding.tokens import Tokens, tokens

_WORD_OR_TWO = 2
_SURER = 0.25
"""By how much a retraction without a word for it must be likelier than a clear request."""


def settle_requests(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Drop what is taken back, corrected or only a detail, and mark what is only asked about."""
    retract(message, catalog)
    _demote(message, catalog)
    _apply_scope(message, catalog)


def _demote(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Turn weaker requests into details if the message has a clear request."""
    if any(not each.is_uncertain for each in message.requests):
        unsure = [each for each in message.requests if each.is_uncertain]
        message.requests = [each for each in message.requests if not each.is_uncertain]
        message.detail_sentences += (each.text for each in unsure)
    if not any(each.has_cue and each.intent in catalog.acts for each in message.requests):
        return
    for wish in [*message.requests]:
        words = tokens(wish.text)
        asks = wish.intent in catalog.questions and sentence_kinds.seeks_information(words)
        short = len(words) <= _WORD_OR_TWO
        least = CLEAR + _SURER if wish.intent in catalog.weak else CLEAR
        sounds = not wish.has_cue and (short or (wish.probability < least and not asks))
        if sounds and wish.modality != "denied":
            message.requests.remove(wish)
            message.detail_sentences.append(wish.text)


def _apply_scope(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Apply a sentence that retracts, or is only hypothetical, to the requests before it."""
    acts = _drop_corrected(catalog, message)
    wonders = any(tells(tokens(each), "what if") for each in message.detail_sentences)
    for wish in [*message.requests]:
        if wish.intent != catalog.nothing or not acts:
            continue
        words = tokens(wish.text)
        before = [
            each for each in acts if message.requests.index(each) < message.requests.index(wish)
        ]
        if tells(words, "what if"):
            wonders = True
        elif (sentence_kinds.takes_back(words) and _is_sure(wish)) or _unsays(catalog, words):
            for each in before:
                if not catalog.is_of_another(words, each.intent):
                    each.modality = "denied"
            continue
        message.requests.remove(wish)
        _keep(wish, (before or acts)[-1], message, catalog)
    for wish in acts:
        if wonders and wish.modality == "meant":
            wish.modality = "what_if"
    if any(each.modality == "what_if" for each in message.requests):
        message.requests = [each for each in message.requests if each.intent not in catalog.amounts]


def _keep(
    wish: ParsedRequest, act: ParsedRequest, message: ParsedMessage, catalog: IntentCatalog
) -> None:
    """Take what is to stay as it is out of a change; a mere reason only gives a detail of it.

    What is said of another change says nothing about what this one is of.
    """
    words = tokens(wish.text)
    if sentence_kinds.is_reason(words):
        message.detail_sentences.append(wish.text)
        return
    if not catalog.is_of_another(words, act.intent):
        act.excepted.append(wish.text)
    message.kept.append(wish.text)


def _is_sure(request: ParsedRequest) -> bool:
    """Whether a sentence is surely no mere reason: "dont need em" takes no request back."""
    return request.has_cue or request.probability >= CLEAR + _SURER


def _unsays(catalog: IntentCatalog, words: Tokens) -> bool:
    """Whether the words deny a change and say nothing else: "no, please don't return it"."""
    act = catalog.verb(words)
    return act is not None and sentence_kinds.only_denies(words, catalog.cue_words(act))


def _drop_corrected(catalog: IntentCatalog, message: ParsedMessage) -> list[ParsedRequest]:
    """The changes that remain after "I mean" has replaced one change with another."""
    acts = [each for each in message.requests if each.intent in catalog.acts]
    for one, other in pairwise(acts):
        if sentence_kinds.corrects(tokens(other.text)) and other.modality == "meant":
            message.requests.remove(one)
            message.detail_sentences.append(one.text)
    return [each for each in acts if each in message.requests]
