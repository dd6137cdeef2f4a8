"""One conversation while it is held: begun, resumed, limited, asked again, replayed."""

from __future__ import annotations
