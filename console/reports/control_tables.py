"""Ways of control side by side: majority passes, routes, verdicts, guards and overhead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from console.reports.stats_lines import NOTHING, make_table, plain
from sessions.events import Verification
from sessions.statistics.compared import Compared, TaskClass
from sessions.statistics.intervals import Estimate, Share
from sessions.statistics.overhead import tools_by_calls

OUTCOMES: tuple[str, ...] = get_args(Verification)

IN_WORDS: dict[TaskClass, str] = {"all": "all", "focus": "in focus", "rest": "the rest"}

CONTROL_LEGEND = (
    "tasks passed: at least three trials in four, or the only trial, have τ²-bench's whole "
    "reward; in focus are those that saber focus found. at the start, later: sessions counted as "
    "coupled at the customer's first words, or only later. A checked change was kept, revised, "
    "put off for a question, or blocked because of the records; unverified: no verdict came, so "
    "it went to the card; withheld: none came, and there was no card. sent on: the agent asked "
    "again for a yes that it had, and was reminded of the change. Means are per session; times "
    "agreed: the customer's yes, on a card or in words. Forks, and sessions ended by a connection "
    "fault, are left out."
)


def control_parts(found: Sequence[Compared]) -> Iterator[RenderableType]:
    """Yield everything about these ways of control, as tables and sentences."""
    yield _passes(found)
    for each in found:
        yield from _gains_and_losses(each)
    routed = [each for each in found if each.is_routed]
    for table in (*_of_control(routed), _dialogue(found), _tool_use(found), _calls(found)):
        yield Text("")
        yield table
    yield Text("")
    yield Text(CONTROL_LEGEND, style="dim")


def _of_control(routed: Sequence[Compared]) -> Iterator[Table]:
    """Yield what the ways with routed control did, if there are any."""
    if routed:
        yield _routes(routed)
        yield _verdicts(routed)
    if any(each.triggers for each in routed):
        yield _triggers(routed)
    if any(each.did.guards for each in routed):
        yield _guards(routed)


def _passes(found: Sequence[Compared]) -> Table:
    table = make_table("way of control", "tasks passed", "in focus", "the rest", "gained", "lost")
    for each in found:
        first = each.over == each.name
        table.add_row(
            plain(each.name),
            *(_of(each.majority.get(of)) for of in get_args(TaskClass)),
            NOTHING if first else str(len(each.gained)),
            NOTHING if first else str(len(each.lost)),
        )
    return table


def _gains_and_losses(found: Compared) -> Iterator[Text]:
    """Yield the tasks that a way gained and lost, by their ids."""
    told = [
        f"{what} {', '.join(tasks)}"
        for what, tasks in (("gained", found.gained), ("lost", found.lost))
        if tasks
    ]
    if told:
        yield plain(f"{found.name}, over {found.over}: {'; '.join(told)}.")


def _routes(found: Sequence[Compared]) -> Table:
    table = make_table(
        "way of control",
        "tasks",
        "how many",
        "ever coupled",
        "sessions",
        "coupled at the start",
        "later",
        "answers not understood",
    )
    for each in found:
        for one in each.routed:
            whole = one.of == "all"
            numbers = (
                one.tasks, one.tasks_coupled, one.sessions, one.immediate, one.emergent,
            )  # fmt: skip
            table.add_row(
                plain(each.name if whole else ""),
                IN_WORDS[one.of],
                *map(str, numbers),
                str(each.did.malformed) if whole else "",
            )
    return table


def _triggers(found: Sequence[Compared]) -> Table:
    """The triggers that coupled sessions, with how many sessions each coupled."""
    table = make_table("way of control", "tasks", "coupled", "after", "because of", "sessions")
    for column in table.columns[1:5]:
        column.justify = "left"
    for each in found:
        for one in each.triggers:
            when = "at the start" if one.immediate else "later"
            table.add_row(
                plain(each.name), IN_WORDS[one.of], when,
                "the first words" if one.immediate else one.after,
                plain(one.what), str(one.sessions),
            )  # fmt: skip
    return table


def _verdicts(found: Sequence[Compared]) -> Table:
    table = make_table("way of control", "changes checked", *OUTCOMES, "sent on")
    for each in found:
        numbers = [each.did.outcomes.get(one, 0) for one in OUTCOMES]
        table.add_row(plain(each.name), *map(str, (sum(numbers), *numbers, each.did.nudges)))
    return table


def _guards(found: Sequence[Compared]) -> Table:
    """The calls that went back to the agent, by the guard that sent them."""
    table = make_table("sent back by a guard", *(plain(each.name) for each in found))
    names = sorted({name for each in found for name in each.did.guards})
    for name in names:
        table.add_row(plain(name), *(str(each.did.guards.get(name, 0)) for each in found))
    return table


def _dialogue(found: Sequence[Compared]) -> Table:
    """What each way demands of the customer and the models: turns, cards, time, tokens."""
    table = make_table(
        "way of control", "sessions", "turns", "times agreed", "messages", "cards a change",
        "seconds", "tokens", "cost",
    )  # fmt: skip
    for each in found:
        own = each.overhead
        means = (own.turns, own.agreed, own.messages, own.cards_per_write, own.seconds)
        table.add_row(
            plain(each.name), str(own.sessions), *map(_act_on, means),
            _act_on(own.tokens, "{:,.0f}"), _act_on(own.cost, "${:.4f}"),
        )  # fmt: skip
    return table


def _tool_use(found: Sequence[Compared]) -> Table:
    """How each way uses tools."""
    table = make_table("way of control", "calls", "calls a turn", "changes", "different tools")
    for each in found:
        own = each.overhead
        means = (own.calls, own.calls_per_turn, own.writes, own.tools)
        table.add_row(plain(each.name), *map(_act_on, means))
    return table


def _calls(found: Sequence[Compared]) -> Table:
    """How often a session calls each tool."""
    table = make_table("calls of a session", *(plain(each.name) for each in found))
    for tool in tools_by_calls([each.overhead for each in found]):
        numbers = (each.overhead.by_tool.get(tool, 0.0) for each in found)
        table.add_row(plain(tool), *(f"{each:.2f}" for each in numbers))
    return table


def _act_on(found: Estimate, form: str = "{:.2f}") -> str:
    return NOTHING if found.value is None else form.format(found.value)


def _of(passed: Share | None) -> str:
    if passed is None or passed.value is None:
        return NOTHING
    return f"{passed.count}/{passed.n} ({passed.value:.0%})"
