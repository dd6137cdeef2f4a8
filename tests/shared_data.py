"""Where the tests find τ²-bench's records, which are not part of this project."""

from __future__ import annotations

import os
from pathlib import Path

TAU2 = Path(
    os.environ.get("TAU2_DATA_DIR") or Path(__file__).resolve().parents[2] / "shared" / "tau2"
)
"""The folder that holds ``retail/db.json`` and ``retail/tasks.json``."""

TAU2_RETAIL = TAU2 / "retail"

TAU2_AIRLINE = TAU2 / "airline"

TAU2_VERIFIED = TAU2.with_name("tau2-verified")
"""The folder that holds the corrected ``retail/tasks.json`` and ``airline/tasks.json``."""
