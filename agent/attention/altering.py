"""Makes a deliberately wrong card: the true call with one value swapped, tried like any other.

What the customer may have meant is never treated as wrong: a call that the agent proposed itself, a
value that the customer named, or a call that the scenario, if there is one, lists in an ending.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from random import Random
from typing import Any

from agent.attention.swaps import Readings, Swap, swaps
from agent.gate.proposal import Proposal, card_of
from agent.session.turn_context import TurnContext
from domains.core.consent import call_digest
from domains.core.domain import Scenario
from domains.core.records import Preview, Records
from domains.core.tool import ToolCall
from sessions.cleaning import clean
from sessions.events import (
    Card,
    CustomerSaid,
    DecisionMade,
    Logged,
    ModelAnswered,
    ToolReturned,
)
from sessions.json_strings import strings_in
from sessions.proposals import arguments_of_proposal

TRIES = 80
"""How many altered calls are tried for one check."""

LINKS = 2
"""How many links away from the customer's own record another record is still read."""

APART = 2
"""How many equal words may separate differences that are described as one."""

FEWEST = 2
"""How few words a difference may have; a shorter one is described with the next word."""

LONGEST = 160
"""How many characters of each side of a swap are quoted."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A card with one value swapped."""

    card: Card
    words: str
    """The swap in words: ``order id #W2 in place of #W1``."""


def alter_card(
    ctx: TurnContext, proposal: Proposal, preview: Preview, chance: Random
) -> Altered | None:
    """A wrong card that could pass for the agent's own; None if no swap makes one.

    Its call would succeed and fails no check that code can evaluate, so that only reading the card
    shows that it is wrong. For the same reason, one with no more disagreements than the true card
    is preferred; any other is better than none.
    """
    true = card_of(ctx, proposal, preview)
    log = list(ctx.log.with_held)
    right = {call_digest(call) for call in (*_proposals(log), *_ends(ctx.scenario))}
    words = _customers_words(log)
    readings = _readings(ctx.records, ctx.customer, log)
    schema = proposal.tool.schema["function"]["parameters"]
    offered = swaps(proposal.call.arguments, schema, readings, chance)
    fitting = (each for each in offered if not _is_meant(each.new, words))
    marked: Altered | None = None
    for swap in islice(fitting, TRIES):
        call = ToolCall(proposal.call.name, swap.apply_to(proposal.call.arguments))
        card = None if call_digest(call) in right else _try_call(ctx, proposal, call)
        if card is None or card.after == true.after:
            continue
        found = Altered(card, _describe_swap(swap, true, card))
        if len(card.disagreements) <= len(true.disagreements):
            return found
        marked = marked or found
    return marked


def _try_call(ctx: TurnContext, proposal: Proposal, call: ToolCall) -> Card | None:
    """The card of a call that succeeds, changes something and fails no check, else None."""
    preview = ctx.records.preview(call)
    if preview.result.error or not preview.changes:
        return None
    card = card_of(ctx, proposal, preview)
    return None if card.failing else card


def _proposals(log: Sequence[Logged]) -> Iterator[ToolCall]:
    for logged in log:
        if isinstance(logged.event, ModelAnswered):
            for call in logged.event.calls:
                yield ToolCall(call.name, arguments_of_proposal(call) or {})


def _ends(scenario: Scenario | None) -> Iterator[ToolCall]:
    if scenario is not None:
        yield from (call for end in scenario.ends for call in end)


def _customers_words(log: Sequence[Logged]) -> str:
    said: list[str] = []
    for logged in log:
        match logged.event:
            case CustomerSaid(text=text) | DecisionMade(words=text):
                said.append(text)
            case _:
                pass
    return "\n".join(said).casefold()


def _is_meant(value: Any, words: str) -> bool:
    """Whether the customer named a value, or a card could not show it unchanged."""
    text = str(value)
    if clean(text) != text:
        return True
    named = text.strip().casefold()
    return bool(named) and re.search(rf"(?<!\w){re.escape(named)}(?!\w)", words) is not None


def _readings(records: Records, customer: str | None, log: Sequence[Logged]) -> Readings:
    """The values that the agent has read, and the customer's records with those they link to."""
    found = Readings()
    for logged in log:
        if isinstance(logged.event, ToolReturned) and not logged.event.error:
            found.read(_json(logged.event.text))
    for record in _linked_records(records, customer):
        found.read(record)
    return found


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _linked_records(records: Records, customer: str | None) -> Iterator[Any]:
    """Yield the customer's record, the records whose ids occur in it, and theirs in turn."""
    seen: set[str] = set()
    ids = [] if customer is None else [customer]
    for _ in range(LINKS + 1):
        fresh = [each for each in dict.fromkeys(ids) if each not in seen]
        seen.update(fresh)
        held = [
            record
            for each in fresh
            for collection in records.base.collections
            if (record := records.get(collection, each)) is not None
        ]
        yield from held
        ids = [text for record in held for text in strings_in(record)]


def _describe_swap(swap: Swap, true: Card, wrong: Card) -> str:
    """Describe a swap to the person, by its values if the cards show them."""
    by_value = f"{_label(swap)} {_value(swap.new)} in place of {_value(swap.old)}"
    if _shows(wrong, swap.new) and _shows(true, swap.old):
        return by_value
    pairs = zip((true.sentence, *true.after), (wrong.sentence, *wrong.after), strict=False)
    for meant, said in pairs:
        if meant.split() != said.split():
            one, other = _differing(said, meant)
            return f"“{one}” in place of “{other}”"
    return by_value


def _shows(card: Card, value: Any) -> bool:
    """Whether a value can be read on a card; an empty one always counts as readable."""
    return any(str(value) in line for line in (card.sentence, *card.after))


def _value(value: Any) -> str:
    return str(value) if str(value).strip() else "nothing"


def _label(swap: Swap) -> str:
    """The name of a value: ``order id``, and ``new item id`` for one in a list ``new_item_ids``."""
    *before, last = swap.path
    name = str(before[-1]).removesuffix("s") if isinstance(last, int) and before else str(last)
    return name.replace("_", " ")


def _differing(one: str, other: str) -> tuple[str, str]:
    """The words in which two sentences first differ, with enough around them to be readable."""
    ours, theirs = one.split(), other.split()
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    (_, i, j, k, m), *more = [each for each in matcher.get_opcodes() if each[0] != "equal"]
    for _, start, end, _, finish in more:
        if start - j > APART and min(j - i, m - k):  # one missing word says nothing by itself
            break
        j, m = end, finish
    if min(j - i, m - k) < FEWEST:
        j, m = j + 1, m + 1
    return _cut(ours[i:j]), _cut(theirs[k:m])


def _cut(words: Sequence[str]) -> str:
    """Quote words without stray punctuation or brackets at their ends, and not too long."""
    text = " ".join(words).strip(" .,;") or "nothing"
    if text.count("(") > text.count(")"):
        text = text.removeprefix("(") if text.startswith("(") else f"{text})"
    elif text.count(")") > text.count("("):
        text = text.removesuffix(")")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
