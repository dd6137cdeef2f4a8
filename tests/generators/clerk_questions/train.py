"""Trains what finds the facts for questions: ``python -m tests.generators.clerk_questions.train``.

Writes ``fitting.safetensors`` beside ``agent.clerk.questions.fitting``. Each question is read with
the facts that answer it and with some that do not: most of them those that are most like it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch

from agent.clerk.questions.fitting import LEADS, WEIGHTS
from agent.clerk.understanding.spelling import correct
from tests.generators.clerk_questions.network import FitNetwork
from tests.generators.clerk_questions.topics import is_at_card, places_on, topic_questions
from tests.generators.clerk_rules.train import DOMAINS, rows_of
from tests.generators.learning import Learning, train

HERE = Path(__file__).parent
DATA = HERE / "data"
SKILLS = HERE.parents[2] / "agent" / "clerk"
EPOCHS = 4
RATE, RATE_OF_HEADS = 1e-4, 2e-3
WARMING = 30
"""Over how many moments the rates rise, before they fall to nothing."""

RULE_QUESTIONS, SHARE_OF_RULES = 10, 0.4
"""How many questions of rules alone each state is read with, and how much they count."""

PLAIN, SHARE_OF_PLAIN = 14, 0.6
"""With how many plain questions a state at a card is read, and how much they count."""

OTHER_RULES = 40
"""How many rules that answer none of its questions a state is read with."""

SHARE_OF_BEST, SHARE_OF_LEADS = 0.3, 0.3
"""How much it counts that the best of the right answers is the likeliest, and how it begins."""

HELD_OUT = 8
"""One state in so many is kept out of the training."""


@dataclass(frozen=True)
class Question:
    """A question at a moment of a conversation, and the facts that could be told then."""

    text: str
    domain: str
    facts: tuple[str, ...]
    rules: int
    """How many of them, the last ones, are rules."""

    best: frozenset[int]
    acceptable: frozenset[int]
    lead: int


def all_states() -> list[list[Question]]:
    """The questions of each moment, in the order in which they were written."""
    rules = {
        domain: tuple(
            each["answer"]
            for each in json.loads((SKILLS / domain / "rules.json").read_text("utf-8"))
        )
        for domain in DOMAINS
    }
    rows = map(json.loads, (DATA / "moments.jsonl").read_text("utf-8").splitlines())
    return [list(_questions(row, rules[row["domain"]])) for row in rows]


def _questions(row: dict[str, Any], rules: tuple[str, ...]) -> Iterator[Question]:
    own = tuple(row["facts"])
    facts = (*own, *rules)
    for each in row["questions"]:
        best, also = (
            frozenset(
                int(e[1:]) + (len(own) if e[0] == "R" else 0) for e in each[key] if e[0] in "FR"
            )
            for key in ("a", "ok")
        )
        lead = [e.lower() for e in LEADS].index(each["lead"])
        text = correct(f"{each['before']} {each['q']}".strip())
        yield Question(text, row["domain"], facts, len(rules), best, also - best, lead)


class Training:
    """The course of a training."""

    def __init__(self, epochs: int) -> None:
        torch.manual_seed(1)
        self._drawn = Random(7)
        states = all_states()
        self._held_out = states[::HELD_OUT]
        self._states = [each for n, each in enumerate(states) if n % HELD_OUT]
        self._of_rules = {domain: rule_questions(domain) for domain in DOMAINS}
        self.network = FitNetwork()
        heads = [self.network.scale, *self.network.none.parameters()]
        layers = [each for each in self.network.bert.parameters() if each.requires_grad]
        rates = [(layers, RATE), ([*heads, *self.network.leads.parameters()], RATE_OF_HEADS)]
        steps = len(self._states) * epochs
        self._learning = Learning(self.network, rates, steps=steps, warming=WARMING)

    def _loss(self, state: list[Question]) -> torch.Tensor:
        """How unlikely the facts that answer the questions of a state are, among all."""
        facts, own = state[0].facts, len(state[0].facts) - state[0].rules
        extra = self._drawn.sample(self._of_rules[state[0].domain], RULE_QUESTIONS)
        needed = {e for each in state for e in each.best | each.acceptable if e >= own}
        needed |= {own + place for _, place in extra}
        others = sorted({*range(own, len(facts))} - needed)
        kept = [*range(own), *needed, *self._drawn.sample(others, min(OTHER_RULES, len(others)))]
        at = {place: n for n, place in enumerate(kept)}
        plain = self._plain(state) if is_at_card(facts) else []
        texts = [
            *(each.text for each in state),
            *(text for text, _ in extra),
            *(text for text, _ in plain),
        ]
        with torch.autocast("cpu", torch.bfloat16):
            told = self.network.vectors([*texts, *(facts[each] for each in kept)])
        asked, known = told[: len(state)], told[len(texts) :]
        after = len(state) + len(extra)
        of_rules = self.network.scores(told[len(state) : after], known[own:])
        wanted = torch.tensor([at[own + place] - own for _, place in extra])
        cost_of_rules = torch.nn.functional.cross_entropy(of_rules, wanted)
        likely = self.network.scores(asked, known).log_softmax(1)
        costs = []
        for n, each in enumerate(state):
            if not each.best:
                costs.append(-likely[n, -1])
                continue
            good = [at[place] for place in each.best | each.acceptable]
            costs.append(-likely[n, good].logsumexp(0))
            best = [at[place] for place in each.best]
            costs.append(-SHARE_OF_BEST * likely[n, best].mean())
        led = [n for n, each in enumerate(state) if each.best]
        first = [at[next(iter(state[n].best))] for n in led]
        scores = self.network.lead_scores(asked[led], known[first])
        leads = torch.tensor([state[n].lead for n in led])
        cost = torch.nn.functional.cross_entropy(scores, leads)
        of_plain = self.network.scores(told[after : len(texts)], known).log_softmax(1)
        costs += [
            -SHARE_OF_PLAIN * of_plain[n, places or [-1]].logsumexp(0)
            for n, (_, places) in enumerate(plain)
        ]
        costs_of_facts = torch.stack(costs).sum() / len(state)
        return costs_of_facts + SHARE_OF_RULES * cost_of_rules + SHARE_OF_LEADS * cost

    def _plain(self, state: list[Question]) -> list[tuple[str, list[int]]]:
        """Plain questions at a card, with the places of the facts on their topics.

        No fact answers what is on no topic; what is on one that no fact is on is left out.
        """
        facts = state[0].facts[: len(state[0].facts) - state[0].rules]
        drawn = self._drawn.sample(topic_questions(state[0].domain), PLAIN)
        found = ((each, places_on(each.topics, facts)) for each in drawn)
        return [(e.text, places) for e, places in found if places or e.topics == ("none",)]

    def run_epoch(self) -> float:
        """Train on all questions once; gives the mean loss."""
        self.network.train()
        states, losses = [*self._states], []
        self._drawn.shuffle(states)
        for state in states:
            losses.append(self._learning.step(self._loss(state)))
        return sum(losses) / len(losses)

    @torch.no_grad()
    def held_out(self) -> str:
        """How many questions that were kept out get a right answer."""
        self.network.eval()
        right = answered = near = silent = quiet = led = leads = refused = 0
        for state in self._held_out:
            asked = self.network.vectors([each.text for each in state])
            known = self.network.vectors(state[0].facts)
            for n, scores in enumerate(self.network.scores(asked, known)):
                good = state[n].best | state[n].acceptable
                top = int(scores.argmax())
                if not good:
                    silent += 1
                    quiet += top == len(known)
                    continue
                answered += 1
                right += top in good
                refused += top == len(known)
                near += bool(good & {*scores.topk(3).indices.tolist()})
                best = int(scores[:-1].argmax())
                if best in state[n].best:
                    led += 1
                    told = self.network.lead_scores(asked[n : n + 1], known[best : best + 1])
                    leads += int(told.argmax()) == state[n].lead
        return (
            f"right {right} of {answered} ({near} among three, {refused} unanswered), "
            f"silent {quiet} of {silent}, leads {leads} of {led}"
        )


def rule_questions(domain: str) -> list[tuple[str, int]]:
    """Questions that a rule of a domain answers, each with the place of that rule."""
    return [(text, n) for n, row in enumerate(rows_of(domain)) for text in row["asked"]]


def digest() -> str:
    """What tells whether the examples have changed."""
    told = hashlib.sha256()
    for path in sorted(DATA.glob("*.jsonl")):
        told.update(path.name.encode() + b"\0" + path.read_bytes())
    return told.hexdigest()


def main(epochs: int) -> None:
    """Train and write what was learned, after every epoch."""
    training = Training(epochs)
    train(training, epochs, lambda: training.network.save(WEIGHTS, digest()))


if __name__ == "__main__":
    main(next((int(each) for each in sys.argv[1:] if each.isdecimal()), EPOCHS))
