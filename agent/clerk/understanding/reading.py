"""Parses a message into requests: each meant, denied, or only asked about."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache

from agent.clerk.understanding import clauses
from agent.clerk.understanding.conditions import condition_to_show, uncheckable_condition
from agent.clerk.understanding.intents import UNKNOWN, Codes, Guess
from agent.clerk.understanding.labelling import STANCES, Labels, Piece, intent_names, label
from agent.clerk.understanding.modality import (
    CLEARLY_WANTED,
    drop_outdone,
    set_modality,
    suppose_alike,
)
from agent.clerk.understanding.other_one import take_other_one
from agent.clerk.understanding.parsed_message import (
    LONGEST,
    SENTENCE,
    IntentCatalog,
    ParsedMessage,
    ParsedRequest,
)
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.segmenting import Clause, Segment, clause_spans, join_clauses, mix
from agent.clerk.understanding.spelling import correct
from agent.clerk.understanding.taking_back import take_back
from agent.clerk.understanding.tokens import has, tokens
from agent.comparison.sentences import sentences

_NUMBERED = re.compile(r"(?:^|(?<=[\s,;:]))\(?[1-9]\)\s+")
"""What numbers the things of a list: "1) cancel it, 2) …"."""

_NUMBER_OF = re.compile(r"(?<=\w )no\.(?=\s*#?\w*\d)", re.IGNORECASE)
"""What stands before a number, and denies nothing: "reservation no. P2DU8M"."""

_MOST_SENTENCES = 40
_WORD_OR_TWO = 2
HARDLY = 0.4
"""Less likely to be wanted than this, a change beside one that is clear is not offered."""

RATHER = 0.5
"""What rather wants something than not, and is rather not what it seems to be, is unclear."""

_ENOUGH = 0.1
"""How likely the intents that a clause can have must be together for one of them to be sure."""


@dataclass(frozen=True)
class Sentence:
    """A sentence without its fallbacks: what it asks to do if something is impossible."""

    text: str
    main: str
    fallbacks: list[str]


@dataclass(frozen=True)
class Reader:
    """Parses the messages of a domain's customers."""

    domain: str
    codes: Codes
    catalog: IntentCatalog

    def read(
        self, text: str, asked: str = "", absent: frozenset[str] = frozenset()
    ) -> ParsedMessage:
        """Parse a message into requests in the order of the text; callers may modify the result.

        Args:
            text: The message.
            asked: What the assistant said last, as far as it asks something.
            absent: Intents that no clause can have at this point of a conversation.
        """
        return deepcopy(_read(self, text, asked, absent))

    def guesses(self, text: str) -> tuple[Guess, ...]:
        """The intents that a text as a whole may have, likeliest first."""
        return _read(self, text, "", frozenset()).guesses

    def usual_words(self, intent: str) -> frozenset[str]:
        """The stems of the words that customers use in general who request such a thing."""
        return frozenset(self._usual_words.get(self.catalog.family(intent), ()))

    @cached_property
    def _usual_words(self) -> dict[str, list[str]]:
        kept: dict[str, list[str]] = json.loads(
            (self.codes.folder / "usual_words.json").read_text(encoding="utf-8")
        )
        return kept

    def clauses_of(
        self, told: list[Sentence], asked: str, absent: frozenset[str]
    ) -> list[list[Clause]]:
        """The labelled clauses of each sentence."""
        pieces: list[Piece] = []
        texts: list[list[tuple[str, str]]] = []
        for sentence in told:
            own, end = [], 0
            for start, stop in clause_spans(sentence.main):
                own.append((sentence.main[end:start], sentence.main[start:stop]))
                lead, text = map(self._readable, own[-1])
                pieces += [Piece(lead, False), Piece(text)]
                end = stop
            pieces.append(Piece(f"{self._readable(sentence.text[end:])} ", False))
            texts.append(own)
        labels = iter(label(self.domain, self.codes.replace_in(asked), tuple(pieces)))
        return [[self._clause(*each, next(labels), absent) for each in own] for own in texts]

    def _readable(self, text: str) -> str:
        """A text as the trained network can read it."""
        return correct(self.codes.replace_in(text))

    def _clause(self, lead: str, text: str, labels: Labels, absent: frozenset[str]) -> Clause:
        """A clause with one guess for each family: the likeliest member, as likely as all of it."""
        named = sorted(
            zip(labels.intents, intent_names(self.domain), strict=True), key=lambda e: -e[0]
        )
        best: dict[str, str] = {}
        sums: dict[str, float] = {}
        for likely, name in named:
            if name not in absent:
                family = self.catalog.family(name)
                best.setdefault(family, name)
                sums[family] = sums.get(family, 0.0) + likely
        known = sum(sums.values())
        scale = known if known >= _ENOUGH else 1.0
        found = [Guess(name, sums[family] / scale) for family, name in best.items()]
        found.sort(key=lambda each: -each.probability)
        stance = dict(zip(STANCES, labels.stances, strict=True))
        return Clause(text, tuple(found), stance, lead)


