"""``saber memory begin``: make a memory that holds what the policy says, before any learning."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from console.commands.options import DATA, DB, DOMAIN, Refused, with_sentences

if TYPE_CHECKING:
    from agent.memory.change import Change
    from agent.models.protocol import ChatModel
    from domains.core.domain import Domain


@click.command()
@DOMAIN
@DATA
@DB
@click.option("--name", metavar="NAME", help="The memory's name.  [default: the domain's]")
@click.option("--model", metavar="NAME", help="The model that makes it.  [default: rules, offline]")
@with_sentences
def begin(domain: str, data: Path | None, db: Path, name: str | None, model: str | None) -> None:
    """Make a memory of what the policy says about each tool.

    Made by rules, it has the policy's own words and is in force at once; what a model writes waits
    to be accepted.
    """
    from agent.memory.beginning import begin_by_rules
    from agent.memory.keeping import make_bank, refuse_taken
    from domains import load
    from sessions.store.store import Store

    of = load(domain, data)
    with Store.open(db) as store:
        refuse_taken(store, name or of.name)  # before a model costs anything
        entries = begin_by_rules(of) if model is None else _begin_by(model_to_learn_by(model), of)
        bank = make_bank(store, name or of.name, of, data, entries)
    count = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
    click.echo(f"Made the memory {bank.name} for {of.title}, {count}.")
    if bank.entries != {each.capability: each.entry for each in entries}:
        click.echo("They wait to be accepted: saber memory show, saber memory accept.")


def model_to_learn_by(name: str) -> ChatModel:
    """The model of that name; raises Refused for the clerk, and ModelFault for an invalid name."""
    from agent.models.choosing import is_clerk, make_model

    if is_clerk(name):
        raise Refused("The clerk is rules, not a language model: leave out --model to use rules.")
    return make_model(name)


def _begin_by(model: ChatModel, domain: Domain) -> list[Change]:
    """Have a model make the first entries, and print what that costs: no session can record it."""
    from agent.memory.model_policy_agent import ModelPolicyAgent
    from sessions.events import OtherModelAsked

    async def tell(asked: OtherModelAsked) -> None:
        used = asked.usage
        cost = "" if used.cost is None else f", ${used.cost:.4f}"
        click.echo(f"{asked.model}: {used.prompt:,} + {used.completion:,} tokens{cost}.")

    return asyncio.run(ModelPolicyAgent(model, tell).begin(domain))
