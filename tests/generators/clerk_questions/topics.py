"""Questions at a card of which only the topic is known, and the facts that are on each topic.

They are short and plain, as people type: "who is flying?". Which fact answers one depends on the
card, so that at each card all facts on its topic count as an answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"

_ON = {
    "why": r"^I can't tell you why|^It goes to your .* because|you paid .* for the old one"
    r"|^What you pay (?:or get back )?is|^You pay only for bags|^Of the ",
    "arrival": r"^I can't see when|^With this, order .* goes|^The address stays|^None of order",
    "next": r"^Nothing has been changed yet|^You get an email|^Whether you get a confirmation"
    r"|^There is nothing to send back",
    "marks": r"^The card shows how",
    "later": r"^Afterwards (?!:)|can be (?:changed|cancelled|spent)|can still|can be added|again\.$"
    r"|^Once it has been delivered|^After this the",
    "amount": r"^You (?:get|pay) \$.* in all|^You get back all|^All of the \$|^The price stays"
    r"|^This costs nothing|costs nothing: there is no fee|you paid .* for the old one"
    r"|^The travel certificate is worth",
    "payment": r"all of it goes to your|all of it with your|^All of the \$.* is paid with"
    r"|^You pay \$.* with your|^You get back all|^Pay \$|^Afterwards: (?:pay|refund) \$",
    "new_one": r"^What you get as the new|becomes|is new with this change|^The new "
    r"|^On (?:your new booking|reservation .*), flight|^Instead: ",
    "contents": r"that covers the whole order|^You send back|^That is everything|comes to \$"
    r"|^Reservation .* is in|^Cancelling covers|^It is for",
    "keep": r"is not part of this|stays? as |this stays the same|stays with|^As before",
    "address": r"goes to |default address",
    "balance": r"^Your gift card has|on your gift card|worth \$|balance",
    "wish": r"You can approve it",
    "approve": r"You can approve it",
    "others": r"other orders and your profile|^This changes nothing about|^This does not move"
    r"|already placed|^Only the default address|other reservations and your profile",
    "before": r"^Before this|^The .* becomes|was .* before|^You no longer fly|^No longer"
    r"|you paid .* for the old one|address was ",
    "when": r"^The money arrives|business days|no money moves until",
    "total": r"^The price stays|^You (?:get|pay) \$.* in all|^The new .* costs",
    "people": r"^It is for|^There (?:is|are) .* passenger|^Passengers: |, becomes |stays on it",
    "open": r"^That comes next|^Nothing else is noted",
    "options": r"^The .* (?:is in stock|is not available)|^With .* instead|in basic economy, \$",
    "split": r"can't be split|has to be one payment method|^You pay \$.* in all:",
    "cabin": r"^All flights and all passengers|^The cabin (?:was|stays)",
    "bags": r"^With this, .* bag|^The bags stay",
    "times": r"leaves at|\d\d:\d\d–\d\d:\d\d",
    "insurance": r"ravel insurance",
}
"""What tells that a fact is on a topic."""


class TopicQuestion(NamedTuple):
    """A question at a card, and its topics."""

    text: str
    topics: tuple[str, ...]


@cache
def topic_questions(domain: str) -> list[TopicQuestion]:
    """The questions of a domain, without those about rules."""
    lines = (DATA / f"topics_{domain}.jsonl").read_text("utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    found = (TopicQuestion(row["text"], tuple(row["labels"])) for row in rows)
    return [each for each in found if "rules" not in each.topics]


def is_at_card(facts: Sequence[str]) -> bool:
    """Whether facts were told while a card waited."""
    return any(each.startswith("Nothing has been changed yet") for each in facts)


def places_on(topics: Sequence[str], facts: Sequence[str]) -> list[int]:
    """The places of the facts on any of some topics."""
    patterns = [_ON[topic] for topic in topics if topic in _ON]
    return [n for n, fact in enumerate(facts) if any(re.search(each, fact) for each in patterns)]
