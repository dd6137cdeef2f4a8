"""How many were asked for: bags, passengers."""

from __future__ import annotations

from collections.abc import Iterator

from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence
from domains.core.facts import Count
from sessions.events import Disagreement

_NUMBERS = {"one": 1, "a": 1, "an": 1, "single": 1}
_BESIDE = frozenset(
    ["checked", "check", "extra", "additional", "more", "free", "paid", "total", "new", "other"]
)
_NONE = frozenset(["no", "without", "zero", "not", "don't", "dont", "doesn't", "nor", "any"])
_MORE = frozenset(("extra", "additional", "more", "another", "add", "also"))
"""Words by which a number may be what comes on top of what is not told."""

_FREE = frozenset(("allowance", "allowed", "entitled"))


def compare_counts(scope: Scope) -> Iterator[Disagreement]:
    """A line for each number that is not the one that the customer gave last."""
    for count in scope.facts.counts:
        found = _asked(count, scope)
        if found is not None:
            number, sentence = found
            fits = number in (count.total, count.total - count.before)
            if not fits and not (number and _MORE & set(sentence.words)):
                yield Disagreement(
                    kind=f"number of {min(count.words)}s", does=count.does,
                    said=sentence.quoted, by="customer",
                )  # fmt: skip


def _asked(count: Count, scope: Scope) -> tuple[int, Sentence] | None:
    for utterance in scope.customers:
        for sentence in reversed(utterance.own):
            number = None if sentence.unsure else _number(count, sentence)
            if number is not None:
                return number, sentence
    return None


def _number(count: Count, sentence: Sentence) -> int | None:
    """The number of such things that a sentence asks for; None where it gives none."""
    if _FREE & set(sentence.words):
        return None
    for clause in sentence.clauses:
        if clause.mood != "said":
            continue
        for place, word in enumerate(clause.words):
            if word in count.words:
                return _before(clause.words, place)
    return None


def _before(words: tuple[str, ...], place: int) -> int | None:
    """The number in front of a word: *two extra checked bags*, *no bags*."""
    at = place - 1
    while at >= 0 and words[at] in _BESIDE:
        at -= 1
    if at < 0:
        return None
    word = words[at]
    if word.isdigit() and len(word) < 3:
        return int(word)
    if word in _NUMBERS:
        return _NUMBERS[word]
    return (
        0
        if word in _NONE
        or (set(words[:place]) & _NONE and word in ("need", "have", "want", "bring", "add"))
        else None
    )
