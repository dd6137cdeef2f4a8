"""What tells the roles of mentions, as a network that can be trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn

from agent.clerk.understanding.encoder import LAYERS
from agent.clerk.understanding.mention_roles import FIRST_TRAINED, ROLES, trained
from agent.clerk.understanding.transformer import WIDTH
from agent.context.embedding_worker import weights_folder
from tests.generators.clerk_reader.network import (
    keep_layer,
    keep_linear,
    load_layer,
    load_linear,
)

DROPPED = 0.1
"""How much of a mention's vector is left out while training."""

SMOOTHING = 0.05
"""How much of a role's probability is spread over the others."""


class Encoded(NamedTuple):
    """A message as numbers."""

    tokens: list[int]
    places: list[list[int]]
    """The tokens of each mention."""
    roles: list[int]


def load_bert(first: int) -> Any:
    """all-MiniLM-L6-v2, of which the layers from the one with the number ``first`` can learn."""
    from transformers import BertModel

    bert: Any = BertModel.from_pretrained(
        str(weights_folder()), add_pooling_layer=False, attn_implementation="sdpa"
    )
    bert.requires_grad_(False)
    for layer in bert.encoder.layer[first:]:
        layer.requires_grad_(True)
    return bert


def read_together(bert: Any, texts: Sequence[list[int]]) -> Tensor:
    """The outputs for the tokens of b texts of at most n tokens: (b, n, 384)."""
    longest = max(map(len, texts))
    tokens = torch.zeros(len(texts), longest, dtype=torch.long)
    mask = torch.zeros(len(texts), longest)
    for n, each in enumerate(texts):
        tokens[n, : len(each)] = torch.tensor(each)
        mask[n, : len(each)] = 1
    outputs: Tensor = bert(input_ids=tokens, attention_mask=mask).last_hidden_state
    return outputs


class RoleNetwork(nn.Module):
    """all-MiniLM-L6-v2, of which the last layers learn the roles of what is mentioned."""

    def __init__(self) -> None:
        super().__init__()
        self.bert = load_bert(FIRST_TRAINED)
        self.roles = nn.Linear(2 * WIDTH, len(ROLES))
        self.dropping = nn.Dropout(DROPPED)

    def forward(self, rows: Sequence[Encoded]) -> Tensor:
        """The scores of the roles of all mentions of some messages, in order: (mentions, 4)."""
        outputs = read_together(self.bert, [each.tokens for each in rows])
        vectors = [
            torch.cat([outputs[n, own].mean(0), outputs[n, : len(each.tokens)].mean(0)])
            for n, each in enumerate(rows)
            for own in each.places
        ]
        scores: Tensor = self.roles(self.dropping(torch.stack(vectors)).float())
        return scores

    def loss(self, rows: Sequence[Encoded]) -> Tensor:
        """The mean cross entropy of the roles of all mentions."""
        wanted = torch.tensor([role for each in rows for role in each.roles])
        return nn.functional.cross_entropy(self(rows).float(), wanted, label_smoothing=SMOOTHING)

    def save(self, path: Path, examples: str) -> None:
        """Write what was trained as the program reads it; ``examples`` is their digest."""
        kept: dict[str, np.ndarray[Any, Any]] = {}
        for number in range(FIRST_TRAINED, LAYERS):
            keep_layer(kept, f"layer.{number}", self.bert.encoder.layer[number])
        keep_linear(kept, "roles", self.roles.weight, self.roles.bias)
        save_file(kept, str(path), {"examples": examples})


def load_network() -> RoleNetwork:
    """The network with the weights that the program has, for what wants to compare the two."""
    known, network = trained(), RoleNetwork().eval()
    for number in range(FIRST_TRAINED, LAYERS):
        load_layer(network.bert.encoder.layer[number], known.model.layers[number])
    load_linear(network.roles, *known.roles)
    return network
