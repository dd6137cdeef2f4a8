"""Trains what tells the roles of mentions: ``python -m tests.generators.clerk_mentions.train``.

Writes ``roles.safetensors`` beside ``agent.clerk.understanding.mention_roles``. It takes two
minutes on two processors, and prints how many roles it tells right in the messages of other
writers, ``data/kept_out.txt``, which it does not learn from.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from random import Random

import torch

from agent.clerk.understanding.mention_roles import ROLES, WEIGHTS, places_in
from tests.generators.clerk_mentions.messages import DATA, Message, read_messages, sentences_of
from tests.generators.clerk_mentions.network import Encoded, RoleNetwork
from tests.generators.learning import Learning, train_averaged

EPOCHS = 7
AVERAGED = 4
"""What is written is the mean of the network after so many last epochs, which is steadier."""

RATE, RATE_OF_HEAD = 3e-4, 2e-3
TOGETHER = 16
"""How many messages are read at once."""

WARMING = 50
"""Over how many steps the rates rise, before they fall to nothing."""

IN_LOWER_CASE = 0.3
"""How many of the messages are read without capitals."""

ALONE = 0.3
"""How many of the messages are read as one of their sentences, as the program often reads them."""


class Training:
    """The course of a training."""

    def __init__(self, epochs: int) -> None:
        torch.manual_seed(1)
        self._drawn = Random(3)
        self._messages, self._kept_out = map(read_messages, ("messages", "kept_out"))
        self.network = RoleNetwork()
        layers = [each for each in self.network.bert.parameters() if each.requires_grad]
        rates = [(layers, RATE), ([*self.network.roles.parameters()], RATE_OF_HEAD)]
        steps = (len(self._messages) // TOGETHER + 1) * epochs
        self._learning = Learning(self.network, rates, steps=steps, warming=WARMING)

    def run_epoch(self) -> float:
        """Train on all messages once; gives the mean loss."""
        self.network.train()
        rows = [_encode(self._varied(each)) for each in self._messages]
        self._drawn.shuffle(rows)
        losses = []
        for start in range(0, len(rows), TOGETHER):
            with torch.autocast("cpu", torch.bfloat16):
                loss = self.network.loss(rows[start : start + TOGETHER])
            losses.append(self._learning.step(loss))
        return sum(losses) / len(losses)

    def _varied(self, message: Message) -> Message:
        if self._drawn.random() < ALONE:
            message = self._drawn.choice(sentences_of(message))
        if self._drawn.random() < IN_LOWER_CASE:
            message = replace(message, text=message.text.lower())
        return message

    @torch.no_grad()
    def held_out(self) -> str:
        """How many roles in messages that were kept out are told right."""
        self.network.eval()
        rows = [_encode(each) for each in self._kept_out]
        told = torch.cat([self.network([each]).argmax(1) for each in rows])
        wanted = torch.tensor([role for each in rows for role in each.roles])
        parts = ((told == n) == (wanted == n) for n in range(len(ROLES)))
        apart = zip(ROLES, (float(each.float().mean()) for each in parts), strict=True)
        shares = ", ".join(f"{name} or not {share:.1%}" for name, share in apart)
        return f"right {int((told == wanted).sum())} of {len(wanted)} ({shares})"


def _encode(message: Message) -> Encoded:
    tokens, places = places_in(message.text, message.spans)
    return Encoded(tokens, places, [ROLES.index(each) for each in message.roles])


def digest() -> str:
    """What tells whether the examples have changed."""
    return hashlib.sha256((DATA / "messages.txt").read_bytes()).hexdigest()


def main(epochs: int) -> None:
    """Train, and write the mean of what was learned in the last epochs."""
    training = Training(epochs)
    train_averaged(training, training.network, epochs, AVERAGED)
    training.network.save(WEIGHTS, digest())


if __name__ == "__main__":
    main(next((int(each) for each in sys.argv[1:] if each.isdecimal()), EPOCHS))
