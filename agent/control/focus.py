"""The focus set of a baseline run: the tasks on which stronger control is expected to matter.

A task is in it where at least half of its sessions, two of four, were ones of conflict
(difficulty-routed control, section 4.2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

FOCUS = "focus"
"""The split's name."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A session of a run, and whether it was one of conflict."""

    task: str
    session: str
    conflict: bool
    by: str
    why: tuple[str, ...] = ()


class FocusSet(BaseModel):
    """The tasks of a domain that are in focus, and what that rests on."""

    domain: str
    run: str
    """The baseline run whose sessions were looked at."""

    tasks: tuple[str, ...]
    of: int
    """How many tasks the run has."""

    sessions: tuple[Mapping[str, Any], ...] = ()


class NoFocusSet(Exception):
    """There is no focus set to take tasks from; the message says what to do."""


def in_focus(trials: Iterable[Trial]) -> tuple[str, ...]:
    """The tasks of which at least half of the sessions were ones of conflict, in their order."""
    by_task: dict[str, list[bool]] = {}
    for each in trials:
        by_task.setdefault(each.task, []).append(each.conflict)
    return tuple(task for task, found in by_task.items() if 2 * sum(found) >= len(found))


def place_of(db: Path, domain: str) -> Path:
    """Where a domain's focus set lies: beside the session file that it was made from."""
    return db.with_name(f"{db.stem}.focus-{domain}.json")


def keep(focus: FocusSet, db: Path) -> Path:
    """Write it to its place, in one go; returns where that is."""
    place = place_of(db, focus.domain)
    draft = place.with_suffix(".tmp")
    draft.write_text(json.dumps(focus.model_dump(mode="json"), indent=2), encoding="utf-8")
    draft.replace(place)
    return place


def focus_set_in(db: Path, domain: str) -> FocusSet:
    """A domain's focus set; raises NoFocusSet where there is none, or none that can be read."""
    place = place_of(db, domain)
    try:
        return FocusSet.model_validate_json(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoFocusSet(
            f"No focus set of {domain} has been made for {db}. "
            "saber focus --runs BASELINE makes one of a run without control."
        ) from None
    except (OSError, ValidationError, ValueError) as error:
        raise NoFocusSet(f"{place} is no focus set that can be read; make it anew.") from error
