"""The two papers' ways to guard an agent, which a run compares: neither, either, both.

The card is a switch of its own in each of them.
"""

from __future__ import annotations

from typing import Any

ARMS: dict[str, dict[str, Any]] = {
    "none": {"reflection": False, "context": False, "control": "baseline"},
    "saber": {"reflection": True, "context": True, "control": "baseline"},
    "routed": {"reflection": False, "context": False, "control": "routed"},
    "routed+saber": {"reflection": True, "context": True, "control": "routed"},
}
"""Name of the way, and the safeguards that it sets."""

USUAL = "saber"
"""The way that is taken where none is named."""
