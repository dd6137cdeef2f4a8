"""An embedder that starts only when a conversation is too long to be sent whole."""

from __future__ import annotations

from collections.abc import Sequence

from agent.context.embedding import Embedder


class LateEmbedder(Embedder):
    """An embedder that starts its process with the first request; most runs never need one."""

    async def rank(self, query: str, texts: Sequence[str], deadline: float) -> list[float] | None:
        """The cosine of each text to the query; None, with `trouble` set, if not in time."""
        self.start()
        return await super().rank(query, texts, deadline)
