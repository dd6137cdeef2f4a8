"""Finds changes that a later clause takes back by their name: "add a bag. No, forget the bag"."""

from __future__ import annotations

from collections.abc import Iterator

from agent.clerk.understanding.mention_roles import Span, roles_of
from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.segmenting import clause_spans
from agent.clerk.understanding.terms import terms_in
from agent.clerk.understanding.tokens import Tokens, span, tokens
from agent.comparison.sentences import sentences

BRIEF = 6
"""The most words of a clause that does nothing but take something back."""

_BEFORE_THINGS = frozenset(["the", "my", "our", "that", "this", "any", "a", "an", "no"])
_OF_A_PART = frozenset(["on", "for", "to", "from", "of", "with", "but", "except", "in", "at"])
"""Words with which only a part is left out: "no bag on the way back"."""


def take_back(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Deny the changes that are taken back, and drop the denials that do nothing but that."""
    for wish in [*message.requests]:
        if wish.modality != "meant" or wish.intent not in catalog.acts:
            continue
        names = catalog.names.get(catalog.family(wish.intent), ())
        said = next(_taken_back(message.text, wish, names), "")
        if said:
            wish.modality, wish.modality_probability = "denied", 1.0
            message.requests = [
                each
                for each in message.requests
                if each is wish or each.modality != "denied" or said not in each.text
            ]


def _taken_back(text: str, wish: ParsedRequest, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the clauses that only name a wish, and as something unwanted.

    They come after it, or are what it was read from: "cancel it. Actually forget cancelling".
    """
    known = [each for each in names if any(word.startswith(each) for word in tokens(wish.text))]
    begin = text.find(wish.text)
    for sentence in sentences(text[begin:]) if known and begin >= 0 else ():
        start = text.find(sentence.text, begin)
        for first, last in clause_spans(sentence.text):
            clause = text[start + first : start + last]
            words = tokens(clause)
            places = _places(words, known)
            spans = (span(clause, place, place + 1) for place in places)
            whole = tuple((start + first + a, start + first + b) for a, b in spans)
            unwanted = "kept_out" in roles_of(text, whole) or _is_taken(text, whole)
            left = tells(words[:2], "left out")
            after = start + first >= begin + len(wish.text)
            alone = unwanted and left and words == tokens(wish.text)
            if places and (alone or (after and (unwanted or left))):
                yield clause.strip(" ,.;!?")


def _is_taken(text: str, spans: tuple[Span, ...]) -> bool:
    """Whether any of these places stands in words that take something back."""
    taken = [each for each in terms_in(text) if each.kind == "taken_back"]
    return any(each.start <= a and b <= each.end for each in taken for a, b in spans)


def _places(words: Tokens, names: list[str]) -> list[int]:
    """Where a brief clause names a change; nowhere if it may name a part, or something else."""
    own = [n for n, word in enumerate(words) if any(map(word.startswith, names))]
    things = {n + 1 for n, word in enumerate(words[:-1]) if word in _BEFORE_THINGS}
    is_whole = things <= {*own} and _OF_A_PART.isdisjoint(words)
    return own if is_whole and len(words) <= BRIEF else []
