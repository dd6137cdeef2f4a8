"""The demo store's scenarios: whom to play, what they want, and which ends are acceptable."""

from __future__ import annotations

from pathlib import Path

from domains.core.domain import Scenario
from domains.scenarios import files as scenario_files

SCENARIOS = Path(__file__).parent / "data" / "scenarios.json"


def load() -> tuple[Scenario, ...]:
    """The scenarios that come with the demo store, in the order of their file."""
    return scenario_files.load(SCENARIOS)
