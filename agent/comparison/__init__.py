"""Asked, told, does: what was said about a change, held against what its trial does.

Code over the log and the trial, without a model. It quotes, and gives no verdict.
"""

from __future__ import annotations

from agent.comparison.asked import sentences_about
from agent.comparison.compare import NOTHING_SAID, Comparison, compare, compare_call
from agent.comparison.talk import Talk

__all__ = ["NOTHING_SAID", "Comparison", "Talk", "compare", "compare_call", "sentences_about"]
