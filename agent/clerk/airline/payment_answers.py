"""Answers to the question how something is to be paid."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.airline.picking import by_digits, by_worth, picked
from agent.clerk.airline.requests import Pay, Request, Said
from agent.clerk.steps import Ask


def paid(about: Request, details: Request, said: Said, ask: Ask) -> None:
    """Which of the methods on offer, and which others beside it, pay."""
    exact = by_digits(said, ask) or by_worth(said, ask)
    choice = exact or picked(said, ask)
    vague = all(each.pick or not each.kind for each in details.payments)
    if exact is not None:
        details.payments = _with_exact(details.payments, exact.value)
    elif choice is not None and vague:
        details.payments = [Pay(id=choice.value)]
    if ask.slot == "payment_rest" and details.payments:
        again = any(each in about.payments for each in details.payments)
        details.payments = details.payments if again else [*about.payments, *details.payments]
    elif ask.slot == "payment_which" and details.payments:
        details.payments = _in_place_of(about.payments, ask.thing or (), details.payments)


def _with_exact(told: list[Pay], method_id: str) -> list[Pay]:
    """The methods told, the one that was pointed at exactly in place of its vaguer mentions."""
    bare = Pay(method_id.rpartition("_")[0])
    named = [
        Pay(id=method_id) if not each.kind or replace(each, brand="", digits="") == bare else each
        for each in told
    ] or [Pay(id=method_id)]
    return [each for n, each in enumerate(named) if each not in named[:n]]


def _in_place_of(old: list[Pay], gone: tuple[Pay, ...], new: list[Pay]) -> list[Pay]:
    """The methods named before, with those that one was to be chosen from replaced."""
    kept = [each for each in old if not any(each == one for one in gone)]
    place = next((n for n, each in enumerate(old) if any(each == one for one in gone)), 0)
    fresh = [each for each in new if each not in kept]
    return [*kept[:place], *fresh, *kept[place:]]
