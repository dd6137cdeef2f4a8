"""Attention checks: cards that are wrong on purpose, to see whether cards are read."""

from __future__ import annotations
