"""``saber stream``: play sessions one after the other, and let the agent learn from each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from console.commands.asking import request_options
from console.commands.control import CONTROL, ROUTER
from console.commands.numbers import Whole
from console.commands.options import DATA, DB, DOMAIN, JSON, with_sentences
from console.commands.remembering import WAYS
from console.commands.run import HOW, OFF, WHAT, plan_of, safeguards_of, with_all
from console.commands.safeguarding import safeguard_options

if TYPE_CHECKING:
    from agent.streaming.plan import StreamPlan

MOST_SEEDS = 1_000
KINDS = ("policybank", "reasoningbank", "synapse", "none")
REGIMES = ("reward", "explanation", "oracle")

_LEARNING = (
    click.option(
        "--memory", "kinds", type=click.Choice(KINDS), multiple=True, default=("policybank",),
        show_default=True,
        help="What the agent remembers: how the policy is meant; insights in sentences; "
        "successful conversations as examples; nothing. May be repeated.",
    ),
    click.option(
        "--feedback", type=click.Choice(REGIMES), multiple=True, default=("explanation",),
        show_default=True,
        help="What the learner is told about each session: whether it came out right; also what "
        "should have been done; or, right after a parent, how the policy is meant. May be "
        "repeated.",
    ),
    click.option(
        "--memory-by", "read_by", type=click.Choice(WAYS), multiple=True, default=("tool",),
        show_default=True,
        help="How the agent reads what it knows of the policy: by a look-up; the closest entries "
        "at each turn; all of them; not at all. May be repeated.",
    ),
    click.option(
        "--policy-agent", default="rules", show_default=True, metavar="rules|MODEL",
        help="Who learns from each session.",
    ),
    click.option(
        "--begun-by", default="rules", show_default=True, metavar="rules|MODEL",
        help="Who makes the memory of policy and tools that a stream begins with.",
    ),
    click.option(
        "--seeds", type=Whole(most=MOST_SEEDS), default=5, show_default=True,
        help="How many orders of the tasks; the first has --seed.",
    ),
    click.option(
        "--trials", type=Whole(most=MOST_SEEDS), default=4, show_default=True,
        help="How many streams in each order, each with a memory of its own.",
    ),
)  # fmt: skip


@click.command()
@DOMAIN
@with_all(_LEARNING)
@with_all(WHAT)
@DATA
@with_all(HOW)
@safeguard_options
@request_options
@CONTROL
@ROUTER
@with_all(OFF)
@DB
@JSON
@with_sentences
def stream(**asked: Any) -> None:
    """Play tasks one after the other, sisters right after their parents, and learn from each.

    Each stream has its own memory, which stays in the session file. Nobody decides in a stream
    what is remembered: whatever is proposed is accepted, and each memory says so. Repeating the
    command continues where it stopped; with more seeds or trials it plays those, too.
    """
    from console.reports.streaming import play_streams, show_stream

    plan = _stream_plan(asked)
    show_stream(*play_streams(plan, asked), as_json=asked["as_json"])


def _stream_plan(asked: dict[str, Any]) -> StreamPlan:
    from agent.headless.plan import EVERY_TASK, Arm
    from agent.streaming.plan import StreamPlan, learnings, with_sisters

    compared = learnings(asked["kinds"], asked["feedback"], asked["read_by"])
    safeguards = safeguards_of(asked)
    arms = tuple(Arm(safeguards, each.name) for each in compared)
    every = asked["split"] is None and asked["tasks"] == EVERY_TASK
    plan = with_sisters(plan_of({**asked, "memory": None}, arms), every=every)
    return StreamPlan(
        plan=plan,
        learnings=compared,
        seeds=tuple(range(asked["seed"], asked["seed"] + asked["seeds"])),
        trials=asked["trials"],
        policy_agent=asked["policy_agent"],
        begun_by=asked["begun_by"],
    )