@lru_cache(maxsize=1024)
def _read(reader: Reader, text: str, asked: str, absent: frozenset[str]) -> ParsedMessage:
    """Parse a message; cached, because a conversation is parsed again for every answer."""
    text = _NUMBER_OF.sub("number", _NUMBERED.sub(". ", text))
    message = ParsedMessage(text[:LONGEST], cut=len(text) > LONGEST)
    found = [
        Sentence(part, *clauses.split_fallbacks(part))
        for each in sentences(message.text)[:_MOST_SENTENCES]
        for part in _pieces(each.text)
    ]
    labelled = reader.clauses_of(found, asked, absent)
    message.guesses = mix(each.guesses for own in labelled for each in own)
    for sentence, own in zip(found, labelled, strict=True):
        _take_sentence(reader, sentence, own, message)
    take_other_one(message, reader.catalog)
    _drop_unclear(message, reader.catalog)
    take_back(message, reader.catalog)
    _settle_denials(message, reader.catalog)
    _assign_limits(message)
    return message


def _pieces(text: str) -> list[str]:
    return [text[start : start + SENTENCE] for start in range(0, len(text), SENTENCE)]


def _take_sentence(
    reader: Reader, sentence: Sentence, own: list[Clause], message: ParsedMessage
) -> None:
    """Add the requests, details and asides of a sentence, and its terms to the last request."""
    catalog = reader.catalog
    asks = sentence.text.rstrip().endswith("?") and "how much" in sentence.text.lower()
    cap = None if asks else clauses.limit(sentence.text)
    message.limit = cap if cap is not None else message.limit
    # A fallback is tried when the condition fails, but "otherwise no" is none to try.
    checked = message.limit is not None or any(map(_is_to_try, sentence.fallbacks))
    shown = "" if checked else condition_to_show(message.text, sentence.text, sentence.main)
    unknown = uncheckable_condition(sentence.text, catalog.verbs)
    message.condition = unknown or shown or message.condition
    left_out: list[str] = []
    for segment in join_clauses(own, detail=catalog.detail, asides={*catalog.asides, UNKNOWN}):
        if segment.requesting:
            text, excepted = clauses.without_exceptions(segment.text)
            if not tokens(text):  # all of it is one: "but not for Dalia"
                text, excepted = segment.text, []
            left_out += excepted
            best, stance = segment.guesses[0], segment.stance
            request = ParsedRequest(best.name, text, best.probability, segment.guesses)
            message.add(set_modality(request, catalog, stance))
        else:
            _take_aside(segment, message, catalog)
    deeds = [*sentence.fallbacks]
    if deeds and not message.requests and not message.detail_sentences:
        for each in reader.read(deeds.pop(0)).requests:
            message.add(each)
    last = message.requests[-1] if message.requests else message
    last.excepted += left_out
    denied = isinstance(last, ParsedRequest) and last.modality == "denied"
    if not denied and (not isinstance(last, ParsedRequest) or last.intent in catalog.acts):
        last.otherwise += deeds
        return
    for each in (wish for deed in deeds for wish in reader.read(deed).requests):
        if not denied:
            each.modality_probability = 0.0  # the answer decides, so that it is offered
        message.add(each)


