"""Cutting "if that is not possible, then …" out of a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from agent.clerk.english import Language

UNNAMED = "not possible"
"""The condition of "otherwise", which names none."""


@dataclass(frozen=True, slots=True)
class Fallback:
    """What to do when something turns out not to be possible."""

    condition: str
    then: str


def split_fallbacks(sentence: str, language: Language) -> tuple[str, list[Fallback]]:
    """A sentence without its fallback, and the fallbacks it held."""
    for name in ("bare", "if_commas", "if_plain", "if_first"):
        hit = language.pattern(name).search(sentence)
        if hit is None:
            continue
        condition = hit.groupdict().get("cond") or UNNAMED
        if not language.says("condition", condition):
            continue
        main, more = split_fallbacks(sentence[: hit.start()].strip(" ,"), language)
        then, nested = _nested(hit.group("then"), language)
        return main, [*more, Fallback(condition, then), *nested]
    return _late(sentence, language)


def _nested(then: str, language: Language) -> tuple[str, list[Fallback]]:
    rest, more = split_fallbacks(then, language)
    return (rest, more) if rest else (then, [])


def _late(sentence: str, language: Language) -> tuple[str, list[Fallback]]:
    """The condition at the end: "the blue one, or the black one if blue is sold out"."""
    hit = language.pattern("suffix").match(sentence)
    if hit and language.says("condition", hit.group("cond")):
        return hit.group("main"), [Fallback(hit.group("cond"), hit.group("then"))]
    hit = language.pattern("late").match(sentence)
    if hit and language.says("late_condition", hit.group("cond")):
        return "", [Fallback(hit.group("cond"), hit.group("then"))]
    return sentence, []
