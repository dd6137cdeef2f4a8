"""Cuts a message into clauses, and joins those that make one request.

A clause ends at a comma or before a word like "and"; what each is about is labelled with the whole
message in view (``labelling``). A detail belongs to the request before it in its sentence, or to
the one after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent.clerk.understanding.intents import Guess
from agent.clerk.understanding.labelling import Stance

_MARKS = re.compile(r"\s*(?:,(?!\d)|[;:()]|\s-\s|\s[–—]\s)\s*")
_JOINING = "and|then|also|but|plus|so(?! that)|because|&"
_JOINTS = re.compile(
    rf"(?<!\banything)(?<!\bnothing)(?<!\beverything)(?<!\ball)\s+(?=(?:{_JOINING})\s)",
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

_THEN = re.compile(r"then\b", re.IGNORECASE)


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


@dataclass(frozen=True)
class Segment:
    """Clauses of a sentence that make one request, or that make none."""

    clauses: tuple[Clause, ...]
    requesting: tuple[Clause, ...] = ()
    """Those that make the request; the others give details of it."""

    @property
    def text(self) -> str:
        """The clauses as one text."""
        first, *rest = self.clauses
        return first.text + "".join(f"{each.lead}{each.text}" for each in rest)

    @property
    def intent(self) -> str:
        """The likeliest intent of the clause that made the request last."""
        return (self.requesting or self.clauses)[-1].intent

    @property
    def towards(self) -> Stance:
        """The likeliest stance of the clause that made the request last."""
        return (self.requesting or self.clauses)[-1].towards

    def with_detail(self, clause: Clause) -> Segment:
        """The segment with one more detail."""
        return Segment((*self.clauses, clause), self.requesting)

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
    """Where the clauses of a sentence begin and end."""
    cuts = [*(hit.span() for hit in _MARKS.finditer(text)), (len(text), len(text))]
    spans, start = [], 0
    for end, begin in cuts:
        spans += _cut_at_joints(text, start, end)
        start = begin
    return [each for each in spans if _says_something(text[each[0] : each[1]])]


def _cut_at_joints(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses between two marks: a word like "and" begins one if something is said before."""
    found: list[tuple[int, int]] = []
    for joint in _JOINTS.finditer(text, start, end):
        before = text[start : joint.start()]
        if _says_something(before, least=2 if _THEN.match(text, joint.end()) else 1):
            found.append((start, joint.start()))
            start = joint.end()
    return [*found, (start, end)]


def _says_something(text: str, *, least: int = 1) -> bool:
    """Whether a text has so many words with a meaning; two before "then": not "But can then"."""
    words = (each.strip(".,!?'\"") for each in text.lower().split())
    return sum(any(map(str.isalnum, e)) and e not in _FILLERS for e in words) >= least


def join_clauses(
    clauses: Iterable[Clause], *, details: frozenset[str], asides: frozenset[str]
) -> list[Segment]:
    """The segments of a sentence, in order.

    Args:
        clauses: The clauses of the sentence.
        details: Intents of clauses that only say more of a request.
        asides: Intents of clauses that request nothing.
    """
    segments: list[Segment] = []
    lead: list[Clause] = []
    for clause in clauses:
        last = segments[-1] if segments and segments[-1].requesting else None
        if last is not None and _goes_on(clause, last, details):
            segments[-1] = last.with_detail(clause)
        elif clause.intent in details:
            lead.append(clause)
        elif clause.intent in asides:
            segments.append(Segment((clause,)))
        elif last is not None and not lead and _is_same(clause, last):
            segments[-1] = Segment((*last.clauses, clause), (*last.requesting, clause))
        else:
            segments.append(Segment((*lead, clause), (clause,)))
            lead = []
    return [*segments, *(Segment((each,)) for each in lead)]


def _goes_on(clause: Clause, segment: Segment, details: frozenset[str]) -> bool:
    """Whether a clause rather gives a detail of the request before it than it asks for another."""
    if clause.towards not in {"none", segment.towards}:
        return False
    likely = {each.name: each.probability for each in clause.guesses}
    if clause.text.lower().startswith(_ADDING) and likely[clause.intent] < CLEAR:
        return True
    detail = sum(likely.get(each, 0.0) for each in details)
    if clause.intent == segment.intent:
        return detail > likely[clause.intent]
    return detail + likely.get(segment.intent, 0.0) > likely[clause.intent]


def _is_same(clause: Clause, segment: Segment) -> bool:
    return (clause.intent, clause.towards) == (segment.intent, segment.towards)
