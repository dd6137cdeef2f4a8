"""``saber run`` and ``saber ablate``: play sessions without a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.control.experiment_arms import ARMS
from console.commands.asking import request_options, request_settings
from console.commands.control import CONTROL, ROUTER
from console.commands.focus import FOCUS, focus_tasks_in, tasks_in_focus
from console.commands.numbers import MOST_AT_ONCE, MOST_TRIALS, Finite, Whole
from console.commands.options import (
    DATA,
    DB,
    DOMAIN,
    JSON,
    Refused,
    existing,
    need_records,
    with_sentences,
)
from console.commands.paths import Named
from console.commands.remembering import memory_options, refuse_memory_by_alone
from console.commands.safeguarding import safeguard_options, safeguard_settings
from console.setup import CLERK, resolved_path

if TYPE_CHECKING:
    from agent.headless.plan import Plan
    from agent.memory.bank import Bank
    from sessions.events import Safeguards

_SCRIPTED = "scripted"

WHAT = (
    click.option(
        "--model", default=CLERK, show_default=True,
        help="The agent: clerk, clerk+MISTAKE, clerk+all (each mistake in turn), or a litellm "
        "model name.",
    ),
    click.option(
        "--aux-model", "auxiliary", default=None, metavar="MODEL",
        help="A second model that phrases cards and reminders.",
    ),
    click.option(
        "--customer", default=_SCRIPTED, show_default=True,
        help="Who plays the customer: scripted (knows the expected ends), careful (rules that "
        "know the role alone), or a litellm model name; with +react after it, it thinks first; "
        "with +verify, its words are checked and rewritten; with +reflection, checked and "
        "corrected.",
    ),
    click.option(
        "--tasks", default="all", show_default=True, metavar="ID,ID|all", help="The tasks to play.",
    ),
    click.option("--split", default=None,
        help="Only tasks of a split: train, test or base; gaps, those about gaps of the policy; or "
        "focus, which saber focus makes.",
    ),
    click.option(
        "--tasks-from", metavar="DIR|FILE", type=Named(),
        callback=lambda context, option, tasks: tasks and resolved_path(tasks),
        help="τ²-bench's tasks, if they are not beside the records of --data.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="The seed of everything "
                                                                        "random."),
)  # fmt: skip
TRIALS = click.option(
    "--trials", type=Whole(most=MOST_TRIALS), default=1, show_default=True,
    help="How often each task is played.",
)  # fmt: skip
HOW = (
    click.option(
        "--concurrency", type=Whole(most=MOST_AT_ONCE), default=4, show_default=True,
        help="How many sessions are played at once.",
    ),
    click.option(
        "--max-actions", type=Whole(), default=30, show_default=True,
        help="Most calls and answers of a session.",
    ),
    click.option(
        "--max-turns", type=Whole(), default=30, show_default=True,
        help="How often the customer may speak.",
    ),
    click.option(
        "--budget-tokens", type=Whole(),
        help="Most tokens of a session, including those of a model that plays the customer.",
    ),
    click.option(
        "--budget-cost", type=Finite(0, min_open=True),
        help="Most US dollars for these tokens, as far as prices are known.",
    ),
    click.option(
        "--seconds", type=Finite(0, min_open=True), help="Most seconds that a session may last.",
    ),
    click.option(
        "--name", metavar="RUN",
        help="The run's name; sessions that it already has are not played again.  [default: the "
        "same for the same settings]",
    ),
)  # fmt: skip
OFF = (
    click.option("--no-gate", is_flag=True, help="Changes are made without asking the customer."),
    click.option("--no-reflection", is_flag=True, help="No reminder before a change."),
    click.option("--no-context", is_flag=True, help="The whole conversation is sent every time."),
)
RETRY = click.option(
    "--retry-faults", is_flag=True, help="Play sessions again that a fault ended.",
)  # fmt: skip


def with_all(options: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], Any]:
    """Add several options to a command, in this order."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.command()
@DOMAIN
@with_all(WHAT)
@TRIALS
@DATA
@with_all(HOW)
@memory_options
@RETRY
@safeguard_options
@request_options
@CONTROL
@ROUTER
@with_all(OFF)
@DB
@JSON
@with_sentences
def run(**asked: Any) -> None:
    """Play sessions without a person and record them like any other.

    Repeating the command plays only what is not finished: it continues after an interruption, and
    plays tasks or trials that were added.
    """
    from agent.headless.plan import Arm
    from console.reports.running import play_run, show_run

    plan = plan_of(asked, (Arm(safeguards_of(asked)),))
    show_run(*play_run(plan, asked), as_json=asked["as_json"])


