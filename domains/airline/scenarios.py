"""The airline scenarios: people of the demo airline, what they want, and where it should end."""

from __future__ import annotations

from pathlib import Path

from domains.core.domain import Scenario
from domains.scenarios import files as scenario_files

SCENARIOS = Path(__file__).parent / "data" / "scenarios.json"


def load() -> tuple[Scenario, ...]:
    """The scenarios that come with the demo airline, in their order."""
    return scenario_files.load(SCENARIOS)
