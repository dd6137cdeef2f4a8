"""A numbered offer of what a customer's words may have asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.clerk.quoting import quoted
from agent.clerk.steps import Ask, Call, Choice
from agent.clerk.understanding.intents import Guess
from agent.clerk.wording import numbered

NOTHING, NONE = "nothing_changes", ""
OFFERED = 4
"""Intents that are offered, beside "none of these"."""


def offered_intents(guesses: Sequence[Guess], words: Mapping[str, str]) -> list[str]:
    """The intents that words may have, the likeliest first, of those that can be offered."""
    return [each.name for each in guesses if each.name in words][:OFFERED]


def offer(request: Any, names: Sequence[str], words: Mapping[str, str]) -> Ask:
    """What the words of a request may have meant, for the customer to choose."""
    choices = [Choice(each, words[each]) for each in names]
    choices.append(Choice(NONE, "none of these"))
    text = (
        f"I'm not sure what you mean by {quoted(request.text)}. Would you like to\n\n"
        f"{numbered(each.words for each in choices)}"
    )
    return Ask(text, "intent", request, choices=tuple(choices))


def ask_beyond(request: Any) -> Ask:
    """What to do about something that no tool can do."""
    choices = (Choice("human", "talk to a human agent"), Choice("leave", "leave it"))
    text = (
        f"I can't do that myself: {quoted(request.text)}. Would you like to\n\n"
        f"{numbered(each.words for each in choices)}"
    )
    return Ask(text, "transfer", request, choices=choices)


def hand_over(request: Any, words: str) -> Call:
    """The call that hands a customer over to a human."""
    summary = f"The customer asks: {words.strip()[:300]}"
    return Call("transfer_to_human_agents", {"summary": summary}, request)
