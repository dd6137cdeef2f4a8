"""Decides whether the customer asked for a change at all, with its verb or in other words.

A message in which customers only identify themselves asks for nothing, and does not change the
subject either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence, words
from agent.comparison.utterance import Utterance
from agent.comparison.verbs import forms_of, has_verb

_WHO = re.compile(
    r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}|\b[a-z]+_[a-z]+_\d{3,5}\b|\b\d{5}\b",
    re.IGNORECASE,
)
_AROUND_WHO = frozenset(
    words(
        "my the a email mail e id user account address zip zipcode code postal name is it it's i "
        "i'm am this that's here you sure yes ok okay and in hi hello hey thanks please on file"
    )
)
_MOST_OF_A_NAME = 3
_LONG = 5
"""The length in letters from which one typing error does not turn a word into another."""

_GIVES_MONEY = frozenset({"refund", "cancel"})
"""Acts that a customer who wants their money back asks for."""

_MONEY_BACK = re.compile(r"\bmoney back\b", re.IGNORECASE)
_UNWANTED = re.compile(
    r"\b(?:(?:don['’]?t|do not|no longer) (?:want|need)|(?:by|a) (?:mistake|accident))\b",
    re.IGNORECASE,
)
_OTHER_WORDS = frozenset(words("money want need mistake accident"))


def was_asked_for(scope: Scope) -> bool:
    """Whether the customer asked for the change at any time."""
    verbs = scope.facts.verbs
    speaking = scope.talk.messages_with(scope.talk.last_of_customer, forms_of(verbs), _OTHER_WORDS)
    asked = (each for said in speaking for each in said.own if not each.is_question)
    if any(has_verb(verbs, each.words) or _asks_otherwise(scope, each) for each in asked):
        return True
    return any(
        _has_misspelt_verb(verbs, each) for said in scope.customer_messages for each in said.own
    )


def _has_misspelt_verb(verbs: frozenset[str], said: Sentence) -> bool:
    """Whether a request contains one of the verbs with one typing error: *cancle it*."""
    from rapidfuzz.distance import OSA

    forms = [each for each in forms_of(verbs) if len(each) >= _LONG]
    return not said.is_question and any(
        OSA.distance(word, form, score_cutoff=1) <= 1
        for word in said.words
        if len(word) >= _LONG
        for form in forms
    )


def _asks_otherwise(scope: Scope, sentence: Sentence) -> bool:
    """Whether it asks in other words: *I want my money back*; *I don't need the lamp any more*."""
    verbs = scope.facts.verbs
    if _MONEY_BACK.search(sentence.text):
        return not verbs.isdisjoint(_GIVES_MONEY)
    unwanted = "cancel" in verbs and _UNWANTED.search(sentence.text)
    return bool(unwanted) and scope.names_record(sentence)


def last_request(scope: Scope) -> Utterance | None:
    """The customer's last message that does more than identify them, or else their last message."""
    return next(_requests(scope), next(iter(scope.customer_messages), None))


def _requests(scope: Scope) -> Iterator[Utterance]:
    return (each for each in scope.customer_messages if not only_identifies(each))


def only_identifies(said: Utterance) -> bool:
    """Whether a message says who the speaker is and nothing else."""
    if not _WHO.search(said.text):
        return False
    rest = [each for each in words(_WHO.sub(" ", said.text)) if each not in _AROUND_WHO]
    return len(rest) <= _MOST_OF_A_NAME and all(each.isalpha() for each in rest)
