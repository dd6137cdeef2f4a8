"""One page about streams: how each arm came out, along the stream and by task, and the lessons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.memory.bank import Bank
from agent.memory.keeping import open_bank
from agent.streaming.plan import StreamPlan
from agent.streaming.summary import ArmSummary, Streamed
from console.reports.markdown import as_markdown, page, plain, table
from console.reports.run_report import settings_of
from console.reports.stats import versions
from console.reports.stream_basis import stream_basis
from console.reports.stream_command import repeat_stream_command
from console.reports.stream_plotting import draw_streams
from console.reports.stream_tables import stream_faults, stream_tables
from sessions.exporting.writing import refuse_existing, write_text
from sessions.store import memory
from sessions.store.errors import ExportError
from sessions.store.store import Store

PICTURE = "streams.svg"


@dataclass(frozen=True, slots=True)
class Lesson:
    """Something that was learned in a stream, as it is at the stream's end."""

    bank: str
    capability: str
    insight: str


def write_stream_report(
    store: Store, plan: StreamPlan, found: Sequence[Streamed], told: Sequence[ArmSummary],
    out: Path, *, force: bool,
) -> list[str]:  # fmt: skip
    """Write the folder and return sentences on what is in it; raises ExportError and StoreError."""
    files = [out / name for name in ("index.html", "report.md", PICTURE)]
    for file in files:
        refuse_existing(file, force=force)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"The folder {out} cannot be made ({error.strerror}).") from error
    try:
        draw_streams(told, files[2], force=force)
        picture = PICTURE
    except ImportError:
        picture = ""
    text = markdown(plan, found, told, list(lessons(store, plan)), picture)
    write_text(text, files[1], force=force)
    write_text(page(f"Run {plan.name}", text), files[0], force=force)
    sentences = [
        f"The report on {plan.name} is {files[0]}; {files[1].name} beside it says the same."
    ]
    if not picture:
        sentences.append("It has no picture: that needs matplotlib (saber-console[plot]).")
    return sentences


def markdown(
    plan: StreamPlan, found: Sequence[Streamed], told: Sequence[ArmSummary],
    learned: Sequence[Lesson], picture: str,
) -> str:  # fmt: skip
    """The whole report as Markdown."""
    parts = (
        f"# Run {plain(plan.name)}",
        *(plain(each) for each in stream_basis(plan, told)),
        "## How it came out",
        *([f"![The arms along a family and along the stream]({picture})"] if picture else []),
        *as_markdown((*stream_tables(told), *stream_faults(found))),
        "## By task",
        by_task(plan, found),
        *_section_of_lessons(learned),
        "## What was played",
        table(("setting", "value"), _settings(plan, found)),
        "## How to repeat it",
        f"```\n{repeat_stream_command(plan)}\n```",
        plain(f"Computed with {', '.join(f'{name} {each}' for name, each in versions().items())}."),
    )
    return "\n\n".join(parts) + "\n"


def by_task(plan: StreamPlan, found: Sequence[Streamed]) -> str:
    """How often each task came out right in each arm, with sisters below their parents."""
    arms = [each.name for each in plan.learnings]
    trials = [each for each in found if each.played.facts.counts]
    rows = (
        (plain(task.id), plain(task.variant or ("parent" if len(family) > 1 else "–")),
         plain(task.gap or "–"),
         *(_of([each.right for each in trials if (each.arm, each.scenario) == (arm, task.id)])
           for arm in arms))
        for family in plan.families
        for task in family
    )  # fmt: skip
    return table(("task", "in its family", "gap", *map(plain, arms)), rows)


def _of(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)}" if right else "–"


def lessons(store: Store, plan: StreamPlan) -> Iterator[Lesson]:
    """Yield what was learned in the first stream of each arm that remembers the policy."""
    there = {row.name for row in memory.banks(store)}
    seen = set()
    for lane in plan.lanes():
        if lane.learning.kind == "policybank" and lane.learning not in seen and lane.bank in there:
            seen.add(lane.learning)
            yield from _lessons(open_bank(store, lane.bank))


def _lessons(bank: Bank) -> Iterator[Lesson]:
    for name, entry in bank.entries.items():
        if entry.key_insight:
            yield Lesson(bank.name, name, entry.key_insight)


def _section_of_lessons(found: Sequence[Lesson]) -> Iterable[str]:
    if not found:
        return ()
    rows = ((plain(e.bank), plain(e.capability), plain(e.insight)) for e in found)
    return (
        "## What was learned",
        "In the first stream of each arm, as it is at its end; saber memory list --bank NAME "
        "lists any other.",
        table(("memory", "capability", "insight"), rows),
    )


def _settings(plan: StreamPlan, found: Sequence[Streamed]) -> Iterator[tuple[str, str]]:
    own = {
        "learns": plan.policy_agent,
        "began the memories": plan.begun_by,
        "seeds": ", ".join(map(str, plan.seeds)),
        "trials of each": str(plan.trials),
    }
    shared = dict(settings_of(plan.plan, [each.played for each in found]))
    shared.pop("seed")
    yield from {**shared, **{name: plain(value) for name, value in own.items()}}.items()
