"""What the figures of a run rest on, in sentences: the agent, the customer, how much was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.headless.plan import ALL_MISTAKES, Plan
from agent.headless.summary import Summary
from agent.simulated.careful import CAREFUL
from agent.simulated.scripted import SCRIPTED
from console.reports.reward_lines import TAU2
from sessions.statistics.report import NO_SAMPLING, ORACLE
from sessions.statistics.settings import is_code


def basis(plan: Plan, told: Sequence[Summary]) -> Iterator[str]:
    """Sentences to be read with every figure of the run."""
    yield f"Rests on {_extent(told)}."
    yield _agent(plan.model)
    yield _customer(plan.customer)
    if all(each.deterministic for each in told):
        yield NO_SAMPLING
    elif any(each.trials > each.tasks for each in told):
        yield "Intervals draw whole tasks anew: trials of one task are alike."
    if plan.model == ALL_MISTAKES and plan.trials > 1:
        yield "There is no pass^k: the trials of a task are played by differently mistaken clerks."
    left_out = sum(each.success.statements_left_out for each in told)
    if left_out:
        yield (
            f"{TAU2} is without the statements in words of {_counted(left_out, 'trial')}: no model "
            "was named to judge them (--aux-model)."
        )
    faults = sum(each.faults for each in told)
    if faults:
        yield (
            f"{_counted(faults, 'session')} ended by a fault of the line (network, provider, key): "
            "not counted as trials."
        )


def _extent(told: Sequence[Summary]) -> str:
    """``4 arms of 20 tasks × 3 trials``; where arms differ, the smallest."""
    tasks = min((each.tasks for each in told), default=0)
    trials = min((each.trials for each in told), default=0)
    each = f"{trials / tasks:.3g}" if tasks else "0"
    arms = f"{len(told)} arms of " if len(told) > 1 else ""
    number = "trial" if each == "1" else "trials"
    return f"{arms}{_counted(tasks, 'task')} × {each} {number}"


def _agent(model: str) -> str:
    if not is_code(model):
        return f"The agent is {model}: its mistakes are its own."
    if model == "clerk":
        return "The agent is the clerk, which is rules and no language model."
    return (
        "The agent is the clerk, told to make mistakes: they are planted, and show what a "
        "safeguard does about such mistakes, not how often a model makes them. Name one with "
        "--model."
    )


def _customer(customer: str) -> str:
    match customer:
        case _ if customer == SCRIPTED:
            return f"{ORACLE} Name another with --customer: careful, or a model."
        case _ if customer == CAREFUL:
            return (
                "The careful customer is rules: it compares the words of a card with its role, and "
                "knows no expected ends."
            )
        case _:
            return f"The customer is {customer}: it reads its role and the words of the card."


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