def safeguards_of(asked: dict[str, Any]) -> Safeguards:
    """The safeguards that the command line asks for."""
    from sessions.events import Safeguards

    off = {name: False for name in ("reflection", "context") if asked[f"no_{name}"]}
    return Safeguards.model_validate(
        {
            **ARMS[asked["control"]],
            **off,
            "gate": not asked["no_gate"],
            "router": asked["router"],
            **safeguard_settings(asked),
        }
    )


@click.command()
@DOMAIN
@with_all(WHAT)
@TRIALS
@DATA
@with_all(HOW)
@memory_options
@RETRY
@safeguard_options
@request_options
@click.option(
    "--context", type=click.Choice(["on", "off", "both"]), default="both", show_default=True,
    help="The context filter: on, off, or everything with both; off only where it left anything "
    "out.",
)  # fmt: skip
@click.option(
    "--control", "controls", type=click.Choice(list(ARMS)), multiple=True,
    help="Compare these ways of control instead; may be repeated.",
)  # fmt: skip
@click.option(
    "--card", "cards", type=click.Choice(["on", "off", "both"]), default="on", show_default=True,
    help="With --control: whether changes wait for a card, in each of them.",
)  # fmt: skip
@ROUTER
@DB
@JSON
@with_sentences
def ablate(context: Any, controls: tuple[str, ...], cards: Any, **asked: Any) -> None:
    """Play the same tasks with no safeguard, with each alone, and with both.

    Verification is the card that every change waits for; reflection is the reminder before it.
    With --control, ways of control are compared instead.
    """
    from agent.headless.ablation import arms, control_arms
    from console.reports.running import play_ablation, play_run, show_ablation, show_controls
    from sessions.events import Safeguards

    base = Safeguards(**safeguard_settings(asked), router=asked["router"])
    if controls:
        compared = control_arms(
            base, {name: ARMS[name] for name in ARMS if name in controls}, cards
        )
        plan = plan_of(asked, compared)
        focus = focus_tasks_in(asked["db"], plan.domain.name)
        held = play_run(plan, asked)
        show_controls(*held, focus=focus, as_json=asked["as_json"])
        return
    plan = plan_of(asked, arms(base, context))
    show_ablation(*play_ablation(plan, asked), as_json=asked["as_json"])


def _memory(asked: dict[str, Any]) -> Bank | None:
    """The memory as it is when the run begins; raises StoreError and Refused."""
    name, by = asked["memory"], asked.get("memory_by", "tool")
    refuse_memory_by_alone(name, by)
    if name is None:
        return None
    from agent.memory.keeping import open_bank
    from sessions.store.store import Store

    with Store.open(existing(asked["db"]), read_only=True) as store:
        return replace(open_bank(store, name), read_by=by)


def plan_of(asked: dict[str, Any], arms: Any) -> Plan:
    """The plan that the command line asks for; raises Refused, DomainError and StoreError."""
    from agent.headless.plan import Plan, choose_scenarios
    from agent.session.wording import equip
    from domains import load
    from sessions.events import Limits

    if Path(asked["tasks"]).exists() and asked["tasks"] != "all":
        raise Refused("--tasks takes the ids of tasks here; --tasks-from says where they are.")
    need_records(asked["data"], asked["tasks_from"])
    requests = request_settings(asked)
    domain = equip(load(asked["domain"], asked["data"], asked["tasks_from"]), requests)
    names, split = asked["tasks"], asked["split"]
    if split == FOCUS:
        names, split = ",".join(_tasks_named_in_focus(asked, domain.name)), None
    return Plan(
        domain=domain,
        scenarios=tuple(choose_scenarios(domain, names, split)),
        model=asked["model"],
        auxiliary=asked["auxiliary"],
        customer=asked["customer"],
        arms=arms,
        trials=asked["trials"],
        data=asked["data"],
        tasks=asked["tasks_from"],
        max_turns=asked["max_turns"],
        limits=Limits(
            actions=asked["max_actions"],
            tokens=asked["budget_tokens"],
            cost=asked["budget_cost"],
            seconds=asked["seconds"],
        ),
        requests=requests,
        seed=asked["seed"],
        memory=_memory(asked),
        given_name=asked["name"],
    )


def _tasks_named_in_focus(asked: dict[str, Any], domain: str) -> list[str]:
    """The requested tasks that are in focus; raises Refused if none is."""
    given = {each.strip() for each in asked["tasks"].split(",")} - {"", "all"}
    found = [each for each in tasks_in_focus(asked["db"], domain) if not given or each in given]
    if not found:
        raise Refused(f"None of these tasks of {domain} is in focus.")
    return found
