"""``saber memory learn``: what the agent wants to remember of a session, decided by a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.memory import BANK
from console.commands.options import DATA, DB, TASKS, existing, with_sentences
from console.commands.session_ids import by_beginning

if TYPE_CHECKING:
    from agent.memory.bank import Bank, Change
    from agent.memory.feedback import Feedback
    from agent.memory.lessons import Answer
    from domains.core.domain import Domain
    from sessions.store.store import Store

_DONE: dict[Answer, str] = {
    "accept": "Remembered.",
    "edit": "Remembered as you wrote it.",
    "refuse": "Not remembered.",
    "wait": "It waits to be accepted.",
}
ANSWERS: tuple[Answer, ...] = tuple(_DONE)


@click.command()
@click.argument("session")
@BANK
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
    import asyncio

    from agent.memory.keeping import learned_from, open_bank
    from agent.memory.rule_policy_agent import RulePolicyAgent
    from sessions.store.store import Store
    from sessions.views import status

    with Store.open(existing(db)) as store:
        log = store.read(session)
        used = status(log).memory
        held = open_bank(store, bank or (used.bank if used else None))
        domain, feedback = _read(store, session, held, data, tasks)
        known = learned_from(store, held)
        new = [each for each in feedback.evidence if each.key not in known]
        agent = RulePolicyAgent()
        for each in new:  # what is decided of one is before the agent when it looks at the next
            made = asyncio.run(agent.review(log, feedback.only([each]), held, domain))
            for proposed in made:
                held = _decide(store, held, proposed, answer)
    if not new:
        again = " more" if feedback.evidence else ""
        click.echo(f"There is nothing{again} to learn from in this session.")


def _read(
    store: Store, session: str, bank: Bank, data: Path | None, tasks: Path | None
) -> tuple[Domain, Feedback]:
    """The session's domain and all that it teaches; raises Refused and DomainError."""
    from agent.memory.feedback import feedback_on
    from agent.memory.retrieval import remember
    from sessions.scoring.imported import scenario_of
    from sessions.scoring.sources import domain_held_on
    from sessions.views import status

    log = store.read(session)
    held = status(log)
    domain = domain_held_on(held, data, tasks)
    remember(domain, bank)  # refuses another domain's
    scenario = scenario_of(domain, held.scenario, log)
    return domain, feedback_on(log, domain, scenario, "person")


def _decide(store: Store, bank: Bank, proposed: Change, answer: Answer | None) -> Bank:
    """Show a proposal, and keep what was decided; what teaches nothing is kept as that."""
    from agent.memory import markdown
    from agent.memory.keeping import change
    from agent.memory.lessons import Lesson, settled
    from console.commands.memory_editing import edit_entry
    from console.reports.memory_lines import proposal_lines

    for line in proposal_lines(bank, proposed):
        click.echo(line)
    if proposed.does == "omit":
        return change(store, bank, [proposed])
    chosen = answer or _ask()
    written = None
    if chosen == "edit" and proposed.entry is not None:
        written = edit_entry(markdown.write(proposed.entry, bank.domain))
    after = change(store, bank, list(settled(Lesson(bank, proposed), chosen, written)))
    click.echo(_DONE[chosen])
    return after


def _ask() -> Answer:
    chosen: Answer = click.prompt("Remember it?", type=click.Choice(ANSWERS), default="wait")
    return chosen
