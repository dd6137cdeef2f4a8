"""Finds what is retracted right after it was requested: "Scratch that.", "… wait, no, don't".

A clause retracts what comes before it if it says nothing else: it consists of a retraction and
filler words. A clause that is only a *no* answers the question before it, if there is one:
"Insurance? No." leaves the booking as it is.
"""

from __future__ import annotations

import re
from itertools import takewhile

from agent.clerk.understanding.parsed_message import IntentCatalog, ParsedMessage, ParsedRequest
from agent.clerk.understanding.phrases import GENERAL, tells
from agent.clerk.understanding.tokens import Tokens, find, tokens

_CLAUSE = re.compile(r"[,;.!?…()–—]+(?!\d)|\s-+\s|\b(?=but\b)", re.IGNORECASE)
_ENDS_A_QUESTION = re.compile(r"[?:]\W*$")


def retract(message: ParsedMessage, catalog: IntentCatalog) -> None:
    """Mark the changes of a message that it requests and then retracts as denied."""
    said: list[ParsedRequest | str] = []
    for each in message.in_order:
        act = each if isinstance(each, ParsedRequest) and each.intent in catalog.acts else None
        cues = catalog.cue_words(act.intent) if act is not None else []
        clauses = [clause for clause in map(tokens, _CLAUSE.split(_text(each))) if clause]
        before = _take_while_not_asked(clauses, cues)
        if _takes_back(before, whole=len(before) == len(clauses)):
            _deny(_reach(before, said), catalog)
        if act is not None and _is_taken_back(clauses, cues):
            act.modality = "denied"
        said.append(each)


def ends_by_taking_back(text: str) -> bool:
    """Whether a message ends by retracting all of it: "oh wait, wrong order, forget it"."""
    clauses = [clause for clause in map(tokens, _CLAUSE.split(text)) if clause]
    return _kinds(clauses)[-1:] == ["all"]


def _text(said: ParsedRequest | str) -> str:
    return said if isinstance(said, str) else said.text


def _deny(said: list[ParsedRequest | str], catalog: IntentCatalog) -> None:
    for each in said:
        if isinstance(each, ParsedRequest) and each.intent in catalog.acts:
            each.modality = "denied"


def _reach(clauses: list[Tokens], said: list[ParsedRequest | str]) -> list[ParsedRequest | str]:
    """The part of the message that is retracted; after a question, a mere *no* only answers it."""
    answers = said and _ENDS_A_QUESTION.search(_text(said[-1])) and "all" not in _kinds(clauses)
    return said[-1:] if answers else said


def _asks(clause: Tokens, cues: list[str]) -> bool:
    return any(find(tokens(cue), clause) >= 0 for cue in cues)


def _take_while_not_asked(clauses: list[Tokens], cues: list[str]) -> list[Tokens]:
    return [*takewhile(lambda each: not _asks(each, cues), clauses)]


def _takes_back(clauses: list[Tokens], *, whole: bool) -> bool:
    """Whether a sentence, up to its own request, retracts what was said before it."""
    kinds = _kinds(clauses)
    if "all" in kinds:
        return not whole or not _corrects(clauses[kinds.index("all") + 1 :])
    return whole and any(kinds) and None not in kinds


def _is_taken_back(clauses: list[Tokens], cues: list[str]) -> bool:
    """Whether a sentence retracts its own request at its end."""
    asked = [place for place, each in enumerate(clauses) if _asks(each, cues)]
    rest = clauses[asked[-1] + 1 if asked else 0 :]
    kinds = _kinds(rest)
    if "all" in kinds:
        return not _corrects(rest[kinds.index("all") + 1 :])
    ending = [kind for kind in kinds if kind != ""]
    return ending[-1:] == ["no"]


def _corrects(clauses: list[Tokens]) -> bool:
    """Whether what follows corrects a detail and is not a reason: "scratch that, it's 1260"."""
    told = [each for each, kind in zip(clauses, _kinds(clauses), strict=True) if kind is None]
    return bool(told) and not tells(told[0][:1], "why")


def _kinds(clauses: list[Tokens]) -> list[str | None]:
    """How each clause retracts: *all*, or *no* for a mere no; "" for fillers; None: not at all."""
    return [_kind(each) for each in clauses]


def _kind(words: Tokens) -> str | None:
    kind = ""
    for name in ("taken back", "no"):
        for phrase in map(tokens, GENERAL.by_name[name]):
            while (place := find(phrase, words)) >= 0:
                words = words[:place] + words[place + len(phrase) :]
                kind = kind or ("all" if name == "taken back" else "no")
    return kind if set(words) <= GENERAL.words["beside a retraction"] else None
