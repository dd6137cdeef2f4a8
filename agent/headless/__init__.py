"""Sessions that are played without a person: runs, ablations, what came of them."""

from __future__ import annotations
