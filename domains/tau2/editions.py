"""Whose tasks a file holds: τ²-bench's as published, or those of τ²-bench Verified.

The files do not say, and folders may be called anything, so that the tasks themselves are looked
at: a fingerprint of each that only the verified edition has lies in the domain's folder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files

from domains.core.canonical import digest
from domains.core.domain import Scenario

PUBLISHED, VERIFIED = "tau2", "verified"


def edition(domain: str, tasks: Sequence[Scenario]) -> str:
    """``verified`` where most of the tasks that tell are as only that edition has them."""
    known = _read_fingerprints(domain)
    telling = [each for each in tasks if each.id in known]
    verified = sum(fingerprint(each) == known[each.id] for each in telling)
    return VERIFIED if 2 * verified > len(telling) else PUBLISHED


def fingerprint(task: Scenario) -> str:
    """What a task's text and its expected calls are told by: 12 hexadecimal digits."""
    calls = [[each.call.name, dict(each.call.arguments)] for each in task.actions]
    return digest([asdict(task.role), calls])[:12]


@cache
def _read_fingerprints(domain: str) -> dict[str, str]:
    """By task id, the fingerprints of what no other edition has; empty for other domains."""
    path = files("domains") / domain / "data" / "verified_tasks.json"
    found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found
