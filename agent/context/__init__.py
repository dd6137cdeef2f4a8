"""Chooses which blocks of the conversation a turn is sent; embeddings rank them.

``block`` defines a block, ``selection`` chooses among them, ``messages`` turns the choice into a
request, and ``embedding`` ranks texts in a process of its own.
"""

from __future__ import annotations
