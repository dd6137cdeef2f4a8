"""Streams of sessions in which the agent learns from each what the next is held with."""

from __future__ import annotations
