"""Roles to play: reading and finding them."""

from __future__ import annotations
