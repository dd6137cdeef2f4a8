"""Which of the choices that were offered is meant."""

from __future__ import annotations

import re

from agent.clerk.airline.requests import Said
from agent.clerk.steps import Ask, Choice


def picked(said: Said, ask: Ask) -> Choice | None:
    """The choice that was meant by its number, or by a plain yes where there is one only."""
    for number in said.ordinals:
        place = number - 1 if number > 0 else len(ask.choices) - 1
        if place < len(ask.choices):
            return ask.choices[place]
    if ask.choices and (said.anything or (len(ask.choices) == 1 and said.yes)):
        return ask.choices[0]
    return None


def by_order(said: Said, ask: Ask) -> Choice | None:
    """The flight on offer that was told by its place among them: "the early one"."""
    pool = sorted(ask.choices, key=lambda each: str(each.options.get("leaves", "")))
    if pool and re.search(r"\bearl", said.text):
        return pool[0]
    if pool and re.search(r"\blate", said.text):
        return pool[-1]
    if pool and re.search(r"\bcheap", said.text):
        return min(pool, key=lambda each: each.price)
    return None


def by_digits(said: Said, ask: Ask) -> Choice | None:
    """The card on offer that was told by its last digits alone: "the one ending in 3207"."""
    for digits in re.findall(r"\b\d{4}\b", said.text):
        found = [each for each in ask.choices if each.words.endswith(f"ending in {digits}")]
        if len(found) == 1:
            return found[0]
    return None


def by_worth(said: Said, ask: Ask) -> Choice | None:
    """The method on offer that was told by what is on it: "the 200 dollar one"."""
    endless = float("inf")
    held = [each for each in ask.choices if each.options.get("worth", endless) < endless]
    for number in re.findall(r"\d+", said.text):
        found = [each for each in held if each.options["worth"] == float(number)]
        if len(found) == 1:
            return found[0]
    for words, pick in ((r"\b(?:larg|bigg|high)", max), (r"\b(?:small|low)", min)):
        if held and re.search(words, said.text):
            return pick(held, key=lambda each: float(each.options["worth"]))
    return None
