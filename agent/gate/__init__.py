"""No write without a consent: the card, who decides on it, what they said (law 2)."""

from __future__ import annotations
