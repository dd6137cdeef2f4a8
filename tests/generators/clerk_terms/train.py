"""Trains what finds the terms of a message: ``python -m tests.generators.clerk_terms.train``.

Writes ``terms.safetensors`` beside ``agent.clerk.understanding.terms``. It takes six minutes on two
processors, and prints in how many messages that were kept out it finds terms of each kind where
there are any and only there, and how many fallbacks it tells right among things mentioned.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from random import Random

import torch

from agent.clerk.understanding.mention_roles import place_spans, tokens_of
from agent.clerk.understanding.terms import KINDS, WEIGHTS
from tests.generators.clerk_terms.messages import (
    DATA,
    MentionMessage,
    TermMessage,
    hung_on,
    plain_messages,
    read_mentions,
    read_terms,
    sentences_of,
)
from tests.generators.clerk_terms.network import UNLABELLED, Encoded, TermNetwork
from tests.generators.learning import Learning, train_averaged

EPOCHS = 8
AVERAGED = 4
"""What is written is the mean of the network after so many last epochs, which is steadier."""

RATE, RATE_OF_HEADS = 3e-4, 2e-3
TOGETHER = 16
"""How many messages are read at once."""

WARMING = 50
"""Over how many steps the rates rise, before they fall to nothing."""

IN_LOWER_CASE, ALONE = 0.4, 0.2
"""How many of the messages are read without capitals, and as one of their sentences."""

PLAIN, HUNG = 1600, 0.3
"""How many messages without terms an epoch reads, and how many of them hang on a condition."""

CONDITIONS = (
    "if", "unless", "provided", "as long as", "as soon as", "once", "in case", "assuming", "should",
    "so long as", "only if",
)  # fmt: skip
"""How conditions begin that may stand before any wish."""


class Training:
    """The course of a training."""

    def __init__(self, epochs: int) -> None:
        torch.manual_seed(1)
        self._drawn = Random(3)
        self._terms, self._terms_kept_out = map(read_terms, ("terms", "terms_kept_out"))
        self._mentions, self._mentions_kept_out = map(
            read_mentions, ("mentions", "mentions_kept_out")
        )
        self._plain = plain_messages()
        told = (e.text[t.start : t.end] for e in self._terms for t in e.terms if t.kind == KINDS[0])
        self._conditions = [each for each in told if each.lower().startswith(CONDITIONS)]
        self.network = TermNetwork()
        layers = [each for each in self.network.bert.parameters() if each.requires_grad]
        heads = [*self.network.terms.parameters(), *self.network.fallback.parameters()]
        read = 2 * len(self._terms) + len(self._mentions) + PLAIN
        steps = (read // TOGETHER + 1) * epochs
        rates = [(layers, RATE), (heads, RATE_OF_HEADS)]
        self._learning = Learning(self.network, rates, steps=steps, warming=WARMING)

    def run_epoch(self) -> float:
        """Train on all messages, on those with terms twice; gives the mean loss."""
        self.network.train()
        plain = map(self._hung, self._drawn.sample(self._plain, PLAIN))
        rows = [_encode(self._varied(each)) for each in (*self._terms, *self._terms, *plain)]
        rows += (_encode_mentions(self._varied_mentions(each)) for each in self._mentions)
        self._drawn.shuffle(rows)
        losses = []
        for start in range(0, len(rows), TOGETHER):
            with torch.autocast("cpu", torch.bfloat16):
                loss = self.network.loss(rows[start : start + TOGETHER])
            losses.append(self._learning.step(loss))
        return sum(losses) / len(losses)

    def _hung(self, message: TermMessage) -> TermMessage:
        """A plain message, now and then with a condition of another one."""
        if self._drawn.random() > HUNG:
            return message
        first, comma = (self._drawn.random() < 1 / 2 for _ in range(2))
        condition = self._drawn.choice(self._conditions)
        return hung_on(message, condition, first=first, comma=comma)

    def _varied(self, message: TermMessage) -> TermMessage:
        if self._drawn.random() < ALONE:
            message = self._drawn.choice(sentences_of(message))
        lower = self._drawn.random() < IN_LOWER_CASE
        return replace(message, text=message.text.lower()) if lower else message

    def _varied_mentions(self, message: MentionMessage) -> MentionMessage:
        lower = self._drawn.random() < IN_LOWER_CASE
        return replace(message, text=message.text.lower()) if lower else message

    @torch.no_grad()
    def held_out(self) -> str:
        """How many messages that were kept out are told right."""
        self.network.eval()
        right = [0] * len(KINDS)
        for each in map(_encode, self._terms_kept_out):
            told = self.network([each])[0].argmax(1).tolist()
            for n in range(len(KINDS)):
                found = sum(label == n + 1 for label in told) > 1
                right[n] += found == (n + 1 in each.labels)
        shares = (f"{kind} {n}" for kind, n in zip(KINDS, right, strict=True))
        rows = [*map(_encode_mentions, self._mentions_kept_out)]
        told = [n for each in rows for n in self.network([each])[1].argmax(1).tolist()]
        marked = [n for each in rows for n in each.fallbacks]
        both = sum(one == other for one, other in zip(told, marked, strict=True))
        return (
            f"of {len(self._terms_kept_out)} {', '.join(shares)}; {both} of {len(marked)} mentions"
        )


def _encode(message: TermMessage) -> Encoded:
    tokens, offsets = tokens_of(message.text)
    labels = [0 if end > start else UNLABELLED for start, end in offsets]
    for n, (start, end) in enumerate(offsets):
        for each in message.terms if end > start else ():
            if each.start <= start and end <= each.end:
                labels[n] = 1 + KINDS.index(each.kind)
    return Encoded(tokens, labels, [], [])


def _encode_mentions(message: MentionMessage) -> Encoded:
    tokens, offsets = tokens_of(message.text)
    places = place_spans(offsets, message.spans)
    return Encoded(tokens, [UNLABELLED] * len(tokens), places, [*map(int, message.fallbacks)])


def digest() -> str:
    """What tells whether the marked examples have changed."""
    files = (DATA / f"{name}.txt" for name in ("terms", "mentions"))
    return hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()


def main(epochs: int) -> None:
    """Train, and write the mean of what was learned in the last epochs."""
    training = Training(epochs)
    train_averaged(training, training.network, epochs, AVERAGED)
    training.network.save(WEIGHTS, digest())


if __name__ == "__main__":
    main(next((int(each) for each in sys.argv[1:] if each.isdecimal()), EPOCHS))
