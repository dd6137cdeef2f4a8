"""The tables of ``saber stream``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agent.headless.progress import Progress
from agent.streaming.memory_growth import Growth
from agent.streaming.plan import StreamPlan
from agent.streaming.summary import ArmSummary, Streamed
from console.reports.prices import price
from console.reports.reward_lines import MEANINGS, TAU2
from console.reports.run_tables import NOTHING, faults
from console.reports.stats_lines import make_table
from sessions.statistics.over_seeds import OverSeeds

PARTS = 4
"""The number of equal parts into which a stream is cut to show how it went along."""

LEGEND = Text(
    "A row's name is the memory's kind and what it learns from: reward, whether a session came "
    "out right; explanation, also what should have been done; oracle, also how the policy is "
    f"meant. pass^k: k trials of a task in one order all earn {TAU2} ({MEANINGS[TAU2]}), the mean "
    "over the seeds. Each further table gives the share of sessions that did. simplified, "
    "different and complex are sisters of a parent, in the order in which they follow it. "
    "entries: those in force at the beginning and at the end, the mean of the streams; then how "
    "often a session added one, revised one, or taught nothing, and how often that was because "
    "the agent had not done what a clear policy says.",
    style="dim",
)


def stream_heading(plan: StreamPlan, standing: Progress) -> Text:
    """The run's name, and how far its streams have come."""
    before = f", {standing.before} of them before" if standing.before else ""
    resumed = f", {standing.resumed} resumed" if standing.resumed else ""
    shared = plan.plan
    return Text(
        f"Run {plan.name}: {standing.finished} of {standing.sessions} sessions{before}{resumed}; "
        f"{shared.domain.title}, {shared.model} and the customer {shared.customer}, "
        f"{_seeds(plan.seeds)}"
    )


def _seeds(seeds: Sequence[int]) -> str:
    return f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}"


def stream_tables(told: Sequence[ArmSummary]) -> Iterator[RenderableType]:
    """Yield all tables on streams, and the legend."""
    if any(each.sisters for each in told):
        yield reliable("sisters", [(each.arm, each.sisters) for each in told])
    yield reliable("originals", [(each.arm, each.originals) for each in told])
    if any(each.sisters for each in told):
        yield by_variant(told)
    yield along(told)
    if any(each.memory for each in told):
        yield memories(told)
    if any(each.expenses.total.tokens for each in told):
        yield expenses_table(told)
    yield LEGEND


def reliable(what: str, rows: Sequence[tuple[str, tuple[OverSeeds, ...]]]) -> Table:
    """pass^1, pass^2 … of sisters or of originals, a line for each arm."""
    most = max((len(found) for _, found in rows), default=0)
    table = make_table(what, "n", *(f"pass^{k}" for k in range(1, most + 1)))
    for arm, found in rows:
        n = f"{found[0].n}" if found else "0"
        cells = [share(each) for each in found]
        table.add_row(arm, n, *cells, *[NOTHING] * (most - len(cells)))
    return table


def by_variant(told: Sequence[ArmSummary]) -> Table:
    """How parents with sisters came out, and each kind of sister."""
    table = make_table("in a family", *(told[0].by_variant if told else ()))
    for each in told:
        table.add_row(each.arm, *(share(found) for found in each.by_variant.values()))
    return table


def along(told: Sequence[ArmSummary]) -> Table:
    """How a stream had come out by each quarter of its length."""
    table = make_table("along the stream", *(_part(k) for k in range(1, PARTS + 1)))
    for each in told:
        table.add_row(each.arm, *(_figure_at(each.along, k) for k in range(1, PARTS + 1)))
    return table


def _part(k: int) -> str:
    return "all of it" if k == PARTS else f"first {k}/{PARTS}"


def _figure_at(found: Sequence[OverSeeds], k: int) -> str:
    """The figure for the first k parts of what was played."""
    place = (len(found) * k + PARTS - 1) // PARTS
    return share(found[place - 1]) if found else NOTHING


def memories(told: Sequence[ArmSummary]) -> Table:
    """How much each arm's memories held at the beginning and the end, and what changed between."""
    table = make_table(
        "entries", "at first", "at the end", "new", "revised", "nothing learned", "agent's mistake",
    )  # fmt: skip
    for each in told:
        if each.memory is not None:
            table.add_row(each.arm, *_memory(each.memory))
    return table


def _memory(found: Growth) -> tuple[str, ...]:
    first, last = (found.entries[0], found.entries[-1]) if found.entries else (0.0, 0.0)
    counts = (found.added, found.revised, found.omitted, found.execution)
    return (f"{first:.1f}", f"{last:.1f}", *map(str, counts))


def expenses_table(told: Sequence[ArmSummary]) -> Table:
    """The tokens and the cost of each arm's models."""
    table = make_table("expenses", "tokens", "cost")
    for each in told:
        total = each.expenses.total
        table.add_row(each.arm, f"{total.tokens:,}", price(total) if total.tokens else NOTHING)
    return table


def stream_faults(found: Sequence[Streamed]) -> Iterator[RenderableType]:
    """Yield the sessions that broke off, and why."""
    return faults([each.played for each in found])


def share(found: OverSeeds) -> str:
    """A share in percent, with its interval if it has one."""
    if found.value is None:
        return NOTHING
    ends = found.interval
    around = f" ({100 * ends.low:.0f} to {100 * ends.high:.0f})" if ends else ""
    return f"{100 * found.value:.1f} %{around}"
