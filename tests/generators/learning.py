"""How the clerk's networks learn: step by step, at rates that rise at first and then fall."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Protocol

import torch
from torch import Tensor, nn

LEAST = 0.02
"""The share of the rates that is left at the end."""


class Trains(Protocol):
    """The course of a training."""

    def run_epoch(self) -> float:
        """Learn from all examples once; gives the mean loss."""
        ...

    def held_out(self) -> str:
        """How it does on what was kept out."""
        ...


def train(training: Trains, epochs: int, save: Callable[[], None]) -> None:
    """Run the epochs of a training, and save and print how far it has come after each."""
    for epoch in range(epochs):
        begun = time.monotonic()
        loss = training.run_epoch()
        taken = time.monotonic() - begun
        print(
            f"epoch {epoch + 1}: {taken:.0f} s, loss {loss:.3f}, {training.held_out()}", flush=True
        )
        save()


def train_averaged(training: Trains, network: nn.Module, epochs: int, averaged: int) -> None:
    """Run the epochs of a training, and leave the mean of what the last few of them learned."""
    states: list[dict[str, Tensor]] = []

    def keep() -> None:
        states.append({name: each.clone() for name, each in network.state_dict().items()})

    train(training, epochs, keep)
    network.load_state_dict(mean_of(states[-averaged:]))
    print(f"the mean: {training.held_out()}")


def mean_of(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of the weights of several networks; what is no weight is the first one's."""
    return {
        name: torch.stack([each[name] for each in states]).mean(0)
        if first.is_floating_point()
        else first
        for name, first in states[0].items()
    }


class Learning:
    """Takes a network, one loss after the other, towards lower ones."""

    def __init__(
        self,
        network: nn.Module,
        rates: Iterable[tuple[list[nn.Parameter], float]],
        *,
        steps: int,
        warming: int,
    ) -> None:
        """``rates`` are parameters with their highest rates, reached after ``warming`` steps."""
        self._network = network
        groups = [{"params": parameters, "lr": rate} for parameters, rate in rates]
        self._optimizer = torch.optim.AdamW(groups)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda n: min(1, n / warming) * max(LEAST, 1 - n / steps)
        )

    def step(self, loss: Tensor) -> float:
        """Learn from one loss; gives its value."""
        self._optimizer.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
        self._optimizer.step()
        self._schedule.step()
        return loss.item()
