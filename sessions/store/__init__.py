"""The session file: append-only logs in SQLite.

``store`` is the interface. Behind it, ``write_thread`` owns the one writing connection, ``writing``
holds the work of each transaction, ``chain`` links the rows by hashes, ``schema`` defines the
tables, ``schema_check`` refuses a file in which they were altered, and ``finding`` and ``listing``
serve searches and lists. ``database`` opens the file, by a sqlite_utils that is imported in
``without_pandas``. The memory banks of agents are in ``memory`` and ``memory_chain``.
"""

from __future__ import annotations
