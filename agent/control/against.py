"""What a guard has against a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Against:
    """Which guard speaks against a call, and what it saw."""

    guard: str
    why: str
    kind: Literal["evidence", "protocol"] = "evidence"
