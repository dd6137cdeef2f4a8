"""The ways to guard an agent that a run compares: those of two papers, neither, either or both.

The card is a separate switch in each of them.
"""

from __future__ import annotations

from typing import Any

ARMS: dict[str, dict[str, Any]] = {
    "none": {"reflection": False, "context": False, "control": "baseline"},
    "saber": {"reflection": True, "context": True, "control": "baseline"},
    "routed": {"reflection": False, "context": False, "control": "routed"},
    "routed+saber": {"reflection": True, "context": True, "control": "routed"},
}
"""The name of each way, and the safeguards that it sets."""

DEFAULT_ARM = "saber"
"""The default way."""
