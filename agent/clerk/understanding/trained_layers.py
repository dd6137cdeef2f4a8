"""Reads what a training has left: layers of the transformer, and linear layers on top of them.

Weights are stored as 8-bit integers with a scale for each row, and computed in float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agent.clerk.understanding.encoder import LAYERS, load_model
from agent.clerk.understanding.transformer import Affine, Layer, Transformer


def read_transformer(file: Any, first: int = 0) -> Transformer:
    """all-MiniLM-L6-v2 with the layers of an open file, from the one with the number ``first``."""
    base = load_model().transformer
    own = (_read_layer(file, number) for number in range(first, LAYERS))
    return Transformer(*base[:-1], (*base.layers[:first], *own))


def _read_layer(file: Any, number: int) -> Layer:
    return Layer(*(read_part(file, f"layer.{number}.{each}") for each in Layer._fields))


def read_part(file: Any, name: str) -> Affine:
    """A norm, which has a shift, or else a linear layer."""
    scale = file.get_tensor(f"{name}.scale")
    if f"{name}.shift" in file.keys():  # noqa: SIM118
        return Affine(scale, file.get_tensor(f"{name}.shift"))
    rows = file.get_tensor(f"{name}.weight").astype(np.float32)
    return Affine(rows * scale[:, None], file.get_tensor(f"{name}.bias"))
