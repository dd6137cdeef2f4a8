"""Decides whether a session came out right: by our own verdict, and exactly as τ²-bench scores it.

``score`` compares the records and messages of a session with the acceptable ends of its scenario.
``judge_assertions`` has a model judge the statements that only a reader can judge.
"""

from __future__ import annotations

from sessions.scoring.judging import Judge, conversation, judge_assertions, keep_verdicts
from sessions.scoring.score import TRANSFER, score
from sessions.scoring.session_records import records_of

__all__ = [
    "TRANSFER",
    "Judge",
    "conversation",
    "judge_assertions",
    "keep_verdicts",
    "records_of",
    "score",
]
