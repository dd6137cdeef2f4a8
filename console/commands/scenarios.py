"""``saber scenarios``: list the roles to play, or show one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from console.commands.focus import FOCUS, tasks_in_focus
from console.commands.options import (
    DATA,
    DB,
    DOMAIN,
    JSON,
    TASKS,
    is_given,
    need_records,
    print_json,
    with_sentences,
)


@click.group(invoke_without_command=True)
@DOMAIN
@DATA
@TASKS
@click.option("--search", default="", metavar="WORDS", help="Only those that contain every word.")
@click.option(
    "--split", default=None, help="Only those of a split: train, test or base; gaps; or focus."
)
@click.option("--tag", "tags", multiple=True, help="Only those with this tag; may be repeated.")
@DB
@JSON
@click.pass_context
@with_sentences
def scenarios(
    context: click.Context,
    domain: str,
    data: Path | None,
    tasks: Path | None,
    search: str,
    split: str | None,
    tags: tuple[str, ...],
    db: Path,
    as_json: bool,
) -> None:
    """List the roles that can be played, or show one."""
    if context.invoked_subcommand is not None:
        return
    from console.reports.scenarios import as_object, choose_scenarios, scenario_lines
    from domains import load

    need_records(data, tasks)
    in_focus = tasks_in_focus(db, domain) if split == FOCUS else None
    split = None if split == FOCUS else split
    found = choose_scenarios(load(domain, data, tasks), words=search, split=split, tags=tags)
    found = [each for each in found if in_focus is None or each.id in in_focus]
    if as_json:
        print_json([as_object(each, spoilers=False) for each in found])
        return
    for line in scenario_lines(found):
        click.echo(line)
    if not found:
        click.echo("No scenario matches.", err=True)


@scenarios.command("show")
@click.argument("scenario")
@DOMAIN
@DATA
@TASKS
@click.option("--spoilers", is_flag=True, help="Show what is expected of the agent, too.")
@JSON
@click.pass_context
@with_sentences
def show_scenario(
    context: click.Context, scenario: str, spoilers: bool, as_json: bool, **where: Any
) -> None:
    """Show a role as it is shown during a conversation."""
    from console.reports.scenarios import as_object, role_lines
    from domains import load

    listing = context.parent
    if listing is not None:
        where = {key: (context if is_given(context, key) else listing).params[key] for key in where}
    need_records(where["data"], where["tasks"])
    loaded = load(where["domain"], where["data"], where["tasks"])
    found = loaded.scenario(scenario)
    if as_json:
        print_json(as_object(found, spoilers=spoilers))
        return
    for line in role_lines(loaded, found, spoilers=spoilers):
        click.echo(line)
