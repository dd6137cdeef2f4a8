"""The objection that a guard raises against a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Objection:
    """The guard that objects to a call, and the reason."""

    guard: str
    why: str
    kind: Literal["evidence", "protocol"] = "evidence"
