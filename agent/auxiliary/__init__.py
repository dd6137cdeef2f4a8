"""Models beside the agent: one that words, one that judges; both are held to the facts."""

from __future__ import annotations
