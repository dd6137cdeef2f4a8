"""Recorded sessions in the app: find them, and replay, fork, compare, label or review them.

``histories`` opens the screens; ``browsing`` and ``session_query`` read the session file for the
list and its search line; ``family`` and ``side_by_side`` lay out trees of forks and comparisons.
"""

from __future__ import annotations