def _is_to_try(fallback: str) -> bool:
    return not has(tokens(fallback)[:1], "no", "not", "nothing", "don't", "dont", "leave", "forget")


def _take_aside(segment: Segment, message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Add a segment that requests nothing, and that may give details."""
    text, name = segment.text, segment.guesses[0].name
    message.aside_intents.append("" if name == UNKNOWN else name)
    bare = len(tokens(text)) <= _WORD_OR_TWO and name != catalog.detail
    if name == UNKNOWN or not (bare or name in catalog.empty):
        message.detail_sentences.append(text)
    if segment.guesses[0].probability < RATHER <= segment.stance["want"]:
        message.unclear.append(text)
    message.in_order.append(text)


def _drop_unclear(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Make what is unclear a detail beside a clear request, or a farewell.

    It stays if it may be another change that is wanted.
    """
    clear = {catalog.family(each.intent) for each in message.requests if not each.is_uncertain}
    others = {each for each in catalog.acts if catalog.family(each) not in clear}
    changes = others != set(catalog.acts)
    unsure = [
        each
        for each in message.requests
        if each.is_uncertain
        and (each.intent not in others or (changes and each.modality_probability < HARDLY))
    ]
    if len(unsure) < len(message.requests) or "farewell" in message.aside_intents:
        message.requests = [e for e in message.requests if all(e is not each for each in unsure)]
        message.detail_sentences += (each.text for each in unsure)
        wanted = (
            e for e in unsure if e.modality == "meant" and e.modality_probability >= CLEARLY_WANTED
        )
        message.unclear += (each.text for each in wanted)


def _settle_denials(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Settle what a denial is of: what stays as it is stays out of the changes beside it.

    "Return it. No, don't" takes the change back as a whole. What is only asked about has no amount
    to be told, and nothing of it can be denied.
    """
    for each in message.requests:
        asks = each.text.rstrip().endswith("?") and not tells(tokens(each.text), "denying")
        if asks and each.modality == "denied" and each.intent in catalog.acts:
            each.modality = "what_if"  # "would it be possible to …? No action needed"
    if any(each.modality == "what_if" for each in message.requests):
        message.requests = [
            each
            for each in message.requests
            if each.intent not in catalog.amounts and each.modality != "denied"
        ]
    drop_outdone(message, catalog)
    suppose_alike(message, catalog)
    meant = [e for e in message.requests if e.intent in catalog.acts and e.modality == "meant"]
    families = {catalog.family(each.intent) for each in meant}
    for wish in [*message.requests] if meant else []:
        of_them = wish.modality == "denied" and catalog.family(wish.intent) in families
        if not (of_them or wish.intent == catalog.nothing):
            continue
        place, words = message.in_order.index(wish), tokens(wish.text)
        before = [each for each in meant if message.in_order.index(each) < place]
        right_before = before and message.in_order[place - 1] is meant[0] and len(meant) == 1
        points = words[:1] == ("no",) and has(words, "it", "that", "this", "them", "those")
        if of_them and right_before and points:
            meant[0].modality = "denied"
            continue
        message.requests.remove(wish)
        message.kept.append(wish.text)
        act = (before or meant)[-1]
        act.excepted.append(wish.text)
        if act.modality_probability < CLEARLY_WANTED:  # what is hardly wanted may be what is denied
            least = 1 - min(wish.probability, wish.modality_probability)
            act.modality_probability = min(act.modality_probability, least)


def _assign_limits(message: ParsedMessage) -> None:
    """Give each request its limit: the message's, unless a request states one of its own."""
    own = [each for each in message.requests if clauses.limit(each.text) is not None]
    for request in message.requests:
        request.condition = message.condition
        request.limit = message.limit if request in own or not own else None
    if len(message.requests) > len(own) > 0:
        message.limit = None
