"""``saber memory learn``: show what the agent wants to remember of a session, and decide it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.memory import BANK
from console.commands.memory_begin import model_to_learn_by
from console.commands.memory_origin import settle_origin
from console.commands.options import DATA, DB, TASKS, Refused, existing, with_sentences
from console.commands.session_ids import with_full_session_ids

if TYPE_CHECKING:
    from agent.memory.bank import Bank
    from agent.memory.change import Change
    from agent.memory.entry import Entry
    from agent.memory.feedback import Feedback, PolicyAgent, Regime
    from agent.memory.lessons import Answer
    from domains.core.domain import Domain
    from sessions.events import Logged
    from sessions.store.store import Store
    from sessions.views import SessionStatus

_DONE: dict[Answer, str] = {
    "accept": "Remembered.",
    "edit": "Remembered as you wrote it.",
    "refuse": "Not remembered.",
    "wait": "It waits to be accepted: {id}.",
}
ANSWERS: tuple[Answer, ...] = tuple(_DONE)
_BY_HAND = (
    "  To have it remembered, write it yourself (saber memory edit), or have a model read it (the "
    "same command with --model NAME)."
)
_NOT_TAKEN = (
    "Only the imported file says which change your words are about; that is not used unless you "
    "say --imported."
)
REGIMES = ("person", "reward", "explanation", "oracle")


@click.command()
@click.argument("session")
@BANK
@click.option("--model", metavar="NAME", help="The model that learns.  [default: rules, offline]")
@click.option(
    "--feedback",
    type=click.Choice(REGIMES),
    default="person",
    show_default=True,
    help="What to learn from: your words, the reward alone, what should have been done, or how "
    "the policy is meant.",
)
@click.option(
    "--words", metavar="TEXT", default="", help="The explanation, or how the policy is meant."
)
@click.option("--imported", is_flag=True, help="Also learn from what came with an imported file.")
@click.option(
    "--answer", type=click.Choice(ANSWERS), help="What to do with each; without it, you are asked."
)
@DATA
@TASKS
@DB
@with_sentences
@with_full_session_ids("session")
def learn(
    session: str,
    bank: str | None,
    model: str | None,
    feedback: Regime,
    words: str,
    imported: bool,
    answer: Answer | None,
    data: Path | None,
    tasks: Path | None,
    db: Path,
) -> None:
    """Show what the agent wants to remember of a session, and accept, edit or refuse it.

    It learns from your reasons on cards, from notes of labels, and from outcomes that were wrong;
    never from a customer played by a model, nor from tools and records. Each thing is learned from
    a session only once; wait leaves it for saber memory accept.
    """
    from agent.memory.learning import feedback_to_review, mark_imported
    from agent.memory.rule_policy_agent import BY as RULES
    from domains.text.one_line import value
    from sessions.store.store import Store
    from sessions.views import status

    with Store.open(existing(db)) as store:
        log = store.read(session)
        held = _bank(store, status(log), bank)
        domain = _domain(log, held, data, tasks)
        if notice := held.policy_notice(domain.policy_digest):
            click.echo(notice)
        heard = _feedback(log, domain, feedback, words)
        by = RULES if model is None else model_to_learn_by(model).name
        if not imported:
            settle_origin(store, session, feedback_to_review(store, held, heard, by, unsure=True))
        told = mark_imported(store, heard, imported=imported)
        if [each.tool for each in told.evidence] != [each.tool for each in heard.evidence]:
            click.echo(_NOT_TAKEN)
        new = feedback_to_review(store, held, told, by, imported=imported)
        # By rules, each piece is decided before the agent looks at the next; a model is asked once.
        parts = [new] if model else [new.only([each]) for each in new.evidence]
        for part in parts:
            before = held
            held, made = asyncio.run(_review(store, held, model, session, part, domain))
            for revision, change in enumerate(made, before.revision + 1):
                held = _decide(store, held, domain, (revision, change), answer)
    foreign = {each.file for each in told.evidence if each.file and not imported}
    for file in sorted(foreign):
        click.echo(
            f"What came with {value(file)} is not used as evidence, as nobody here can tell who "
            "said it. --imported learns from it all the same."
        )
    if not new.evidence and not foreign:
        again = " more" if told.evidence else ""
        click.echo(f"There is nothing{again} to learn from in this session.")


def _bank(store: Store, held: SessionStatus, name: str | None) -> Bank:
    """The memory that learns, by default the session's; raises MemoryRefused and Refused."""
    from agent.memory.keeping import open_bank, refuse_stream
    from agent.memory.retrieval import recall_if_here

    used = held.memory
    if name is None and used is not None and not recall_if_here(store, held.session, used):
        raise Refused(
            "The memory that this session was held with is not here; name one with --bank."
        )
    bank = open_bank(store, name or (used.bank if used else None))
    refuse_stream(bank)
    return bank


