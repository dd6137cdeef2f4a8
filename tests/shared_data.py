"""Where the tests find τ²-bench's records, which are not part of this project."""

from __future__ import annotations

import os
from pathlib import Path

from domains.core.domain import DomainError
from domains.tau2.data import installed_folder

TAU2 = Path(
    os.environ.get("TAU2_DATA_DIR") or Path(__file__).resolve().parents[2] / "shared" / "tau2"
)
"""The folder that holds ``retail/db.json`` and ``retail/tasks.json``."""

TAU2_RETAIL = TAU2 / "retail"

TAU2_AIRLINE = TAU2 / "airline"

TAU2_VERIFIED = TAU2.with_name("tau2-verified")
"""The folder that holds the corrected ``retail/tasks.json`` and ``airline/tasks.json``."""


def _any() -> Path:
    try:
        return TAU2 if TAU2.is_dir() else installed_folder() / "tau2" / "domains"
    except DomainError:
        return TAU2


ANY_TAU2 = _any()
"""The same, or the installed package's own, whose tasks are of another edition: so that a clean
clone, where the extra ``test`` has brought that package, compares with it all the same."""

EDITIONS = tuple(each for each in (ANY_TAU2, TAU2_VERIFIED) if (each / "retail").is_dir())
"""The folders of tasks that are here."""
