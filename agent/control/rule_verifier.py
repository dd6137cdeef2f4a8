"""The verifier without a model: what code can tell of the four questions asked before a write.

Whether the change closes the way to something else that the customer asked for is tried: by the
checks that the other tools declare, on the records before it and after it. Whether its arguments
fit the customer's words is the comparison's to say. What neither can see it does not claim.
(Difficulty-routed control, section 3.2.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.comparison import Talk
from agent.comparison.counts import compare_counts
from agent.comparison.trips import compare_dates
from agent.comparison.utterance import Utterance
from agent.comparison.wishes import compare_acts, compare_price
from agent.control.evidence import scope_of_call
from agent.control.requests import asks
from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.records import Preview, Records
from domains.core.tool import UNREADABLE, Tool
from domains.text.one_line import quotation
from sessions.events import AnyEvent, ToolCalled, WriteApplied

QUOTED = 160
"""Characters of the customer's words that the agent is handed."""

_COMPARISONS = (compare_acts, compare_counts, compare_dates, compare_price)
"""Those of the card's comparisons, beside the evidence guard's own, that seldom err."""

_ID = re.compile(r"[\w-]+")


def stands_against(
    domain: Domain, records: Records, preview: Preview, talk: Talk, events: Sequence[AnyEvent]
) -> str | None:
    """The first thing that speaks against a write that was tried on these records, if any."""
    closed = _closes_the_way(domain, records.draft(), preview, talk, events)
    return next(closed, None) or next(_disagrees(domain, records, preview, talk), None)


def _disagrees(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Iterator[str]:
    """Where what it does is not what the customer said; the agent's own words are no evidence."""
    scope = scope_of_call(domain, records, preview, talk)
    if scope is None:
        return
    for each in (line for compare in _COMPARISONS for line in compare(scope)):
        if each.by == "customer":
            yield f"It {each.does}, and the customer said {quotation(each.said, QUOTED)}."


def _closes_the_way(
    domain: Domain, before: Draft, preview: Preview, talk: Talk, events: Sequence[AnyEvent]
) -> Iterator[str]:
    """What was asked for in one breath with this, of the same record, and is lost by it."""
    ids = {name: each for name, each in preview.call.arguments.items() if name.endswith("_id")}
    made = {each.name for each in events if isinstance(each, WriteApplied)}
    for said in _about(domain, {str(each) for each in ids.values()}, talk, events):
        for tool in _tools_beside(preview.call.name, said, domain):
            if tool.name not in made and not _is_settled_by(preview.call.arguments, tool):
                for lost in _preconditions_lost(tool, before, preview.after, ids):
                    what = tool.name.replace("_", " ")
                    yield f"They also want something that comes first ({what}): after this, {lost}."


def _is_settled_by(arguments: Mapping[str, Any], tool: Tool) -> bool:
    """Whether a call says all that such a change would: who pays for new items, for one."""
    parameters: Mapping[str, Any] = tool.schema["function"]["parameters"]["properties"]
    return parameters.keys() <= arguments.keys()


def _tools_beside(name: str, said: Utterance, domain: Domain) -> Iterator[Tool]:
    """The tools for what was asked for in one breath with what this tool is for."""
    asked = [
        each.tools
        for each in domain.routing.requests.values()
        if any(asks(sentence, each, moods=("said",)) for sentence in said.own)
    ]
    others = (each for tools in asked if name not in tools for each in tools)
    if any(name in tools for tools in asked):
        yield from filter(None, map(domain.tools.get, others))


def _about(
    domain: Domain, ids: set[str], talk: Talk, events: Sequence[AnyEvent]
) -> Iterator[Utterance]:
    """What the customer said of this record alone: by its id, or as the only one looked up."""
    known = domain.base.collections.get(domain.routing.records, {})
    looked = {str(v) for e in events if isinstance(e, ToolCalled) for v in e.arguments.values()}
    only = (looked & known.keys()) <= ids
    for said in talk.newest:
        named = set(_records_named(said.text, known)) if said.speaker == "customer" else None
        if named is not None and named <= ids and (named or only):
            yield said


def _records_named(text: str, known: Mapping[str, Any]) -> Iterator[str]:
    """The records that a text names by their ids."""
    for word in _ID.findall(text.upper()):
        yield from (each for each in (word, f"#{word}") if each in known)


def _preconditions_lost(
    tool: Tool, before: Draft, after: Draft, ids: Mapping[str, Any]
) -> Iterator[str]:
    """What such a change needs of these records that holds before and no longer after."""
    for check in tool.notes.checks if tool.notes else ():
        now = check.find(after, ids)
        if not now.holds and now.value != UNREADABLE and check.find(before, ids).holds:
            yield now.value
