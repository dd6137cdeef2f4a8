"""The command that repeats a run, exactly as it can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from agent.control.experiment_arms import ARMS, DEFAULT_ARM
from agent.headless.plan import Plan
from console.commands.safeguarding import NAMES
from domains.core.domain import Scenario
from sessions.events import Limits, RequestSettings, Safeguards


def repeat_command(plan: Plan) -> str:
    """``saber run …`` or ``saber ablate …`` with everything that the plan sets."""
    return shlex.join(("saber", *_words(plan)))


def _words(plan: Plan) -> Iterator[str]:
    compares = any(arm.name for arm in plan.arms)
    yield "ablate" if compares else "run"
    yield from shared_words(plan, plan.domain.scenarios)
    yield from ("--trials", str(plan.trials), "--seed", str(plan.seed))
    if plan.memory is not None:
        yield from ("--memory", plan.memory.name, "--memory-by", plan.memory.read_by)
    first = plan.arms[0].safeguards
    if compares and _compares_control(plan):
        yield from _controls(plan)
    elif compares:
        filtering = {arm.safeguards.context for arm in plan.arms}
        yield from ("--context", "both" if len(filtering) > 1 else _on_or_off(True in filtering))
    else:
        yield from safeguard_words(first)


def shared_words(plan: Plan, every: Sequence[Scenario]) -> Iterator[str]:
    """Yield the options that runs and streams share; ``every`` are the tasks that ``all`` means."""
    yield from ("--domain", plan.domain.name, "--model", plan.model, "--customer", plan.customer)
    if plan.auxiliary is not None:
        yield from ("--aux-model", plan.auxiliary)
    if plan.data is not None:
        yield from ("--data", str(plan.data))
    if plan.tasks is not None:
        yield from ("--tasks-from", str(plan.tasks))
    ids = [each.id for each in plan.scenarios]
    yield from ("--tasks", "all" if {*ids} == {each.id for each in every} else ",".join(ids))
    yield from ("--max-turns", str(plan.max_turns))
    yield from _limits(plan.limits)
    yield from _requests(plan.requests)
    first = plan.arms[0].safeguards
    yield from _safeguards(first)
    if first.router != Safeguards().router:
        yield from ("--router", first.router)
    if plan.given_name is not None:
        yield from ("--name", plan.given_name)


def safeguard_words(settings: Safeguards) -> Iterator[str]:
    """Yield the way of control and what is switched off, if all sessions have one setting."""
    yield from _control_of(settings)
    yield from _off_switches(settings)


def _limits(limits: Limits) -> Iterator[str]:
    for option, value in (
        ("--max-actions", limits.actions),
        ("--budget-tokens", limits.tokens),
        ("--budget-cost", limits.cost),
        ("--seconds", limits.seconds),
    ):
        if value is not None:
            yield from (option, f"{value:g}" if isinstance(value, float) else str(value))


def _requests(settings: RequestSettings) -> Iterator[str]:
    usual = RequestSettings()
    for name, value in settings:
        if value != getattr(usual, name):
            yield from _option(name, value)


def _option(name: str, value: object) -> Iterator[str]:
    yield f"--{name.replace('_', '-')}"
    if value is not True:
        yield f"{value:g}" if isinstance(value, float) else str(value)


def _safeguards(settings: Safeguards) -> Iterator[str]:
    """Yield what all arms have in common."""
    usual = Safeguards()
    for name in NAMES:
        value = getattr(settings, name)
        if value != getattr(usual, name):
            yield from _option(name, value)


def _controls(plan: Plan) -> Iterator[str]:
    """Yield the ways of control that are compared, and whether with the card."""
    for name in dict.fromkeys(arm.name.rpartition(", ")[0] for arm in plan.arms):
        yield from ("--control", name)
    cards = {arm.safeguards.gate for arm in plan.arms}
    yield from ("--card", "both" if len(cards) > 1 else _on_or_off(True in cards))


def _control_of(settings: Safeguards) -> Iterator[str]:
    """Yield the way of control if it is not the default."""
    name = _way(settings)
    if name != DEFAULT_ARM:
        yield from ("--control", name)


def _way(settings: Safeguards) -> str:
    """The way of control that is closest to these safeguards."""
    if settings.control != "routed":
        return DEFAULT_ARM
    return "routed+saber" if settings.reflection or settings.context else "routed"


def _off_switches(settings: Safeguards) -> Iterator[str]:
    set_by_way = {"gate": True, **ARMS[_way(settings)]}
    for name in ("gate", "reflection", "context"):
        if set_by_way[name] and not getattr(settings, name):
            yield f"--no-{name}"


def _compares_control(plan: Plan) -> bool:
    """Whether the arms of a run are ways of control, by their names."""
    told = {f"{name}, {card}" for name in ARMS for card in ("card", "no card")}
    return told.issuperset(arm.name for arm in plan.arms)


def _on_or_off(on: bool) -> str:
    return "on" if on else "off"
