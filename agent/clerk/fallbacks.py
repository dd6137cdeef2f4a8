"""Cutting "if that is not possible, then …" out of a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.clerk.language import pattern


@dataclass(frozen=True, slots=True)
class Fallback:
    """What to do when something turns out not to be possible."""

    condition: str
    then: str


def split_fallbacks(sentence: str) -> tuple[str, list[Fallback]]:
    """A sentence without its fallback, and the fallbacks it held."""
    for find in (pattern("bare"), pattern("if_commas"), pattern("if_plain"), pattern("if_first")):
        hit = find.search(sentence)
        if hit is None:
            continue
        condition = hit.groupdict().get("cond") or "not possible"
        if not pattern("condition").search(condition):
            continue
        main, more = split_fallbacks(sentence[: hit.start()].strip(" ,"))
        then, nested = _nested(hit.group("then"))
        return main, [*more, Fallback(condition, then), *nested]
    return _late(sentence)


def _nested(then: str) -> tuple[str, list[Fallback]]:
    rest, more = split_fallbacks(then)
    return (rest, more) if rest else (then, [])


def _late(sentence: str) -> tuple[str, list[Fallback]]:
    """The condition at the end: "the blue one, or the black one if blue is sold out"."""
    hit = pattern("suffix").match(sentence)
    if hit and pattern("condition").search(hit.group("cond")):
        return hit.group("main"), [Fallback(hit.group("cond"), hit.group("then"))]
    hit = pattern("late").match(sentence)
    if hit and re.match(
        r"(?:it|that|this|the \w+|there|you|they|one|blue|not)\b", hit.group("cond")
    ):
        condition = hit.group("cond")
        if pattern("condition").search(condition) and re.search(
            r"\b(?:available|possible|work|stock|can't|cannot|there (?:is|are) n)", condition
        ):
            return "", [Fallback(condition, hit.group("then"))]
    return sentence, []
