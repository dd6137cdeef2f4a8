"""The agent's memory: what it has learned about the policy from people's decisions (PolicyBank)."""

from __future__ import annotations
