"""Answers a question about rules, in a domain's own words or, failing those, in the policy's.

A domain keeps its answers in ``rules.json``, each with the digests of the lines of a policy that it
follows from, and what finds them in ``rules.safetensors`` (``tests/generators/clerk_rules``). An
answer holds only as long as one of its lines stands in the policy; one without lines, which says
what nobody here knows, holds under any.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors.numpy import load_file

from agent.clerk.understanding.encoder import vector
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.transformer import Floats, shares
from agent.clerk.wording import list_lines

LIKENESS = 6.0
"""How much the likeness of question and answer counts beside what was learned."""

FITS = 6.3
"""How high the best answer must score for the question to be about any of them."""

SURE = 0.6
"""How likely the second best answer must be, by the likelihood of the best, to follow it."""

SHOWN, ALIKE = 2, 0.4
"""How many lines of the policy are quoted at most, and how similar they must be to the question."""

LONGEST = 500
"""How many characters of a question are read."""

LONGEST_BEFORE = 200
"""How many characters are read of what was said before a question."""

NOT_KNOWN = "I have no information on that."


class Rule(NamedTuple):
    """An answer about rules."""

    answer: str
    lines: tuple[str, ...]
    """Digests of the lines of a policy that it follows from."""

    of: tuple[str, ...] = ()
    """The only changes that it is about, by intent; empty if it is about no change or any."""


@dataclass(frozen=True)
class Rules:
    """What a domain answers to questions about its rules."""

    folder: Path

    def answer(self, question: str, policy: str, after: str = "", change: str = "") -> str:
        """The answer to a question under a policy, or the lines of the policy closest to it."""
        found = self.find(question, policy, after=after, change=change)
        return found or quote_policy(question, policy)

    def find(
        self,
        question: str,
        policy: str,
        least: float = FITS,
        after: str = "",
        change: str = "",
    ) -> str:
        """The answer to a question under a policy; empty if none scores the least.

        A question is read alone and after what was said before it, if that is given: "why not
        both?" is about certificates if they were spoken of. While a ``change`` is being made, what
        is only of another kind of change is no answer.
        """
        stated = {line_digest(line) for line in policy.splitlines()}
        kept = [
            n
            for n, rule in enumerate(self._rules)
            if (not rule.lines or stated & {*rule.lines})
            and not (change and rule.of and change not in rule.of)
        ]
        scores = self._scores(question)[kept]
        if after:
            with_it = self._scores(f"{after[:LONGEST_BEFORE]} {question}")[kept]
            led: Floats = np.mean([scores, with_it], axis=0)
            scores = max((scores, led), key=lambda each: float(each.max(initial=0.0)))
        if scores.max(initial=0.0) < least:
            return ""
        likely = shares(scores)
        best = sorted(range(len(kept)), key=lambda n: -likely[n])[:2]
        least = SURE * float(likely[best[0]])
        return " ".join(self._rules[kept[n]].answer for n in best if likely[n] >= least)

    def answers(self, policy: str) -> list[str]:
        """The answers that hold under a policy."""
        stated = {line_digest(line) for line in policy.splitlines()}
        return [e.answer for e in self._rules if not e.lines or stated & {*e.lines}]

    @cached_property
    def unknown(self) -> list[str]:
        """The answers which say what nobody here knows."""
        return [each.answer for each in self._rules if not each.lines]

    def _scores(self, question: str) -> Floats:
        """How well each answer fits a question, higher for better."""
        found, asked = self._weights, vector(correct(question[:LONGEST]))
        learned = found["weights"] @ asked + found["biases"]
        scores: Floats = learned + LIKENESS * (found["answers"] @ asked)
        return scores

    @cached_property
    def _rules(self) -> list[Rule]:
        kept = json.loads((self.folder / "rules.json").read_text(encoding="utf-8"))
        return [
            Rule(each["answer"], tuple(each["lines"]), tuple(each.get("of", ()))) for each in kept
        ]

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        kept = load_file(str(self.folder / "rules.safetensors"))
        return {name: each.astype(np.float32) for name, each in kept.items()}


def line_digest(line: str) -> str:
    """What identifies a line of a policy, whatever marks it as an item of a list or a heading."""
    plain = " ".join(line.strip("-*# ").split())
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def quote_policy(question: str, policy: str) -> str:
    """The lines of a policy that are most similar to a question, or that none is known."""
    asked = vector(correct(question[:LONGEST]))
    lines = [line.strip("-* ") for line in policy.splitlines() if not line.startswith("#")]
    scored = sorted((-float(vector(line) @ asked), n) for n, line in enumerate(lines) if line)
    best = [lines[n] for score, n in scored[:SHOWN] if -score >= ALIKE]
    return f"Our policy says:\n\n{list_lines(best)}" if best else NOT_KNOWN
