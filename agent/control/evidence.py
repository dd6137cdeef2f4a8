"""The evidence guard: compares a write with what the session has seen, before there is a card.

It is code, without a model. First come the guards that the tool declares (ids that were never seen,
another customer's records). Then the write is compared with the customer's own words: another of
their records, another item, another payment method, a value from nowhere (difficulty-routed
control, section 3.2, mistake-proofing controls).
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
from agent.control.objection import Objection
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
"""Characters of the customer's words that are quoted to the agent."""

PAYMENT = "payment method"
"""The kind of choice that a domain's facts use for payment methods."""

_STRANGE_ARGUMENT_ERRORS = (LookupError, TypeError, ValueError, AttributeError, ToolError)
"""Errors from arguments too strange to look up; the tool and the card deal with those."""

_Compare = Callable[[Scope], Iterator[Disagreement]]
_COMPARISONS: tuple[tuple[str, _Compare], ...] = (
    ("It is the record that the customer named", compare_record),
    ("These are the items that the customer named", compare_selections),
    ("It settles on what the customer chose", compare_choices),
    ("Its values come from the customer or the records", compare_sources),
)


def first_evidence_objection(
    domain: Domain, records: Records, preview: Preview, talk: Talk, seen: Seen
) -> Objection | None:
    """The first objection to a write that was tried on these records, if any."""
    by_tool = _by_tool(domain, records, preview, seen)
    return next(chain(by_tool, _by_words(domain, records, preview, talk)), None)


def _by_tool(domain: Domain, records: Records, preview: Preview, seen: Seen) -> Iterator[Objection]:
    """Yield the objections of the guards that the tool declares."""
    tool = domain.tools.get(preview.call.name)
    if tool is None or tool.notes is None:
        return
    for guard in tool.notes.guards:
        try:
            why = next(guard.objections(records.draft(), preview.call.arguments, seen), None)
        except _STRANGE_ARGUMENT_ERRORS:
            continue
        if why is not None:
            yield Objection(guard.name, why)


def scope_of_call(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Scope | None:
    """What a call decides by itself, with the conversation; None if that cannot be determined."""
    try:
        facts: Facts | None = domain.facts(records.draft(), preview)
    except _STRANGE_ARGUMENT_ERRORS:
        return None
    return None if facts is None else Scope(_of_call(facts, preview), talk)


def _of_call(facts: Facts, preview: Preview) -> Facts:
    """The facts without payment methods that the call does not choose.

    A cancellation's refund goes where the tool alone decides: no other call could change that, and
    what the customer said about a payment method was about something else.
    """
    given = canonical(dict(preview.call.arguments))
    chosen = (
        each
        for each in facts.choices
        if each.kind != PAYMENT or any(key in given for key in each.chosen)
    )
    return replace(facts, choices=tuple(chosen))


def _by_words(
    domain: Domain, records: Records, preview: Preview, talk: Talk
) -> Iterator[Objection]:
    """Yield the objections from the customer's own words; the agent's words are no evidence."""
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
                yield Objection(guard, f"It {line.does}, but the customer said {words}.")
            elif compare is compare_sources:
                yield Objection(guard, f"It {line.does}, which nobody said and no look-up showed.")


def _is_in(value: object, known: Mapping[str, Any]) -> bool:
    return isinstance(value, str) and value in known
