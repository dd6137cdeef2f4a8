"""Attention checks: cards that are wrong on purpose, to find out whether people read cards."""

from __future__ import annotations
