"""No write without consent (law 2): the cards, who decides on them, and what they answer."""

from __future__ import annotations
