"""What a scenario expected of the agent, in words; only to be shown after the session has ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from console.gap_text import gap_sections
from console.widgets.call_text import in_words, name_in_words
from domains.core.domain import Action, Domain, Scenario
from domains.core.draft import Draft
from domains.core.tool import ToolCall
from sessions.events import Logged, Scored
from sessions.scoring.checks import matches_action
from sessions.scoring.trajectory import trajectory

_VERDICTS = {"met": "✓", "unmet": "✗", "not judged": "?"}


@dataclass(frozen=True, slots=True)
class Expected:
    """One thing that was expected."""

    mark: str
    """``✓`` it happened, ``✗`` it did not, ``?`` not judged, ``·`` for information only."""

    text: str


def expectations(
    domain: Domain, scenario: Scenario, scored: Scored, events: Sequence[Logged]
) -> Iterator[tuple[str, list[Expected]]]:
    """Yield headings, each with its list of expectations; optional headings only if not empty."""
    calls = [*_calls(domain, scenario, scored, events), *_others(scenario, scored)]
    yield "Expected of the agent", calls
    said = [Expected(_mark(each.said), f"“{each.text}”") for each in scored.said]
    if said:
        yield "Expected to be said", said
    judged = [
        Expected(_VERDICTS[each.verdict], f"{each.text}{_why(each.verdict, each.why)}")
        for each in scored.assertions
    ]
    if judged:
        yield "For a reader to judge", judged
    for heading, lines in gap_sections(domain, scenario):
        yield heading, [Expected("·", line) for line in lines]


def _calls(
    domain: Domain, scenario: Scenario, scored: Scored, events: Sequence[Logged]
) -> Iterator[Expected]:
    """Yield the task's own calls or, if it has none, those of the nearest acceptable end."""
    if scenario.actions:
        calls = [action.call for action in scenario.actions]
        made = [each.made for each in scored.actions]
    else:
        calls = list(scenario.ends[min(scored.end, len(scenario.ends) - 1)])
        ran = trajectory(events).calls
        made = [any(matches_action(Action(call), each) for each in ran) for call in calls]
    if not any(domain.tools.mutates(call.name) for call in calls):
        unchanged = "no change to the records"
        yield Expected(_mark(scored.writes == 0), unchanged)
    for sentence, done in zip(sentences(domain, calls), made, strict=False):
        yield Expected(_mark(done), sentence)


def _others(scenario: Scenario, scored: Scored) -> Iterator[Expected]:
    others = len(scenario.ends) - 1
    if others > 0:
        which = "the first of them" if scored.end == 0 else f"number {scored.end + 1} of them"
        met = f"the records are at {which}" if scored.records_match else f"{which} is nearest"
        yield Expected("·", f"{others + 1} ends are acceptable: {met}")
        if scenario.ends_from:
            yield Expected("·", scenario.ends_from)


def sentences(domain: Domain, calls: Iterable[ToolCall]) -> Iterator[str]:
    """Yield a sentence for each call, worded for the records as the earlier calls leave them."""
    draft = domain.records().draft()
    for call in calls:
        attempt = Draft(draft)
        failed = domain.tools.run(call, attempt).error
        tool = domain.tools.get(call.name)
        if tool is None or tool.notes is None or failed:
            yield _plainly(call)
        else:
            yield tool.notes.sentence(draft, call.arguments)
        for change in () if failed else attempt.changes():
            draft.put(change.collection, change.key, change.after or {})


def _plainly(call: ToolCall) -> str:
    values = ", ".join(in_words(value) for value in call.arguments.values())
    return f"{name_in_words(call.name)}: {values}" if values else name_in_words(call.name)


def _mark(done: bool) -> str:
    return "✓" if done else "✗"


def _why(verdict: str, why: str) -> str:
    if verdict == "not judged":
        return f" · not judged{f', {why}' if why else ''}"
    return f" · {why}" if why else ""
