"""Which edition a file of tasks is from: τ²-bench as published, or τ²-bench Verified.

The files do not say, and folders may have any name, so the tasks themselves are examined: the
domain's folder has a fingerprint of each task that only the verified edition has.
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
    """``verified`` if most of the tasks that tell the editions apart match it, else ``tau2``."""
    known = _read_fingerprints(domain)
    telling = [each for each in tasks if each.id in known]
    verified = sum(fingerprint(each) == known[each.id] for each in telling)
    return VERIFIED if 2 * verified > len(telling) else PUBLISHED


def fingerprint(task: Scenario) -> str:
    """The fingerprint of a task's text and expected calls: 12 hexadecimal digits."""
    calls = [[each.call.name, dict(each.call.arguments)] for each in task.actions]
    return digest([asdict(task.role), calls])[:12]


@cache
def _read_fingerprints(domain: str) -> dict[str, str]:
    """The fingerprints that only the verified edition has, by task id; empty for other domains."""
    path = files("domains") / domain / "data" / "verified_tasks.json"
    found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found
