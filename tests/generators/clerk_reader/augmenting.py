"""Makes of an example what else people may write: typos, other cuts, two in one breath."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from agent.clerk.understanding.labelling import ANYTHING
from agent.clerk.understanding.segmenting import clause_spans
from tests.generators.clerk_reader.examples import Example, Part, tails

JOINTS = (". ", ", ", " and ", ". Also, ", "; ", " - ", ". And ", " then ", "... ", "\n")
TOGETHER = 0.3
"""How many of the single sentences get another one behind them."""

TAKEN_BACK = 0.15
"""How many of the examples in which something is wanted get words behind them that take all of it
back; as many get words that only look like it."""

CUT = 0.6
"""How many of the messages are cut at every joint, as the program cuts them."""

NOT_KNOWN = 0.2
"""How often the question is left out, so that a message is also read for itself."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_MANNERS = frozenset({"chat", "smalltalk", "greeting", "identify"})


@dataclass(frozen=True)
class Span:
    """A part of a text with its labels."""

    start: int
    end: int
    part: Part


@dataclass(frozen=True)
class Passage:
    """A text to read, with the parts that have labels."""

    domain: str | None
    asked: str
    text: str
    spans: tuple[Span, ...]


def as_written(example: Example) -> Passage:
    """The example as it is, its parts joined by spaces."""
    return _join(example, [each.text for each in example.parts], [" "] * len(example.parts))


def vary(
    example: Example, others: Mapping[tuple[str | None, str], Sequence[Example]], drawn: Random
) -> Passage:
    """The example as somebody else may have written it.

    Args:
        example: What is to be said.
        others: Single sentences of each domain, by what they reply to.
        drawn: What chance decides by.
    """
    whole = len(example.parts) > 1
    if not whole and example.domain is not None and drawn.random() < TOGETHER:
        example = _with_another(example, others, drawn)
    joints = [" " if whole else drawn.choice(JOINTS) for _ in example.parts]
    if any(each.stance == "want" for each in example.parts):
        example = _with_tail(example, drawn)
        joints = [*joints, drawn.choice(JOINTS[:-1])][: len(example.parts)]
    passage = _join(example, [_misspell(each.text, drawn) for each in example.parts], joints)
    if whole and drawn.random() < CUT:
        passage = replace(passage, spans=tuple(_cut(passage)))
    return replace(passage, asked=ANYTHING) if drawn.random() < NOT_KNOWN else passage


def _join(example: Example, texts: list[str], joints: list[str]) -> Passage:
    text, spans = "", []
    for part, said, joint in zip(example.parts, texts, joints, strict=True):
        text = f"{text}{joint}" if text else text
        spans.append(Span(len(text), len(text) + len(said), part))
        text += said
    return Passage(example.domain, example.asked, text, tuple(spans))


def _with_another(
    example: Example, others: Mapping[tuple[str | None, str], Sequence[Example]], drawn: Random
) -> Example:
    """The example and a second sentence, if neither can take the other back."""
    first = example.parts[0]
    pool = others.get((example.domain, example.asked))
    second = drawn.choice(pool).parts[0] if pool else None
    if second is None or second.stance in ("deny", None) or second.intent == "no":
        return example
    if first.stance == "deny" and not (second.stance == "none" and second.intent in _MANNERS):
        return example
    return replace(example, parts=(first, second))


def _with_tail(example: Example, drawn: Random) -> Example:
    """The example, now and then with words behind it that take it back, or that do not."""
    chance = drawn.random()
    if chance < TAKEN_BACK:
        denied = (replace(e, stance="deny") if e.stance == "want" else e for e in example.parts)
        tail = Part(drawn.choice(tails()["back"]), "nothing_changes", "deny")
        return replace(example, parts=(*denied, tail))
    if chance < 2 * TAKEN_BACK:
        return replace(
            example, parts=(*example.parts, Part(drawn.choice(tails()["not"]), None, None))
        )
    return example


def _cut(passage: Passage) -> list[Span]:
    """The clauses as the program cuts them, each with the labels of the part it lies in most."""
    found, begin = [], 0
    for sentence in _SENTENCE_END.split(passage.text):
        begin = passage.text.index(sentence, begin)
        for start, end in clause_spans(sentence):
            own = (begin + start, begin + end)
            part = max(passage.spans, key=lambda each: _shared(own, each)).part
            found.append(Span(*own, part))
        begin += len(sentence)
    return found or [*passage.spans]


def _shared(one: tuple[int, int], other: Span) -> int:
    return min(one[1], other.end) - max(one[0], other.start)


def _misspell(text: str, drawn: Random) -> str:
    """The text with typos, without capitals or marks, in capitals; mostly as it is."""
    if drawn.random() < 0.12:
        text = " ".join(
            _typo(each, drawn) if drawn.random() < 0.2 else each for each in text.split(" ")
        )
    if drawn.random() < 0.2:
        text = text.lower()
    chance = drawn.random()
    if chance < 0.1:
        return re.sub(r"[.,!?'’;]", "", text)
    return text.upper() if chance < 0.14 else text


def _typo(word: str, drawn: Random) -> str:
    """A word with a letter left out, swapped, doubled or replaced."""
    if len(word) < 4 or not word.isalpha():
        return word
    place = drawn.randrange(1, len(word) - 1)
    before, here, after = word[:place], word[place], word[place + 1 :]
    return drawn.choice(
        (
            f"{before}{after}",
            f"{before}{after[0]}{here}{after[1:]}",
            f"{before}{here}{here}{after}",
            f"{before}{drawn.choice('aeioustrnl')}{after}",
        )
    )
