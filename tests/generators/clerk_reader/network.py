"""The reader as a network that can be trained: all-MiniLM-L6-v2 with heads for the labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn

from agent.clerk.understanding.encoder import LAYERS, read_tokenizer
from agent.clerk.understanding.labelling import (
    LONGEST_PASSAGE,
    LONGEST_QUESTION,
    STANCES,
    trained,
)
from agent.clerk.understanding.transformer import WIDTH, Layer
from agent.context.embedding_worker import weights_folder
from tests.generators.clerk_reader.augmenting import Passage

UNLABELLED = -1
DROPPED = 0.1
"""How much of a clause's vector is left out while training."""

SMOOTHING = 0.05
"""How much of a label's probability is spread over the others."""

_ATTENTION = "attention.self"
_LINEARS = {
    "attended": "attention.output.dense",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
}
_NORMS = {
    "after_attention": "attention.output.LayerNorm",
    "after_narrowing": "output.LayerNorm",
}


class Encoded(NamedTuple):
    """A passage as numbers."""

    tokens: list[int]
    places: list[list[int]]
    """The tokens of each part."""
    intents: list[int]
    stances: list[int]
    weights: list[float]
    """How much the stance of each part counts."""
    domain: int


class Batch(NamedTuple):
    """b passages of at most n tokens with at most p parts."""

    tokens: Tensor
    """(b, n)"""
    mask: Tensor
    """(b, n)"""
    pooling: Tensor
    """(b, p, n): the share of each token in each part's vector."""
    intents: Tensor
    """(b, p)"""
    stances: Tensor
    """(b, p)"""
    weights: Tensor
    """(b, p)"""
    domains: Tensor
    """(b,)"""


class Encoder:
    """Turns passages into numbers."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names
        self._domains = [*names]
        self._tokenizer = read_tokenizer(weights_folder())

    def encode(self, passage: Passage) -> Encoded:
        """A passage as numbers; parts behind the longest that is read are left out."""
        question = self._tokenizer.encode(passage.asked).ids[:LONGEST_QUESTION]
        told = self._tokenizer.encode(passage.text)
        room = LONGEST_PASSAGE - len(question)
        first = len(question)
        found = Encoded([*question, *told.ids[1:][:room]], [], [], [], [], self._domain(passage))
        for span in passage.spans:
            own = [
                first + place
                for place, (start, end) in enumerate(told.offsets[1:][:room])
                if end > start and span.start <= start and end <= span.end
            ]
            if own:
                found.places.append(own)
                found.intents.append(self._intent(passage.domain, span.part.intent))
                stance = span.part.stance
                found.stances.append(STANCES.index(stance) if stance else UNLABELLED)
                found.weights.append(span.part.weight)
        return found

    def _domain(self, passage: Passage) -> int:
        return self._domains.index(passage.domain) if passage.domain else UNLABELLED

    def _intent(self, domain: str | None, intent: str | None) -> int:
        return UNLABELLED if domain is None or intent is None else self.names[domain].index(intent)


def collate(rows: list[Encoded]) -> Batch:
    """The passages as one batch."""
    longest, most = max(len(e.tokens) for e in rows), max(len(e.places) for e in rows)
    tokens = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest)
    pooling = torch.zeros(len(rows), most, longest)
    intents, stances = (torch.full((len(rows), most), UNLABELLED) for _ in range(2))
    weights = torch.zeros(len(rows), most)
    for n, row in enumerate(rows):
        tokens[n, : len(row.tokens)] = torch.tensor(row.tokens)
        mask[n, : len(row.tokens)] = 1
        for place, own in enumerate(row.places):
            pooling[n, place, own] = 1 / len(own)
        told = len(row.places)
        intents[n, :told] = torch.tensor(row.intents)
        stances[n, :told] = torch.tensor(row.stances)
        weights[n, :told] = torch.tensor(row.weights)
    domains = torch.tensor([row.domain for row in rows])
    return Batch(tokens, mask, pooling, intents, stances, weights, domains)


class ReaderNetwork(nn.Module):
    """The layers of MiniLM, of which those for looking words up stay as they are, and the heads."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        super().__init__()
        from transformers import BertModel

        self.bert: Any = BertModel.from_pretrained(
            str(weights_folder()), add_pooling_layer=False, attn_implementation="sdpa"
        )
        self.intents = nn.ModuleDict({d: nn.Linear(WIDTH, len(own)) for d, own in names.items()})
        self.stances = nn.Linear(WIDTH, len(STANCES))
        self.dropping = nn.Dropout(DROPPED)
        self.bert.embeddings.requires_grad_(False)
        for module in self.bert.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0  # costs a sixth of the time; the variations do its work

    def forward(self, batch: Batch) -> tuple[dict[str, Tensor], Tensor]:
        """The scores of the intents of each domain and of the stances, (b, p, …) each."""
        outputs = self.bert(input_ids=batch.tokens, attention_mask=batch.mask).last_hidden_state
        vectors = self.dropping(torch.bmm(batch.pooling.to(outputs.dtype), outputs))
        return {d: head(vectors) for d, head in self.intents.items()}, self.stances(vectors)

    def loss(self, batch: Batch) -> Tensor:
        """The cross entropy of all labels, summed over parts, by passage."""
        of_intents, of_stances = self(batch)
        total = torch.zeros(())
        for number, scores in enumerate(of_intents.values()):
            own = (batch.domains[:, None] == number) & (batch.intents >= 0)
            if own.any():
                total = total + _cross_entropy(scores[own], batch.intents[own]).sum()
        told = batch.stances >= 0
        if told.any():
            costs = _cross_entropy(of_stances[told], batch.stances[told])
            total = total + (costs * batch.weights[told]).sum()
        return total / len(batch.tokens)

    def save(self, path: Path, names: dict[str, list[str]], examples: str) -> None:
        """Write what was trained as the program reads it; ``examples`` is their digest."""
        kept: dict[str, np.ndarray[Any, Any]] = {}
        for number in range(LAYERS):
            keep_layer(kept, f"layer.{number}", self.bert.encoder.layer[number])
        for domain, head in self.intents.items():
            keep_linear(kept, domain, head.weight, head.bias)  # type: ignore[arg-type]
        keep_linear(kept, "stance", self.stances.weight, self.stances.bias)
        save_file(kept, str(path), {"intents": json.dumps(names), "examples": examples})


