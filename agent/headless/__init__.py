"""Sessions that run without a person: runs, ablations and their results.

``plan`` says what a run plays, ``run`` plays it, ``playing`` plays one session, and ``summary``
computes the results.
"""

from __future__ import annotations
