"""sqlite_utils, imported without pandas.

It imports pandas wherever that is installed, for column types that no table here has, and that
takes as long as all else that opening a session file needs. So it is kept from finding it.
"""

from __future__ import annotations

import sys

_KEEP_OUT = not {"pandas", "sqlite_utils"} & sys.modules.keys()

if _KEEP_OUT:
    sys.modules["pandas"] = None  # type: ignore[assignment]  # an import of it fails, as if missing
try:
    from sqlite_utils import Database, Migrations, utils
finally:
    if _KEEP_OUT:
        del sys.modules["pandas"]

__all__ = ["Database", "Migrations", "utils"]
