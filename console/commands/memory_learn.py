"""``saber memory learn``: what the agent wants to remember of a session, decided by a person."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.memory import BANK
from console.commands.memory_begin import model_to_learn_by
from console.commands.options import DATA, DB, TASKS, Refused, existing, with_sentences
from console.commands.session_ids import by_beginning

if TYPE_CHECKING:
    from agent.memory.bank import Bank, Change
    from agent.memory.feedback import Feedback, PolicyAgent, Regime
    from agent.memory.lessons import Answer
    from domains.core.domain import Domain
    from sessions.events import Logged
    from sessions.store.store import Store

_DONE: dict[Answer, str] = {
    "accept": "Remembered.",
    "edit": "Remembered as you wrote it.",
    "refuse": "Not remembered.",
    "wait": "It waits to be accepted.",
}
ANSWERS: tuple[Answer, ...] = tuple(_DONE)
REGIMES = ("person", "reward", "explanation", "oracle")


@click.command()
@click.argument("session")
@BANK
@click.option("--model", metavar="NAME", help="A model to learn by.  [default: rules, offline]")
@click.option(
    "--feedback",
    type=click.Choice(REGIMES),
    default="person",
    show_default=True,
    help="Whose word counts: yours, the reward alone, what should have been done, or how the "
    "policy is to be understood.",
)
@click.option(
    "--words", metavar="TEXT", default="", help="The explanation, or how it is to be understood."
)
@click.option(
    "--answer", type=click.Choice(ANSWERS), help="What becomes of each; you are asked without."
)
@DATA
@TASKS
@DB
@with_sentences
@by_beginning("session")
def learn(
    session: str,
    bank: str | None,
    model: str | None,
    feedback: Regime,
    words: str,
    answer: Answer | None,
    data: Path | None,
    tasks: Path | None,
    db: Path,
) -> None:
    """Show what the agent wants to remember of a session, and accept, edit or refuse it.

    It learns from your reasons on cards, from notes of labels, and from outcomes that were wrong;
    never from what a customer says whom a model plays, nor from tools and records. A session
    teaches each thing once; wait leaves it for saber memory accept.
    """
    from agent.memory.keeping import open_bank
    from agent.memory.learning import feedback_to_review
    from agent.memory.rule_policy_agent import BY as RULES
    from sessions.store.store import Store
    from sessions.views import status

    with Store.open(existing(db)) as store:
        log = store.read(session)
        used = status(log).memory
        held = open_bank(store, bank or (used.bank if used else None))
        domain = _domain(log, held, data, tasks)
        told = _feedback(log, domain, feedback, words)
        by = RULES if model is None else model_to_learn_by(model).name
        new = feedback_to_review(store, held, told, by)
        # By rules one thing is decided before the agent looks at the next; a model is asked once.
        parts = [new] if model else [new.only([each]) for each in new.evidence]
        for part in parts:
            before = held
            held, made = asyncio.run(_review(store, held, model, session, part, domain))
            for proposed in made:
                held = _decide(store, before, held, proposed, answer)
    if not new.evidence:
        again = " more" if told.evidence else ""
        click.echo(f"There is nothing{again} to learn from in this session.")


def _domain(log: list[Logged], bank: Bank, data: Path | None, tasks: Path | None) -> Domain:
    """The session's domain; raises DomainError, and MemoryRefused for another than the bank's."""
    from agent.memory.retrieval import remember
    from sessions.scoring.sources import domain_held_on
    from sessions.views import status

    domain = domain_held_on(status(log), data, tasks)
    remember(domain, bank)  # refuses another domain's
    return domain


def _feedback(log: list[Logged], domain: Domain, regime: Regime, words: str) -> Feedback:
    """What is said of the session; raises Refused where a regime has nothing to say it by."""
    from agent.memory.feedback import feedback_on
    from sessions.scoring.imported import scenario_of
    from sessions.views import status

    if words and regime not in ("explanation", "oracle"):
        raise Refused("--words goes with --feedback explanation or oracle.")
    scenario = scenario_of(domain, status(log).scenario, log)
    told = feedback_on(log, domain, scenario, regime, words=words)
    if regime != "person" and not told.evidence:
        raise Refused("This session has no score, and without one only your own words can teach.")
    needed = regime in ("explanation", "oracle") and not told.is_right
    if needed and not (told.explanation or told.clarification):
        raise Refused(f"Nothing is known here for --feedback {regime}; say it with --words.")
    return told


async def _review(
    store: Store, bank: Bank, model: str | None, session: str, feedback: Feedback, domain: Domain
) -> tuple[Bank, list[Change]]:
    """What an agent proposes, kept as waiting; what a model costs goes to the session's log."""
    from agent.memory.learning import learn as reviewed
    from agent.memory.model_policy_agent import ModelPolicyAgent
    from agent.memory.rule_policy_agent import RulePolicyAgent
    from sessions.log import Log

    log = await Log.open(store, session)
    agent: PolicyAgent = RulePolicyAgent()
    if model is not None:
        agent = ModelPolicyAgent(model_to_learn_by(model), log.append)
    return await reviewed(store, bank, agent, log.events, feedback, domain)


def _decide(
    store: Store, before: Bank, bank: Bank, proposed: Change, answer: Answer | None
) -> Bank:
    """Show a proposal, and keep what was decided."""
    from agent.memory import markdown
    from agent.memory.keeping import change
    from agent.memory.lessons import decisions
    from console.commands.memory_editing import edit_entry
    from console.reports.memory_lines import proposal_lines

    for line in proposal_lines(before, proposed):
        click.echo(line)
    if proposed.does == "omit":
        return bank
    chosen = answer or _ask()
    written = None
    if chosen == "edit" and proposed.entry is not None:
        written = edit_entry(markdown.write(proposed.entry, bank.domain))
    after = change(store, bank, decisions(bank, proposed, chosen, written))
    click.echo(_DONE[chosen])
    return after


def _ask() -> Answer:
    chosen: Answer = click.prompt("Remember it?", type=click.Choice(ANSWERS), default="wait")
    return chosen
