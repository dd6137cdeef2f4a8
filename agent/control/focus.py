"""The focus set of a baseline run: the tasks where stronger control is expected to help.

A task is in it if at least half of its sessions, two out of four, had a conflict (difficulty-routed
control, section 4.2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

FOCUS = "focus"
"""The name of the split."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A session of a run, and whether it had a conflict."""

    task: str
    session: str
    conflict: bool
    by: str
    why: tuple[str, ...] = ()


class FocusSet(BaseModel):
    """The tasks of a domain that are in focus, and the evidence for that."""

    domain: str
    run: str
    """The baseline run whose sessions were examined."""

    tasks: tuple[str, ...]
    of: int
    """The number of tasks in the run."""

    sessions: tuple[Mapping[str, Any], ...] = ()


class NoFocusSet(Exception):
    """There is no focus set to take tasks from; the message says what to do."""


def in_focus(trials: Iterable[Trial]) -> tuple[str, ...]:
    """The tasks at least half of whose sessions had a conflict, in their original order."""
    by_task: dict[str, list[bool]] = {}
    for each in trials:
        by_task.setdefault(each.task, []).append(each.conflict)
    return tuple(task for task, found in by_task.items() if 2 * sum(found) >= len(found))


def focus_set_path(db: Path, domain: str) -> Path:
    """The file for a domain's focus set, next to the session file that it was made from."""
    return db.with_name(f"{db.stem}.focus-{domain}.json")


def write_focus_set(focus: FocusSet, db: Path) -> Path:
    """Write the focus set to its file atomically, and return the path."""
    place = focus_set_path(db, focus.domain)
    draft = place.with_suffix(".tmp")
    draft.write_text(json.dumps(focus.model_dump(mode="json"), indent=2), encoding="utf-8")
    draft.replace(place)
    return place


def read_focus_set(db: Path, domain: str) -> FocusSet:
    """A domain's focus set; raises NoFocusSet if there is none or it cannot be read."""
    place = focus_set_path(db, domain)
    try:
        return FocusSet.model_validate_json(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoFocusSet(
            f"There is no focus set of {domain} for {db}. "
            "Make one from a run without control with saber focus --runs BASELINE."
        ) from None
    except (OSError, ValidationError, ValueError) as error:
        raise NoFocusSet(f"{place} is not a readable focus set; make it again.") from error
