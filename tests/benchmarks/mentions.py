"""How often the roles of mentions are told right: ``python -m tests.benchmarks.mentions``.

The messages are those of two writers that nothing was learned from (``kept_out.txt`` in
``tests/generators/clerk_mentions/data``); what each mention is to the customer was marked by them.
It is also printed what the clerk makes of the messages that name methods of payment: which of them
it would use.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from agent.clerk.airline.parsed_sentence import parse_sentence
from agent.clerk.airline.payment_mentions import wanted_payments
from agent.clerk.retail.payment_slots import kinds
from agent.clerk.understanding.mention_roles import ROLES, Role, roles_of
from tests.generators.clerk_mentions.messages import Message, read_messages

METHODS = {
    "certificate": "certificate|voucher",
    "gift card": "gift card",
    "visa": "visa",
    "mastercard": "master ?card",
    "amex": "amex|american express",
    "paypal": "paypal",
}
"""Methods of payment, and how they are written."""

TODAY = date(2024, 5, 15)

OF_FLIGHTS = re.compile("flight|trip|certificate|bag|passenger|seat|fly|cabin|booking")
"""What only the airline's customers say."""


def told() -> Counter[tuple[Role, Role]]:
    """How many mentions there are of each role, each with the role that is told."""
    messages = read_messages("kept_out")
    return Counter(
        pair for e in messages for pair in zip(e.roles, roles_of(e.text, e.spans), strict=True)
    )


def method_in(words: str) -> str:
    """The method of payment that some words name; empty if they name none."""
    found = (name for name, written in METHODS.items() if re.search(written, words.lower()))
    return next(found, "")


def used(text: str) -> set[str]:
    """The methods that the clerk of the store, or of the airline, would use by a text."""
    if not OF_FLIGHTS.search(text):
        return {method_in(each) for each in kinds(text)} - {""}
    wanted = wanted_payments(parse_sentence(text, TODAY))
    return {method_in((each.brand or each.kind).replace("_", " ")) for each in wanted} - {""}


def outcome(message: Message) -> str:
    """What the clerk makes of the methods in a message: ``exact``, ``wrong`` or ``missed``."""
    named = [(method_in(message.text[a:b]), role) for (a, b), role in _marked(message)]
    wanted = {method for method, role in named if method and role == "wanted"}
    found = used(message.text)
    if not any(method for method, _ in named):
        return ""
    return "exact" if found == wanted else "wrong" if found - wanted else "missed"


def _marked(message: Message) -> list[tuple[tuple[int, int], Role]]:
    return [*zip(message.spans, message.roles, strict=True)]


def main() -> None:
    """Print how many mentions are told right, and of each role what is found and what is right."""
    paid = Counter(filter(None, map(outcome, read_messages("kept_out"))))
    print(
        f"{paid.total()} messages that name methods of payment: {paid['exact']} read exactly, in "
        f"{paid['wrong']} one is used that should not be, in {paid['missed']} one is missed"
    )
    counts = told()
    right = sum(many for (one, other), many in counts.items() if one == other)
    print(f"{counts.total()} mentions, {right} told right ({right / counts.total():.1%})")
    print(f"{'':10} {'all':>5} {'found':>6} {'told':>5} {'right':>6}")
    for role in ROLES:
        own = sum(many for (each, _), many in counts.items() if each == role)
        said = sum(many for (_, each), many in counts.items() if each == role)
        both = counts[role, role]
        print(f"{role:10} {own:5} {both / own:6.1%} {said:5} {both / said:6.1%}")


if __name__ == "__main__":
    main()