def _domain(log: list[Logged], bank: Bank, data: Path | None, tasks: Path | None) -> Domain:
    """The session's domain; raises DomainError, and MemoryRefused if it is not the bank's."""
    from agent.memory.retrieval import with_memory_lookup
    from sessions.scoring.sources import load_domain_of_session
    from sessions.views import status

    domain = load_domain_of_session(status(log), data, tasks)
    with_memory_lookup(domain, bank)  # raises MemoryRefused for another domain
    return domain


def _feedback(log: list[Logged], domain: Domain, regime: Regime, words: str) -> Feedback:
    """The feedback on the session; raises Refused if the regime cannot be applied to it."""
    from agent.memory.feedback import feedback_on
    from sessions.scoring.imported import scenario_of
    from sessions.views import status

    if words and regime not in ("explanation", "oracle"):
        raise Refused("--words needs --feedback explanation or oracle.")
    scenario = scenario_of(domain, status(log).scenario, log)
    told = feedback_on(log, domain, scenario, regime, words=words)
    if regime != "person" and not told.evidence:
        raise Refused(
            "This session has no score; without one, only your own words can be learned from."
        )
    needed = regime in ("explanation", "oracle") and not told.is_right
    if needed and not (told.explanation or told.clarification):
        raise Refused(f"Nothing is known here for --feedback {regime}; give it with --words.")
    return told


async def _review(
    store: Store, bank: Bank, model: str | None, session: str, feedback: Feedback, domain: Domain
) -> tuple[Bank, list[Change]]:
    """Keep what an agent proposes, to be decided; a model's costs go to the session's log."""
    from agent.memory.learning import learn as reviewed
    from agent.memory.model_policy_agent import ModelPolicyAgent
    from agent.memory.rule_policy_agent import RulePolicyAgent
    from sessions.log import Log

    log = await Log.open(store, session)
    agent: PolicyAgent = RulePolicyAgent()
    if model is not None:
        agent = ModelPolicyAgent(model_to_learn_by(model), log.append)
    # What is to be left out has already been left out of this feedback.
    return await reviewed(store, bank, agent, log.events, feedback, domain, imported=True)


def _decide(
    store: Store, bank: Bank, domain: Domain, made: tuple[int, Change], answer: Answer | None
) -> Bank:
    """Show a proposal, given with its revision, and keep what is decided on it."""
    from agent.memory import markdown
    from agent.memory.keeping import apply_changes
    from agent.memory.lessons import decisions
    from agent.memory.rule_policy_agent import BY as RULES
    from console.commands.memory_editing import edit_entry, keep_text_on_refusal
    from console.reports.memory_lines import proposal_lines

    revision, told = made
    for line in proposal_lines(bank, told.capability, told.entry, told.origin):
        click.echo(line)
    if told.does == "omit" and told.by == RULES and told.origin.words:
        click.echo(_BY_HAND)
    proposed = next((each for each in bank.waiting() if each.revision == revision), None)
    if proposed is None:
        return bank
    chosen = answer or _ask(is_open=_is_open(proposed.entry))
    written = None
    if chosen == "edit":
        written = edit_entry(
            markdown.write(proposed.entry, bank.domain),
            lambda each: bank.after(decisions(bank, domain, proposed, "edit", each)),
        )
    wrote = "" if written is None else markdown.write(written, bank.domain)
    with keep_text_on_refusal(wrote):
        after = apply_changes(store, bank, decisions(bank, domain, proposed, chosen, written))
    click.echo(_DONE[chosen].format(id=proposed.id))
    return after


def _is_open(entry: Entry) -> bool:
    from agent.memory.wording import is_open

    return is_open(entry.key_insight)


def _ask(*, is_open: bool) -> Answer:
    """Ask what becomes of the proposal.

    One that does not say when it holds has to be edited before it can be accepted.
    """
    answers = [each for each in ANSWERS if not (is_open and each == "accept")]
    chosen: Answer = click.prompt("Remember it?", type=click.Choice(answers), default="wait")
    return chosen
