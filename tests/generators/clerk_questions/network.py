"""What matches questions with facts, as a network that can be trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn

from agent.clerk.questions.fitting import FIRST_TRAINED, LEADS, tokens_of
from agent.clerk.understanding.encoder import LAYERS
from agent.clerk.understanding.transformer import WIDTH
from agent.context.embedding_worker import weights_folder
from tests.generators.clerk_reader.network import keep_layer, keep_linear


class FitNetwork(nn.Module):
    """all-MiniLM-L6-v2, of which the last layers learn which facts answer which questions."""

    def __init__(self) -> None:
        super().__init__()
        from transformers import BertModel

        self.bert: Any = BertModel.from_pretrained(
            str(weights_folder()), add_pooling_layer=False, attn_implementation="sdpa"
        )
        for module in self.bert.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.05
        self.bert.requires_grad_(False)
        for layer in self.bert.encoder.layer[FIRST_TRAINED:]:
            layer.requires_grad_(True)
        self.scale = nn.Parameter(torch.tensor([20.0]))
        self.none = nn.Linear(WIDTH, 1)
        self.leads = nn.Linear(3 * WIDTH, len(LEADS))

    def vectors(self, texts: Sequence[str]) -> Tensor:
        """A unit vector (texts, 384) for each text: the mean of its tokens' outputs."""
        rows = [tokens_of(each) for each in texts]
        order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
        found: list[Tensor] = [torch.empty(0)] * len(rows)
        for start in range(0, len(order), 64):
            places = order[start : start + 64]
            longest = max(len(rows[n]) for n in places)
            tokens = torch.zeros(len(places), longest, dtype=torch.long)
            mask = torch.zeros(len(places), longest)
            for at, n in enumerate(places):
                tokens[at, : len(rows[n])] = torch.tensor(rows[n])
                mask[at, : len(rows[n])] = 1
            out = self.bert(input_ids=tokens, attention_mask=mask).last_hidden_state
            shares = (mask / mask.sum(1, keepdim=True)).to(out.dtype)
            means = torch.bmm(shares[:, None, :], out)[:, 0].float()
            for at, n in enumerate(places):
                found[n] = nn.functional.normalize(means[at], dim=0)
        return torch.stack(found)

    def scores(self, asked: Tensor, facts: Tensor) -> Tensor:
        """The scores (questions, facts + 1), the last for no fact at all."""
        likeness = self.scale * (asked @ facts.T)
        return torch.cat([likeness, self.none(asked)], dim=1)

    def lead_scores(self, asked: Tensor, facts: Tensor) -> Tensor:
        """The scores (pairs, leads) of the word that the answer begins with."""
        scores: Tensor = self.leads(torch.cat([asked, facts, asked * facts], dim=1) * WIDTH**0.5)
        return scores

    def save(self, path: Path, examples: str) -> None:
        """Write what was trained as the program reads it; ``examples`` is their digest."""
        kept: dict[str, np.ndarray[Any, Any]] = {}
        for number in range(FIRST_TRAINED, LAYERS):
            keep_layer(kept, f"layer.{number}", self.bert.encoder.layer[number])
        keep_linear(kept, "none", self.none.weight, self.none.bias)
        keep_linear(kept, "leads", self.leads.weight, self.leads.bias)
        kept["sharpness"] = self.scale.detach().numpy()
        save_file(kept, str(path), {"examples": examples})
