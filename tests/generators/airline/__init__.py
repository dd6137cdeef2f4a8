"""The demo airline."""

from __future__ import annotations
