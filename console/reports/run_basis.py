"""What the figures of a run rest on, in sentences: agent, customer, and how much was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.headless.plan import ALL_MISTAKES, Plan
from agent.headless.summary import Summary
from agent.simulated.careful import CAREFUL
from agent.simulated.scripted import SCRIPTED
from console.reports.model_lines import too_slow
from console.reports.reward_lines import TAU2
from console.reports.run_control import is_routed
from domains.text.quantity import quantity
from sessions.statistics.report import NO_SAMPLING, ORACLE
from sessions.statistics.settings import is_code, requests_in_words
from sessions.statistics.waits import together

CONTROL_OF_CODE = (
    "Routed control is for requests that depend on each other and that a model loses sight of. "
    "The clerk loses none: its planted mistakes are slips in single calls. The tables of control "
    "show how the ways work and what they cost; if one gains nothing here, that says nothing "
    "about a model."
)

NOTHING_LEFT_OUT = (
    "No conversation was long enough for the context filter to leave anything out: without it "
    "each would be the same, so none was played that way (--context off plays them, --blocks sets "
    "when)."
)


def basis_sentences(plan: Plan, told: Sequence[Summary]) -> Iterator[str]:
    """Yield the sentences to read with every figure of the run."""
    yield f"Based on {_extent(told)}."
    yield agent_sentence(plan.model)
    yield customer_sentence(plan.customer)
    if is_code(plan.model) and is_routed(plan):
        yield CONTROL_OF_CODE
    yield from _request_settings(plan)
    if all(each.deterministic for each in told):
        yield NO_SAMPLING
    elif any(each.trials > each.tasks for each in told):
        yield "Intervals resample whole tasks, because trials of one task are alike."
    if plan.model == ALL_MISTAKES and plan.trials > 1:
        yield (
            "There is no pass^k: the trials of a task are played by clerks with different mistakes."
        )
    left_out = sum(each.success.statements_left_out for each in told)
    if left_out:
        yield (
            f"{TAU2} leaves out the statements in words of {quantity(left_out, 'trial')}: no "
            "model was named to judge them (--aux-model)."
        )
    if _filter_did_nothing(plan, told):
        yield NOTHING_LEFT_OUT
    yield from too_slow(together(each.waits for each in told))
    faults = sum(each.faults for each in told)
    if faults:
        yield (
            f"{quantity(faults, 'session')} ended by a connection fault (network, provider, key): "
            "not counted as trials."
        )


def _filter_did_nothing(plan: Plan, told: Sequence[Summary]) -> bool:
    """Whether every arm of an ablation has the context filter on, and it left nothing out."""
    ablates = all(arm.name and arm.safeguards.context for arm in plan.arms)
    return ablates and not any(each.shortened for each in told)


def _extent(told: Sequence[Summary]) -> str:
    """``4 arms of 20 tasks × 3 trials``; if arms differ, the smallest counts."""
    tasks = min((each.tasks for each in told), default=0)
    trials = min((each.trials for each in told), default=0)
    each = f"{trials / tasks:.3g}" if tasks else "0"
    arms = f"{len(told)} arms of " if len(told) > 1 else ""
    return f"{arms}{quantity(tasks, 'task')} × {quantity(each, 'trial')}"


def agent_sentence(model: str) -> str:
    """A sentence on what the agent is."""
    if not is_code(model):
        return f"The agent is {model}: its mistakes are its own."
    if model == "clerk":
        return "The agent is the clerk, which is rules, not a language model."
    return (
        "The agent is the clerk, told to make mistakes: they are planted, and show what a "
        "safeguard does about such mistakes, not how often a model makes them. Name one with "
        "--model."
    )


def _request_settings(plan: Plan) -> Iterator[str]:
    told = requests_in_words(plan.requests)
    if told and not is_code(plan.model):
        yield f"The agent's model, and the second one, were asked with {told}."


def customer_sentence(customer: str) -> str:
    """A sentence on what plays the customer, and what it knows."""
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
