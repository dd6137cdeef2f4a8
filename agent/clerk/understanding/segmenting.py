"""Cuts a message into clauses, and joins those that make one request.

A clause ends at a comma or before a word like "and"; what each is about is labelled with the whole
message in view (``labelling``). A detail belongs to the request before it in its sentence, or to
the one after it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.labelling import Stance

_MARKS = re.compile(r"\s*(?:,(?!\d)|[;:()]|\s-\s|\s[–—]\s)\s*")
_JOINTS = re.compile(
    r"(?<!\banything)(?<!\bnothing)(?<!\beverything)(?<!\ball)\s+"
    r"(?=(?:and|then|also|but|plus|so(?! that)|because|&(?-i:(?!\s[A-Z][a-z])))\s)",
    re.IGNORECASE,
)
_FILLERS = frozenset(["and", "then", "also", "but", "plus", "so", "because", "&"]) | {
    "please", "pls", "plz", "though", "too", "its", "it's",
}  # fmt: skip
"""Words that say nothing by themselves."""

_ADDING = ("to ", "for ", "on ", "from ", "in ", "at ", "with ")
"""What begins a clause that rather says more of the one before it."""

CLEAR = 0.55
"""How likely it must be for such a clause to ask for something itself."""

_TOPIC = 5
"""The most words of what announces the subject of the clause after it."""


@dataclass(frozen=True)
class Clause:
    """A part of a sentence, with its labels."""

    text: str
    guesses: tuple[Guess, ...]
    """The intents that it may have, likeliest first."""

    stance: Mapping[Stance, float]
    lead: str = ""
    """What stands in the sentence between the clause before it and this one."""

    @property
    def intent(self) -> str:
        """The likeliest intent."""
        return self.guesses[0].name

    @property
    def towards(self) -> Stance:
        """The likeliest stance."""
        return max(self.stance, key=lambda each: self.stance[each])


@dataclass
class Segment:
    """Clauses of a sentence that make one request, or that make none."""

    clauses: list[Clause]
    requesting: list[Clause]
    """Those that make the request; the others give details of it."""

    @property
    def text(self) -> str:
        """The clauses as one text."""
        first, *rest = self.clauses
        return first.text + "".join(f"{each.lead}{each.text}" for each in rest)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """The intents that it may have, likeliest first."""
        return mix(each.guesses for each in self.requesting or self.clauses)

    @property
    def stance(self) -> dict[Stance, float]:
        """How likely each stance is."""
        told = self.requesting or self.clauses
        return {name: sum(e.stance[name] for e in told) / len(told) for name in told[0].stance}


def mix(guesses: Iterable[tuple[Guess, ...]]) -> tuple[Guess, ...]:
    """The guesses for several clauses taken together, likeliest first."""
    told = [*guesses]
    sums: dict[str, float] = {}
    for each in (guess for some in told for guess in some):
        sums[each.name] = sums.get(each.name, 0.0) + each.probability / len(told)
    return tuple(Guess(name, sums[name]) for name in sorted(sums, key=lambda each: -sums[each]))


def clause_spans(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a sentence begin and end.

    A word like "and" begins one if something is said before it; two words before "then".
    """
    cuts = [*(hit.span() for hit in _MARKS.finditer(text)), (len(text), len(text))]
    spans, start = [], 0
    for end, begin in cuts:
        for joint in _JOINTS.finditer(text, start, end):
            then = text[joint.end() : joint.end() + 5].lower() == "then "
            if _words_said(text[start : joint.start()]) >= 1 + then:
                spans.append((start, joint.start()))
                start = joint.end()
        spans.append((start, end))
        start = begin
    return [each for each in spans if _words_said(text[each[0] : each[1]])]


def _words_said(text: str) -> int:
    """How many words with a meaning a text has."""
    words = (each.strip(".,!?'\"") for each in text.lower().split())
    return sum(any(map(str.isalnum, e)) and e not in _FILLERS for e in words)


def join_clauses(
    clauses: Iterable[Clause], *, detail: str, asides: Collection[str]
) -> list[Segment]:
    """The segments of a sentence, in order.

    Args:
        clauses: The clauses of the sentence.
        detail: The intent of clauses that only say more of a request.
        asides: Intents of clauses that request nothing.
    """
    segments: list[Segment] = []
    lead: list[Clause] = []
    told = [*clauses]
    for clause, after in zip_longest(told, told[1:]):
        last = segments[-1] if segments and segments[-1].requesting else None
        before = last.requesting[-1] if last is not None else clause
        if after is not None and _announces(clause, after, {detail, *asides}):
            lead.append(clause)
        elif last is not None and _goes_on(clause, before, detail):
            last.clauses.append(clause)
        elif clause.intent == detail:
            lead.append(clause)
        elif clause.intent in asides:
            segments.append(Segment([clause], []))
        elif (
            last is not None
            and not lead
            and clause.intent == before.intent
            and clause.towards in {before.towards, "none"}
        ):
            last.clauses.append(clause)
            last.requesting += [clause] if clause.towards == before.towards else []
        else:
            segments.append(Segment([*lead, clause], [clause]))
            lead = []
    return [*segments, *(Segment([each], []) for each in lead)]


def _announces(clause: Clause, after: Clause, no_requests: Container[str]) -> bool:
    """Whether a clause only says what the next one is about: "my New York trip: upgrade it"."""
    names = ":" in after.lead and len(clause.text.split()) <= _TOPIC
    return names and after.intent not in no_requests and clause.towards != "deny"


def _goes_on(clause: Clause, before: Clause, detail: str) -> bool:
    """Whether a clause rather gives a detail of the request before it than it asks for another."""
    if clause.towards not in {"none", before.towards}:
        return False
    likely = {each.name: each.probability for each in clause.guesses}
    own = likely[clause.intent]
    if clause.text.lower().startswith(_ADDING) and own < CLEAR:
        return True
    same = likely.get(before.intent, 0.0) if clause.intent != before.intent else 0.0
    return likely.get(detail, 0.0) + same > own
