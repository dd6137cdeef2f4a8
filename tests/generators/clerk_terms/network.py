"""What finds the terms of a message, as a network that can be trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn

from agent.clerk.understanding.encoder import LAYERS
from agent.clerk.understanding.terms import FIRST_TRAINED, KINDS, trained
from agent.clerk.understanding.transformer import WIDTH
from tests.generators.clerk_mentions.network import load_bert, read_together
from tests.generators.clerk_reader.network import (
    keep_layer,
    keep_linear,
    load_layer,
    load_linear,
)

DROPPED = 0.1
"""How much of a vector is left out while training."""

SMOOTHING = 0.02
"""How much of a label's probability is spread over the others."""

UNLABELLED = -100
"""What PyTorch takes for no label."""


class Encoded(NamedTuple):
    """A message as numbers."""

    tokens: list[int]
    labels: list[int]
    """Of each token 0, or 1 more than the place of its kind in ``KINDS``; ``UNLABELLED`` for what
    marks the ends, and where terms are not marked."""
    places: list[list[int]]
    """The tokens of each mention that is marked."""
    fallbacks: list[int]
    """Whether each is one, as 0 or 1."""


class TermNetwork(nn.Module):
    """all-MiniLM-L6-v2, of which the last layers learn to find terms and fallbacks."""

    def __init__(self) -> None:
        super().__init__()
        self.bert = load_bert(FIRST_TRAINED)
        self.terms = nn.Linear(WIDTH, 1 + len(KINDS))
        self.fallback = nn.Linear(2 * WIDTH, 2)
        self.dropping = nn.Dropout(DROPPED)

    def forward(self, rows: Sequence[Encoded]) -> tuple[Tensor, Tensor]:
        """The scores of all tokens of some messages, (tokens, 4), and mentions, (mentions, 2)."""
        outputs = read_together(self.bert, [each.tokens for each in rows])
        own = [outputs[n, : len(each.tokens)] for n, each in enumerate(rows)]
        mentions = [
            torch.cat([told[places].mean(0), told.mean(0)])
            for told, each in zip(own, rows, strict=True)
            for places in each.places
        ]
        terms = self.terms(self.dropping(torch.cat(own)).float())
        if not mentions:
            return terms, torch.zeros(0, 2)
        return terms, self.fallback(self.dropping(torch.stack(mentions)).float())

    def loss(self, rows: Sequence[Encoded]) -> Tensor:
        """The mean cross entropy of what tokens are part of, and that of fallbacks."""
        terms, mentions = self(rows)
        labels = torch.tensor([label for each in rows for label in each.labels])
        fallbacks = torch.tensor([label for each in rows for label in each.fallbacks])
        total = torch.zeros(())
        for scores, wanted in ((terms, labels), (mentions, fallbacks)):
            if (wanted >= 0).any():
                total = total + nn.functional.cross_entropy(
                    scores.float(), wanted, label_smoothing=SMOOTHING
                )
        return total

    def save(self, path: Path, examples: str) -> None:
        """Write what was trained as the program reads it; ``examples`` is their digest."""
        kept: dict[str, np.ndarray[Any, Any]] = {}
        for number in range(FIRST_TRAINED, LAYERS):
            keep_layer(kept, f"layer.{number}", self.bert.encoder.layer[number])
        keep_linear(kept, "terms", self.terms.weight, self.terms.bias)
        keep_linear(kept, "fallback", self.fallback.weight, self.fallback.bias)
        save_file(kept, str(path), {"examples": examples})


def load_network() -> TermNetwork:
    """The network with the weights that the program has, for what wants to compare the two."""
    known, network = trained(), TermNetwork().eval()
    for number in range(FIRST_TRAINED, LAYERS):
        load_layer(network.bert.encoder.layer[number], known.model.layers[number])
    load_linear(network.terms, *known.terms)
    load_linear(network.fallback, *known.fallback)
    return network
