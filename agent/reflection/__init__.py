"""What the agent is reminded of before a change (SABER, section 4.1)."""

from __future__ import annotations
