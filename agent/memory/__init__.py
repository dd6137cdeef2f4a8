"""The agent's memory: what it learned of the policy from what people decided (PolicyBank)."""

from __future__ import annotations
