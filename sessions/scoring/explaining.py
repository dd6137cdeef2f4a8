"""Explain why the reward of an imported run differs here from its file: by which call or value.

A reward is a product of parts. If the file lists its parts, they are compared with ours one by one.
If it does not, a change that had another outcome when it was repeated may still explain it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from domains.core.canonical import canonical
from domains.text.quantity import quantity
from sessions.cleaning import clean
from sessions.events import (
    Imported,
    Logged,
    ModelAnswered,
    ProposedCall,
    ResultDiffered,
    Scored,
    ToolReturned,
    WriteApplied,
)

MOST = 5
"""The most calls that are listed; the others usually follow from the first that differed."""

LONGEST = 120
"""The most characters of quoted text in a sentence."""

Missing = object()

_RIGHT = {True: "right", False: "wrong"}


def explain_reward_difference(
    run: Imported | None, scored: Scored, events: Sequence[Logged]
) -> list[str]:
    """Sentences on why our reward differs from the recorded one; empty if the two are equal."""
    if run is None or run.recorded_reward is None:
        return []
    if abs(run.recorded_reward - scored.reward) < 1e-6:
        return []
    found = [*_parts(run, scored)]
    if _records_differ(run, scored):
        found += _changes(events) or [
            "Every change had the same outcome here, so either the expected end or the initial "
            "records must differ."
        ]
    return found or ["The file does not say how its reward was computed, and every change had the "
                     "same outcome here."]  # fmt: skip


def _records_differ(run: Imported, scored: Scored) -> bool:
    """Whether the records may explain the difference."""
    there = run.checks.records
    if there is None:  # not in the file, so any change with another outcome matters
        return not any(_parts(run, scored))
    return "DB" in scored.basis and there != scored.task_end


def _parts(run: Imported, scored: Scored) -> Iterator[str]:
    if run.checks_of:
        yield f"The recorded checks belong to another task, {run.checks_of}."
    if scored.cut_short:
        yield f"It ended with {scored.cut_short}, so its reward is 0 here."
    there = run.checks.records
    if there is not None and "DB" in scored.basis and there != scored.task_end:
        yield f"The records were {_RIGHT[there]} there and are {_RIGHT[not there]} here."
    if "COMMUNICATE" in scored.basis:
        yield from _lines_on_words(run, scored)
    if "ACTION" in scored.basis:
        yield from _actions(run, scored)
    if "NL_ASSERTION" in scored.basis:
        yield from _verdicts(run, scored)


def _lines_on_words(run: Imported, scored: Scored) -> Iterator[str]:
    there = {each.text: each.said for each in run.checks.said}
    for each in scored.said:
        if there.get(each.text, each.said) != each.said:
            counts, not_there = ("said", "not said") if each.said else ("not said", "said")
            yield f"{_quote(each.text)} counts as {counts} here and as {not_there} there."


def _actions(run: Imported, scored: Scored) -> Iterator[str]:
    there = {canonical([each.name, each.arguments]): each.made for each in run.checks.actions}
    for each in scored.actions:
        if there.get(canonical([each.name, each.arguments]), each.made) != each.made:
            counts, not_there = ("made", "not made") if each.made else ("not made", "made")
            call = _call(each.name, json.dumps(each.arguments))
            yield f"The expected {call} counts as {counts} here and as {not_there} there."


def _verdicts(run: Imported, scored: Scored) -> Iterator[str]:
    there = {each.text: each.verdict for each in run.verdicts}
    for each in scored.assertions:
        verdict = there.get(each.text, each.verdict)
        if verdict != each.verdict:
            yield f"{_quote(each.text)} is {each.verdict} here and {verdict} there."


def _changes(events: Sequence[Logged]) -> list[str]:
    """Sentences on the changes that had another outcome here, in order."""
    calls: dict[str, ProposedCall] = {}
    came: dict[str, ToolReturned | WriteApplied] = {}
    told: list[str] = []
    for logged in events:
        match logged.event:
            case ModelAnswered(purpose="act"):
                calls.update({each.id: each for each in logged.event.calls})
            case ToolReturned() | WriteApplied():
                came[logged.event.call_id] = logged.event
            case ResultDiffered(call_id=call_id, recorded=recorded) if call_id in calls:
                made, here = calls[call_id], came.get(call_id)
                sentence = None if here is None else _outcome(here, recorded)
                told += [f"{_call(made.name, made.arguments)} {sentence}"] if sentence else []
            case _:
                pass
    more = len(told) - MOST
    return told[:MOST] + (
        [f"{quantity(more, 'more change')} had a different outcome."] if more > 0 else []
    )


def _outcome(here: ToolReturned | WriteApplied, recorded: str) -> str | None:
    """The outcome of a change there and here; None for a look-up or a mere change of wording."""
    failed_there = recorded.startswith("Error")
    if isinstance(here, ToolReturned):
        if failed_there or not here.error:
            return None
        return f"worked there and fails here: {_quote(here.text)}."
    if failed_there:
        return f"failed there and is carried out here: {_quote(recorded)}."
    value = _first_difference(_read(recorded), _read(here.result))
    if value is None:
        return None
    path, was, now = value
    return (
        f"leaves {path or 'its result'} at {_value_text(now)} here and at {_value_text(was)} there."
    )


def _first_difference(there: Any, here: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The path of the first value that differs, and both values; null counts as missing."""
    if isinstance(there, dict) and isinstance(here, dict):
        for name in [*there, *(each for each in here if each not in there)]:
            at = f"{path}.{name}".lstrip(".")
            found = _first_difference(there.get(name), here.get(name), at)
            if found:
                return found
        return None
    if isinstance(there, list) and isinstance(here, list):
        for place in range(max(len(there), len(here))):
            one = there[place] if place < len(there) else Missing
            other = here[place] if place < len(here) else Missing
            if found := _first_difference(one, other, f"{path}.{place}".lstrip(".")):
                return found
        return None
    return None if there == here else (path, there, here)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _call(name: str, arguments: str) -> str:
    return _cut(f"{clean(name)} {clean(arguments)}")


def _value_text(value: Any) -> str:
    return "nothing" if value is Missing or value is None else _cut(json.dumps(value))


def _quote(text: str) -> str:
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    """Clean quoted text, put it on one line, and shorten it if it is too long."""
    line = " ".join(clean(text).split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line)} characters)"
