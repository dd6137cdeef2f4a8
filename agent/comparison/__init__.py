"""Compares what was said about a change with what its trial on a copy of the records does.

The code reads the log and the trial and uses no model. It only quotes and gives no verdict.
"""

from __future__ import annotations

from agent.comparison.compare import NOTHING_SAID, Comparison, compare, compare_call
from agent.comparison.quoted_requests import sentences_about
from agent.comparison.talk import Talk

__all__ = ["NOTHING_SAID", "Comparison", "Talk", "compare", "compare_call", "sentences_about"]
