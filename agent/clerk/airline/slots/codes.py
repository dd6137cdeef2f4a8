"""Reservation ids and flight numbers in what a customer typed."""

from __future__ import annotations

import re

from agent.clerk.airline.language import FLIGHT_NUMBER, LANGUAGE, pattern, says
from agent.clerk.english import LONGEST

_TOKEN = re.compile(r"(?<![\w@.$])[A-Za-z0-9]{6}(?![\w@])")
_NUMBER = re.compile(r"[a-z]{2,3}\d{2,4}$")
_LOUD = 0.5
"""Share of capitals from which on a message is taken for one typed in capitals throughout."""


def reservation_ids(typed: str) -> list[str]:
    """Reservation ids as the records write them, in the order of the text."""
    text = typed[:LONGEST]
    loud = sum(map(str.isupper, text)) > _LOUD * max(1, sum(map(str.isalpha, text)))
    found: list[str] = []
    end = -1
    for hit in _TOKEN.finditer(text):
        before = text[: hit.start()].lower()
        follows = end >= 0 and re.fullmatch(r"[\s,&/+]*(?:and|or)?[\s]*", text[end : hit.start()])
        if _is_id(hit.group(), before, loud=loud, follows=bool(follows)):
            end = hit.end()
            found.append(hit.group().upper())
    return list(dict.fromkeys(found))


def _is_id(token: str, before: str, *, loud: bool, follows: bool) -> bool:
    low = token.lower()
    if pattern("not_an_id").match(low) or (_NUMBER.match(low) and before.endswith("flight ")):
        return False
    announced = follows or says("id_after", before[-60:])
    if token.isdigit():
        return announced
    if any(each.isdigit() for each in token):
        return True
    if low in LANGUAGE.words["not_ids"] or low in _common():
        return False
    return announced or (token.isupper() and not loud)


def _common() -> set[str]:
    words = LANGUAGE.words
    return {*words["spelling_vocabulary"], *words["spelling_known"]}


def named_in(clause: str, ids: list[str]) -> list[str]:
    """Those of the message's reservation ids that a clause holds, in the clause's order."""
    places = {each: clause.find(each.lower()) for each in ids}
    return sorted((each for each in ids if places[each] >= 0), key=lambda each: places[each])


def flight_numbers(clause: str) -> list[str]:
    """Flight numbers as the records write them: ``HAT045``."""
    found = (
        (hit.group("any") or f"{hit.group('line')}{hit.group('no')}").upper()
        for hit in FLIGHT_NUMBER.finditer(clause)
    )
    return list(dict.fromkeys(found))
