"""The reminder that the agent is given before a change (SABER, section 4.1)."""

from __future__ import annotations
