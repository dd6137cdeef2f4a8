"""Which blocks of the conversation a turn is sent, and the embeddings that rank them."""

from __future__ import annotations
