"""The session file: append-only logs in SQLite.

sqlite_utils imports pandas wherever that is installed, for column types that no table here has, and
that takes as long as all else that opening a session file needs. So it is kept from finding it.
"""

from __future__ import annotations

import sys

if not {"pandas", "sqlite_utils"} & sys.modules.keys():
    sys.modules["pandas"] = None  # type: ignore[assignment]  # an import of it fails, as if missing
    try:
        import sqlite_utils  # noqa: F401
    finally:
        del sys.modules["pandas"]
