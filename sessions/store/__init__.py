"""The session file: append-only logs in SQLite.

``store`` is the interface. Behind it, ``writer`` owns the one writing connection, ``recording``
holds the work of each transaction, ``chain`` links the rows by hashes, ``migrations`` and
``schema`` define the tables, and ``finding`` and ``listing`` serve searches and lists. The memory
banks of agents are in ``memory`` and ``memory_chain``.
"""

from __future__ import annotations
