"""What screens are made of."""

from __future__ import annotations
