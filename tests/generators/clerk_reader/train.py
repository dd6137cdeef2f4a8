"""Trains the clerk's reader: ``python -m tests.generators.clerk_reader.train [EPOCHS]``.

Writes ``reader.safetensors`` beside ``agent.clerk.understanding.labelling``. An epoch takes ten
minutes on two processors that multiply in bfloat16, and several times as long on others. Beside the
loss it prints how many clauses of messages that were kept out of the training are read right.

With ``--further`` the reader that is shipped learns on, at lower rates and in fewer epochs, from a
few more examples, and what is written is a mean of it before and after: what is new is read better,
and little of what was read right before is not any more. Trained anew it is another reader of the
same quality, as sums in another order end elsewhere.

What is shipped learned on in several such passes. After the long ones came short ones of a minute,
by hand: a quarter of the messages, and those on which kept dialogues had fallen over many times.
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from random import Random

import torch

from agent.clerk.understanding.labelling import STANCES, WEIGHTS
from tests.generators.clerk_reader.augmenting import as_written, vary
from tests.generators.clerk_reader.examples import DATA, Example, all_examples, intents_of
from tests.generators.clerk_reader.network import (
    Batch,
    Encoded,
    Encoder,
    ReaderNetwork,
    collate,
    load_network,
)
from tests.generators.learning import Learning, train

EPOCHS = 8
TOKENS = 4096
"""How many tokens a batch has, padding included."""

RATE, RATE_OF_HEADS = 3e-4, 2e-3
FURTHER = 0.3
"""The share of these rates at which a trained reader learns on."""

MIXED = 0.6
"""The share of what learned on in the mean with what was there before."""

WARMING = 100
"""Over how many batches the rates rise, before they fall to nothing."""

SHARE = 0.6
"""How much of the single sentences an epoch takes; of messages it takes all, as often as this:"""

TIMES = 2
HELD_OUT = 20
"""One message in so many is kept out of the training."""


def digest() -> str:
    """What tells whether the examples have changed."""
    told = hashlib.sha256()
    for path in sorted(DATA.iterdir()):
        told.update(path.name.encode() + b"\0" + path.read_bytes())
    return told.hexdigest()


def batches(rows: list[Encoded], drawn: Random) -> list[list[Encoded]]:
    """The rows in batches of about the same length, in random order."""
    found: list[list[Encoded]] = [[]]
    for row in sorted(rows, key=lambda each: len(each.tokens) + drawn.random() * 4):
        if (len(found[-1]) + 1) * len(row.tokens) > TOKENS:
            found.append([])
        found[-1].append(row)
    drawn.shuffle(found)
    return found


class Training:
    """The course of a training."""

    def __init__(self, epochs: int, *, further: bool = False) -> None:
        torch.manual_seed(1)
        self._drawn = Random(7)
        self._single, messages = all_examples()
        self.names = intents_of(self._single, messages)
        self._drawn.shuffle(messages)
        self._held_out = messages[::HELD_OUT]
        self._messages = [each for n, each in enumerate(messages) if n % HELD_OUT]
        self._others: dict[tuple[str | None, str], list[Example]] = defaultdict(list)
        for each in self._single:
            self._others[each.domain, each.asked].append(each)
        self._encoder = Encoder(self.names)
        self.network = load_network() if further else ReaderNetwork(self.names)
        heads = [*self.network.intents.parameters(), *self.network.stances.parameters()]
        layers = [each for each in self.network.bert.parameters() if each.requires_grad]
        slower = FURTHER if further else 1.0
        rates = [(layers, RATE * slower), (heads, RATE_OF_HEADS * slower)]
        steps = len(batches(self._rows(), self._drawn)) * epochs
        self._learning = Learning(self.network, rates, steps=steps, warming=WARMING)

    def _rows(self) -> list[Encoded]:
        some = self._drawn.sample(self._single, int(len(self._single) * SHARE))
        varied = (vary(e, self._others, self._drawn) for e in (*some, *self._messages * TIMES))
        return [self._encoder.encode(each) for each in varied]

    def run_epoch(self) -> float:
        """Train on all examples once; gives the mean loss."""
        self.network.train()
        losses = []
        for rows in batches(self._rows(), self._drawn):
            with torch.autocast("cpu", torch.bfloat16):
                loss = self.network.loss(collate(rows))
            losses.append(self._learning.step(loss))
        return sum(losses) / len(losses)

    @torch.no_grad()
    def held_out(self) -> str:
        """How many clauses of the messages kept out are read right."""
        self.network.eval()
        parts = intents = stances = begun = 0
        for batch in self._held_out_batches():
            of_intents, of_stances = self.network(batch)
            for n, domain in enumerate(batch.domains.tolist()):
                told = batch.intents[n] >= 0
                likely = of_intents[[*self.names][domain]][n].argmax(-1)
                towards = of_stances[n].argmax(-1)
                parts += int(told.sum())
                intents += int((likely == batch.intents[n])[told].sum())
                stances += int((towards == batch.stances[n])[told].sum())
                wants = STANCES.index("want")
                begun += int(((towards == wants) & (batch.stances[n] != wants))[told].sum())
        return f"of {parts} clauses intents {intents}, stances {stances}, begun unwanted {begun}"

    def _held_out_batches(self) -> Iterator[Batch]:
        rows = [self._encoder.encode(as_written(each)) for each in self._held_out]
        for start in range(0, len(rows), 64):
            yield collate(rows[start : start + 64])


def mean_of(
    before: dict[str, torch.Tensor], after: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """The weights between two states of a network."""
    return {
        name: torch.lerp(old, after[name], MIXED) if old.is_floating_point() else old
        for name, old in before.items()
    }


def main(epochs: int, *, further: bool) -> None:
    """Train and write what was learned, after every epoch."""
    training = Training(epochs, further=further)
    before = {name: each.clone() for name, each in training.network.state_dict().items()}
    train(training, epochs, lambda: training.network.save(WEIGHTS, training.names, digest()))
    if further:
        training.network.load_state_dict(mean_of(before, training.network.state_dict()))
        training.network.save(WEIGHTS, training.names, digest())


if __name__ == "__main__":
    told = [each for each in sys.argv[1:] if each.isdecimal()]
    main(int(told[0]) if told else EPOCHS, further="--further" in sys.argv)
