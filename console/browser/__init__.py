"""Recorded sessions as the app finds, compares, labels and reviews them."""

from __future__ import annotations
