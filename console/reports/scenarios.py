"""The roles to play, as lines for a terminal and as JSON, for ``saber scenarios``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from console.catalogue import role_text
from console.gap_text import gap_sections
from domains.core.domain import Domain, DomainError, Scenario
from domains.core.tool import ToolCall
from domains.scenarios.search import search
from sessions.cleaning import clean, clean_json


def choose_scenarios(
    domain: Domain, *, words: str = "", split: str | None = None, tags: Sequence[str] = ()
) -> list[Scenario]:
    """The scenarios that contain the words, are in the split, and have all the tags.

    Raises DomainError for a split or a tag that none of them has.
    """
    every = domain.scenarios if split is None else domain.all_scenarios
    if split is not None:
        _must_be("split", split, [name for each in every for name in each.splits])
    for tag in tags:
        _must_be("tag", tag, [name for each in every for name in each.tags])
    fitting = [
        each
        for each in every
        if (split is None or split in each.splits) and set(tags) <= set(each.tags)
    ]
    return search(fitting, words)


def _must_be(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        there_are = ", ".join(dict.fromkeys(known))
        others = f"There are: {there_are}." if there_are else f"None of them has a {what}."
        raise DomainError(f"No scenario here has the {what} {name!r}. {others}")


def scenario_lines(scenarios: Sequence[Scenario]) -> Iterator[str]:
    """Yield a line for each scenario, in columns: id, title, tags, splits, and its gap."""
    ids = max((len(each.id) for each in scenarios), default=0)
    titles = max((len(each.title) for each in scenarios), default=0)
    for each in scenarios:
        gap = tuple(filter(None, (each.gap, each.variant or (each.gap and "parent"))))
        notes = " · ".join(", ".join(part) for part in (each.tags, each.splits, gap) if part)
        yield clean(f"{each.id:<{ids}}  {each.title:<{titles}}  {notes}").rstrip()


def role_lines(domain: Domain, scenario: Scenario, *, spoilers: bool) -> Iterator[str]:
    """Yield a role as the player reads it; with spoilers, also what is expected of the agent."""
    yield clean(f"{scenario.id} · {scenario.title}")
    yield ""
    yield clean(role_text(scenario.role))
    if spoilers:
        yield ""
        yield clean("\n".join(_expectation_lines(domain, scenario)))


def _expectation_lines(domain: Domain, scenario: Scenario) -> Iterator[str]:
    yield "What is expected of the agent" if scenario.basis else "This task is not scored."
    for number, end in enumerate(scenario.ends):
        yield "or" if number else "To change"
        writes = [call for call in end if domain.tools.mutates(call.name)]
        yield from (f"• {_spell(call)}" for call in writes)
        yield from () if writes else ("• nothing",)
    if scenario.ends_from:
        yield scenario.ends_from
    if scenario.transfer:
        yield from ("To do", "• hand over to a human agent")
    for heading, entries in (("To say", scenario.communicate), ("To hold", scenario.assertions)):
        yield from (heading, *(f"• {each}" for each in entries)) if entries else ()
    if scenario.basis:
        yield f"Scored by {', '.join(scenario.basis)}"
    for heading, lines in gap_sections(domain, scenario):
        yield from ("", heading, *(f"• {line}" for line in lines))


def _spell(call: ToolCall) -> str:
    arguments = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items()
    )
    return f"{call.name}({arguments})"


def as_object(scenario: Scenario, *, spoilers: bool) -> dict[str, Any]:
    """A scenario for a program: the role, and with spoilers what is expected of the agent."""
    shown: dict[str, Any] = {
        "id": scenario.id,
        "title": scenario.title,
        **asdict(scenario.role),
        "tags": scenario.tags,
        "splits": scenario.splits,
        "source": scenario.source,
    }
    if scenario.gap:
        shown |= {"gap": scenario.gap, "parent": scenario.parent, "variant": scenario.variant}
    if spoilers:
        shown |= {
            "ends": [[asdict(call) for call in end] for end in scenario.ends],
            "ends_from": scenario.ends_from,
            "communicate": scenario.communicate,
            "transfer": scenario.transfer,
            "assertions": scenario.assertions,
            "basis": scenario.basis,
        }
    if spoilers and scenario.gap:
        shown["explanation"] = scenario.explanation
    cleaned: dict[str, Any] = clean_json(json.loads(json.dumps(shown)))
    return cleaned
