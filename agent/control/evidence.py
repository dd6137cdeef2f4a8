"""The evidence guard: a write held against what the session has seen, before there is a card.

Code, without a model. What the tool declares is asked first (ids that were never seen, somebody
else's records); then what the comparison reads in the customer's own words: the other of two of
their records, another item, another way to pay, a value out of nowhere
(difficulty-routed control, section 3.2, mistake-proofing controls).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from agent.comparison import Talk
from agent.comparison.choices import compare_choices
from agent.comparison.records import compare_record
from agent.comparison.scope import Scope
from agent.comparison.selections import compare_selections
from agent.comparison.sources import compare_sources
from agent.control.against import Against
from agent.control.reference import is_about_another
from domains.core.canonical import canonical
from domains.core.domain import Domain
from domains.core.evidence import Seen
from domains.core.facts import Facts
from domains.core.records import Preview, Records
from domains.core.tool import ToolError
from domains.text.one_line import quotation
from sessions.events import Disagreement

QUOTED = 160
"""Characters of the customer's words that the agent is handed."""

PAYMENT = "payment method"
"""What a domain's facts call a way to pay."""

_ODD = (LookupError, TypeError, ValueError, AttributeError, ToolError)
"""What arguments may raise that are too strange to look up; the tool and the card judge those."""

_Compare = Callable[[Scope], Iterator[Disagreement]]
_COMPARISONS: tuple[tuple[str, _Compare], ...] = (
    ("It is the record that the customer named", compare_record),
    ("These are the items that the customer named", compare_selections),
    ("It settles on what the customer chose", compare_choices),
    ("Its values come from the customer or the records", compare_sources),
)


def evidence_against(
    domain: Domain, records: Records, preview: Preview, talk: Talk, seen: Seen
) -> Against | None:
    """The first thing that speaks against a write that was tried on these records, if any."""
    by_tool = _by_tool(domain, records, preview, seen)
    return next(chain(by_tool, _by_words(domain, records, preview, talk)), None)


def _by_tool(domain: Domain, records: Records, preview: Preview, seen: Seen) -> Iterator[Against]:
    """What the guards find that stand beside the tool."""
    tool = domain.tools.get(preview.call.name)
    if tool is None or tool.notes is None:
        return
    for guard in tool.notes.guards:
        try:
            why = next(guard.look(records.draft(), preview.call.arguments, seen), None)
        except _ODD:
            continue
        if why is not None:
            yield Against(guard.name, why)


def scope_of_call(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Scope | None:
    """What a call itself decides, beside what was said; None where that cannot be told."""
    try:
        facts: Facts | None = domain.facts(records.draft(), preview)
    except _ODD:
        return None
    return None if facts is None else Scope(_of_call(facts, preview), talk)


def _of_call(facts: Facts, preview: Preview) -> Facts:
    """The facts without the ways to pay that the call does not choose.

    Where a cancellation's refund goes the tool alone decides: no other call could put it right, and
    what the customer said of a way to pay was of something else.
    """
    given = canonical(dict(preview.call.arguments))
    chosen = (
        each
        for each in facts.choices
        if each.kind != PAYMENT or any(key in given for key in each.chosen)
    )
    return replace(facts, choices=tuple(chosen))


def _by_words(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Iterator[Against]:
    """What the customer's own words say against it; the agent's words are no evidence."""
    scope = scope_of_call(domain, records, preview, talk)
    if scope is None:
        return
    known = domain.base.collections.get(domain.routing.records, {})
    record = next((each for each in preview.call.arguments.values() if _is_in(each, known)), None)
    for guard, compare in _COMPARISONS:
        for line in compare(scope):
            if line.by == "customer" and is_about_another(line.said, record, known.keys(), talk):
                continue
            if line.by == "customer":
                words = quotation(line.said, QUOTED)
                yield Against(guard, f"It {line.does}, and the customer said {words}.")
            elif compare is compare_sources:
                yield Against(guard, f"It {line.does}, which nobody said and no look-up showed.")


def _is_in(value: object, known: Mapping[str, Any]) -> bool:
    return isinstance(value, str) and value in known
