"""Models over a line to a provider, through litellm."""

from __future__ import annotations
