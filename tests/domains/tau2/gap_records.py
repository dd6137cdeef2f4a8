"""The records that the gap scenarios rest on: what their ends and the cards' checks read.

``python -m tests.domains.tau2.gap_records airline`` prints the table ``records`` of the domain's
``data/tau2_gaps.json``, for when a scenario of it has changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import domains
from domains.core.domain import Domain, Scenario
from domains.core.draft import WHOLE, Draft
from domains.scenarios.files import read, scenarios_of
from domains.scenarios.gaps import fingerprint
from tests.shared_data import ANY_TAU2


def places_of(domain: Domain, scenarios: Iterable[Scenario]) -> list[str]:
    """The places of these records, as ``users/ann_1``, in order."""
    touched = set()
    for scenario in scenarios:
        for end in scenario.ends:
            draft = Draft(domain.records())
            for call in end:
                tool = domain.tools.get(call.name)
                assert tool is not None
                assert tool.notes is not None
                for check in tool.notes.checks:
                    check.run(draft, call.arguments)
                domain.tools.run(call, draft)
            touched |= draft.touched
    return sorted(f"{name}/{key}" for name, key in touched if key != WHOLE)


def main(name: str) -> None:
    """Print the table."""
    path = Path(str(files("domains"))) / name / "data" / "tau2_gaps.json"
    scenarios = scenarios_of(path, read(path)["scenarios"])
    domain = domains.load(name, ANY_TAU2)
    places = places_of(domain, scenarios)
    print(json.dumps({place: fingerprint(domain, place) for place in places}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
