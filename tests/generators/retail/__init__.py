"""The demo store."""

from __future__ import annotations
