"""Streams: sessions in sequence, where each session uses what was learned from those before it.

``plan`` says what a stream plays, ``stream`` plays it, ``learning`` chooses who learns, and
``summary`` computes the results.
"""

from __future__ import annotations
