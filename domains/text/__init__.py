"""Words about records: names, amounts, foreign text on one line."""

from __future__ import annotations
