"""One page about a run: its basis, how its arms came out, what failed, how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import RenderableType

from agent.headless.plan import Plan
from agent.headless.summary import Played, summary
from console.reports.control_tables import control_parts
from console.reports.markdown import as_markdown, plain, table
from console.reports.model_lines import agreement_parts
from console.reports.papers_tables import first_table_parts
from console.reports.reward_lines import TAU2
from console.reports.run_basis import basis_sentences
from console.reports.run_command import repeat_command
from console.reports.run_tables import (
    LEGEND,
    arms,
    by_model,
    customer_effort_table,
    faults,
    numbers,
)
from console.reports.stats import footnote, versions
from console.reports.stats_tables import deviation_parts
from sessions.statistics.as_the_paper import first_table
from sessions.statistics.compared import Compared
from sessions.statistics.report import report
from sessions.statistics.settings import requests_in_words, safeguards_in_words
from sessions.statistics.tool_judgements import agreement

REPLAYS = "sessions"
"""The folder beside the report that holds the pages of single sessions."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A trial that did not earn τ²-bench's whole reward, and what was wrong."""

    played: Played
    reasons: tuple[str, ...]


REWARDS, DIALOGUE, TOOLS = "rewards.svg", "dialogue.svg", "tools.svg"
"""The files of the pictures."""


def markdown(
    plan: Plan,
    found: Sequence[Played],
    failures: Sequence[Failure],
    compared: Sequence[Compared] = (),
    *,
    pictures: bool = False,
) -> str:
    """The whole report as Markdown; ``compared`` are its arms if any has routed control."""
    parts = (
        f"# Run {plain(plan.name)}",
        *(
            plain(each)
            for each in basis_sentences(plan, [summary(arm.name, found) for arm in plan.arms])
        ),
        *_results(plan, found, pictures=pictures),
        *_control(compared, pictures=pictures),
        *_deviations(plan, found),
        *_tools_judged(found),
        *_failures(failures),
        "## What was played",
        table(("setting", "value"), settings_of(plan, found)),
        "## How to repeat it",
        f"```\n{repeat_command(plan)}\n```",
        plain(footnote()),
    )
    return "\n\n".join(parts) + "\n"


def _results(plan: Plan, found: Sequence[Played], *, pictures: bool) -> Iterator[str]:
    yield "## How it came out"
    if pictures:
        yield f"![{TAU2} of each arm]({REWARDS})"
    told = [summary(arm.name, found) for arm in plan.arms]
    shown: tuple[RenderableType, ...] = (numbers(told[0]),)
    if len(told) > 1:
        shown = (arms(told, found), customer_effort_table(told), LEGEND)
    yield from as_markdown((*shown, *by_model(plan, found), *faults(found)))


def _control(compared: Sequence[Compared], *, pictures: bool) -> Iterator[str]:
    """Yield what each way of control passed, coupled, verified and cost."""
    if not compared:
        return
    yield "## Ways of control"
    yield from as_markdown(control_parts(compared))
    if pictures:
        yield f"![Turns, messages, calls and seconds of a session]({DIALOGUE})"
        yield f"![Calls of each tool in a session]({TOOLS})"


def _deviations(plan: Plan, found: Sequence[Played]) -> Iterator[str]:
    """Yield d_mut and d_non of each arm, and their odds ratios."""
    yield "## Deviations"
    for arm in plan.arms:
        rows = [each.facts for each in found if each.arm == arm.name]
        if rows:
            yield f"### {plain(arm.name or 'all sessions')}"
            yield from as_markdown(deviation_parts(report(arm.name, rows)))
    yield from as_markdown(first_table_parts(first_table([each.facts for each in found])))


def _tools_judged(found: Sequence[Played]) -> Iterator[str]:
    """Yield how far a second model agrees with what tools declare, if it was asked."""
    judged = agreement(each.facts.judged for each in found)
    if judged is not None:
        yield "## Which tools change anything"
        yield from as_markdown(agreement_parts(judged))


def _failures(failures: Sequence[Failure]) -> Iterator[str]:
    yield "## What failed"
    if not failures:
        yield "Every trial earned the whole reward."
        return
    rows = [
        (
            f"[{plain(each.played.task)}]({REPLAYS}/{each.played.facts.session}.html)",
            plain(each.played.trial),
            plain(each.played.arm or "–"),
            plain(each.played.facts.model),
            plain(each.played.facts.ended),
            plain("; ".join(each.reasons)),
        )
        for each in failures
    ]
    yield table(("task", "trial", "arm", "agent", "ended by", "what was wrong"), rows)


def settings_of(plan: Plan, found: Sequence[Played]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of what was played and how, as Markdown."""
    began = sorted(each.facts.began_at for each in found)
    limits = plan.limits.model_dump(mode="json", exclude_none=True)
    programs = sorted({each.facts.program for each in found})
    settings = {
        "domain": plan.domain.title,
        "records": f"{plan.domain.base.source}, {plan.domain.records().digest[:12]}",
        "policy and tools": f"{plan.domain.policy_digest[:12]}, {plan.domain.tools_digest[:12]}",
        "agent": plan.model,
        "second model": plan.auxiliary or "none",
        "customer": plan.customer,
        "arms": "; ".join(_arm(each.name, safeguards_in_words(each.safeguards))
                          for each in plan.arms),
        "model settings": requests_in_words(plan.requests) or "the defaults",
        "tasks": f"{len(plan.scenarios)}: {', '.join(each.id for each in plan.scenarios)}",
        "whose tasks": ", ".join(sorted({each.source for each in plan.scenarios})),
        "trials of each": plan.trials,
        "seed": plan.seed,
        "turns at most": plan.max_turns,
        "limits": ", ".join(f"{name} {value}" for name, value in limits.items()) or "none",
        "held": f"{began[0]} to {began[-1]}" if began else "never",
        "held with": f"saber-console {', '.join(programs)}",
        "counted with": ", ".join(f"{name} {each}" for name, each in versions().items()),
    }  # fmt: skip
    yield from ((name, plain(value)) for name, value in settings.items())


def _arm(name: str, safeguards: str) -> str:
    return f"{name} ({safeguards})" if name else safeguards
