"""Any model as the loop knows it: asked, put together, retried, and what can go wrong."""

from __future__ import annotations