def load_network() -> ReaderNetwork:
    """The network with the weights that the program has, for what wants to compare the two."""
    known = trained()
    network = ReaderNetwork(known.names).eval()
    for number, layer in enumerate(known.model.layers):
        load_layer(network.bert.encoder.layer[number], layer)
    for domain, head in network.intents.items():
        load_linear(head, *known.intents[domain])
    load_linear(network.stances, *known.stances)
    return network


def load_layer(theirs: Any, layer: Layer) -> None:
    """Give a layer of the transformer the weights that the program has."""
    weights, biases = (np.split(each, 3) for each in layer.attend)
    for name, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
        load_linear(theirs.get_submodule(f"{_ATTENTION}.{name}"), weight, bias)
    for ours, name in (_LINEARS | _NORMS).items():
        load_linear(theirs.get_submodule(name), *getattr(layer, ours))


def load_linear(module: nn.Module, weight: Any, bias: Any) -> None:
    """Give a linear layer, or a norm, the weights that the program has."""
    module.load_state_dict({"weight": torch.from_numpy(weight), "bias": torch.from_numpy(bias)})


def _cross_entropy(scores: Tensor, labels: Tensor) -> Tensor:
    return nn.functional.cross_entropy(
        scores.float(), labels, label_smoothing=SMOOTHING, reduction="none"
    )


def keep_layer(kept: dict[str, Any], name: str, layer: Any) -> None:
    """Add a layer of the transformer."""
    own = layer.get_submodule(_ATTENTION)
    asked = [getattr(own, each) for each in ("query", "key", "value")]
    weight = torch.cat([each.weight for each in asked])
    keep_linear(kept, f"{name}.attend", weight, torch.cat([each.bias for each in asked]))
    for ours, theirs in _LINEARS.items():
        linear = layer.get_submodule(theirs)
        keep_linear(kept, f"{name}.{ours}", linear.weight, linear.bias)
    for ours, theirs in _NORMS.items():
        norm = layer.get_submodule(theirs)
        kept[f"{name}.{ours}.scale"] = norm.weight.detach().numpy()
        kept[f"{name}.{ours}.shift"] = norm.bias.detach().numpy()


def keep_linear(kept: dict[str, Any], name: str, weight: Tensor, bias: Tensor) -> None:
    """Add a linear layer, its weights as 8-bit integers with a scale for each row."""
    rows = weight.detach().float().numpy()
    scale = np.maximum(np.abs(rows).max(axis=1) / 127, 1e-12).astype(np.float32)
    kept[f"{name}.weight"] = np.round(rows / scale[:, None]).astype(np.int8)
    kept[f"{name}.scale"] = scale
    kept[f"{name}.bias"] = bias.detach().float().numpy()
