"""A conversation on the screen: what the engine does there, and what the person does."""

from __future__ import annotations
