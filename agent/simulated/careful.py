"""wip."""

from __future__ import annotations

CAREFUL = "careful"
