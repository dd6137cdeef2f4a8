"""sqlite_utils, imported without pandas.

It imports pandas wherever that is installed, for column types that no table here has. That takes as
long as everything else needed to open a session file, so pandas is hidden during the import.
"""

from __future__ import annotations

import sys

_KEEP_OUT = not {"pandas", "sqlite_utils"} & sys.modules.keys()

if _KEEP_OUT:
    sys.modules["pandas"] = None  # type: ignore[assignment]  # makes every import of it fail
try:
    from sqlite_utils import Database, Migrations, utils
finally:
    if _KEEP_OUT:
        del sys.modules["pandas"]

__all__ = ["Database", "Migrations", "utils"]
