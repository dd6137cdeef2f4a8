"""The verifier without a model: the part of its four questions that code can answer.

Whether the change makes another request of the customer impossible is found out by a trial: the
checks that the other tools declare are run on the records before and after it. Whether its
arguments fit the customer's words is decided by the comparison. It claims nothing that neither of
these can see. (Difficulty-routed control, section 3.2.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.comparison import Talk
from agent.comparison.act_and_price import compare_acts, compare_price
from agent.comparison.counts import compare_counts
from agent.comparison.trips import compare_dates
from agent.comparison.utterance import Utterance
from agent.control.evidence import scope_of_call
from agent.control.requests import asks_for
from domains.core.domain import Domain
from domains.core.draft import Draft
from domains.core.records import Preview, Records
from domains.core.tool import UNREADABLE, Tool
from domains.text.one_line import quotation
from sessions.events import AnyEvent, ToolCalled, WriteApplied

QUOTED = 160
"""Characters of the customer's words that are quoted to the agent."""

_COMPARISONS = (compare_acts, compare_counts, compare_dates, compare_price)
"""Those of the card's comparisons, beside the evidence guard's own, that are seldom wrong."""

_ID = re.compile(r"[\w-]+")


def rule_objection(
    domain: Domain, records: Records, preview: Preview, talk: Talk, events: Sequence[AnyEvent]
) -> str | None:
    """The first objection to a write that was tried on these records, if any."""
    closed = _requests_ruled_out(domain, records.draft(), preview, talk, events)
    return next(closed, None) or next(_disagreements(domain, records, preview, talk), None)


def _disagreements(domain: Domain, records: Records, preview: Preview, talk: Talk) -> Iterator[str]:
    """Yield where the write differs from what the customer said; the agent's words do not count."""
    scope = scope_of_call(domain, records, preview, talk)
    if scope is None:
        return
    for each in (line for compare in _COMPARISONS for line in compare(scope)):
        if each.by == "customer":
            yield f"It {each.does}, but the customer said {quotation(each.said, QUOTED)}."


def _requests_ruled_out(
    domain: Domain, before: Draft, preview: Preview, talk: Talk, events: Sequence[AnyEvent]
) -> Iterator[str]:
    """Yield each request made together with this one, for the same record, that it rules out."""
    ids = {name: each for name, each in preview.call.arguments.items() if name.endswith("_id")}
    made = {each.name for each in events if isinstance(each, WriteApplied)}
    for said in _messages_about_record(domain, {str(each) for each in ids.values()}, talk, events):
        for tool in _tools_beside(preview.call.name, said, domain):
            if tool.name not in made and not _is_settled_by(preview.call.arguments, tool):
                for lost in _preconditions_lost(tool, before, preview.after, ids):
                    what = tool.name.replace("_", " ")
                    yield (
                        f"They also want something that has to come first ({what}): after this, "
                        f"{lost}."
                    )


def _is_settled_by(arguments: Mapping[str, Any], tool: Tool) -> bool:
    """Whether a call already has every argument of the tool, such as who pays for new items."""
    parameters: Mapping[str, Any] = tool.schema["function"]["parameters"]["properties"]
    return parameters.keys() <= arguments.keys()


def _tools_beside(name: str, said: Utterance, domain: Domain) -> Iterator[Tool]:
    """Yield the tools for changes requested in the same message as the one that this tool makes."""
    asked = [
        each.tools
        for each in domain.routing.requests.values()
        if any(asks_for(sentence, each, moods=("said",)) for sentence in said.own)
    ]
    others = (each for tools in asked if name not in tools for each in tools)
    if any(name in tools for tools in asked):
        yield from filter(None, map(domain.tools.get, others))


def _messages_about_record(
    domain: Domain, ids: set[str], talk: Talk, events: Sequence[AnyEvent]
) -> Iterator[Utterance]:
    """Yield the customer's messages about this record alone: named, or the only one looked up."""
    known = domain.base.collections.get(domain.routing.records, {})
    looked = {str(v) for e in events if isinstance(e, ToolCalled) for v in e.arguments.values()}
    only = (looked & known.keys()) <= ids
    for said in talk.newest:
        named = set(_records_named(said.text, known)) if said.speaker == "customer" else None
        if named is not None and named <= ids and (named or only):
            yield said


def _records_named(text: str, known: Mapping[str, Any]) -> Iterator[str]:
    """Yield the records that a text names by their ids."""
    for word in _ID.findall(text.upper()):
        yield from (each for each in (word, f"#{word}") if each in known)


def _preconditions_lost(
    tool: Tool, before: Draft, after: Draft, ids: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the preconditions of a tool that are true before the change and false after it."""
    for check in tool.notes.checks if tool.notes else ():
        now = check.run(after, ids)
        if not now.holds and now.value != UNREADABLE and check.run(before, ids).holds:
            yield now.value
