"""English as the clerk knows it: the word lists of ``data/retail.json`` and how they are looked up.

Everything here takes and gives plain text. Nothing knows of orders, requests or messages.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

LONGEST = 2000
"""Characters of one message that are read."""

SENTENCE = 500
"""Characters of one sentence that are read as one; a longer one is cut."""

ORDER_ID = re.compile(r"#?\bw\d{5,9}\b", re.IGNORECASE)
ITEM_ID = re.compile(r"(?<![\w#])\d{10}(?!\d)")
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}")
ZIP = re.compile(r"(?<![\w#])\d{5}(?![\w-])")

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\t": " "})
_WORD = re.compile(r"[a-z]{5,14}")
_SENTENCE = re.compile(
    r"(?<!\bst)(?<!\bave)(?<!\bapt)(?<!\bdr)(?<!\brd)(?<!\bste)(?<!\bno)[.!?;]+(?=\s|$)|\n+"
    r"|:(?= (?:how|what|which|where|when|can|could|is|are|do|please|i)\b)"
)


@cache
def words() -> dict[str, Any]:
    """The language data of retail, read once."""
    text = resources.files("agent.clerk").joinpath("data/retail.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The regular expression kept in the data under that name."""
    return re.compile(words()[name], re.IGNORECASE)


def says(name: str, text: str) -> bool:
    """Whether the text matches the named expression."""
    return pattern(name).search(text) is not None


@cache
def table(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """An ordered list of ``[meaning, expression or expressions]`` from the data, compiled."""
    noun = noun_pattern().pattern
    return tuple(
        (meaning, re.compile(_either(text).replace("{noun}", noun)))
        for meaning, text in words()[name]
    )


def _either(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "|".join(f"(?:{each})" for each in text)


def first_meaning(name: str, text: str) -> str | None:
    """The first meaning in the named table whose expression the text matches."""
    return next((meaning for meaning, found in table(name) if found.search(text)), None)


def meanings(name: str, text: str) -> list[str]:
    """Every meaning of the named table that occurs in the text, in the order of the text."""
    found = [(hit.start(), meaning) for meaning, each in table(name) if (hit := each.search(text))]
    return [meaning for _, meaning in sorted(found)]


def plain(text: str) -> str:
    """Lower case, straight quotes, single blanks, at most ``LONGEST`` characters."""
    short = text[:LONGEST].translate(_QUOTES).lower()
    return re.sub(r"[ \xa0]+", " ", short).strip()


def corrected(text: str) -> str:
    """Plain text with small typing errors in the clerk's own vocabulary put right."""
    text = _WORD.sub(lambda hit: _spelled(hit.group()) if _alone(hit) else hit.group(), text)
    for short, long in words()["shorthand"]:
        text = re.sub(short, long, text)
    return text


def _alone(hit: re.Match[str]) -> bool:
    """Whether the letters are a whole word, not a part of an address, a code or a contraction."""
    before = hit.string[hit.start() - 1 : hit.start()]
    after = hit.string[hit.end() : hit.end() + 1]
    return not (before.isalnum() or before in {"@", "_", "'", "#"}) and not (
        after.isalnum() or after in {"@", "_"}
    )


@lru_cache(maxsize=4096)
def _spelled(word: str) -> str:
    data = words()
    if word in _known():
        return word
    slack = 1 if len(word) < 8 else 2
    found = process.extractOne(
        word, data["spelling_vocabulary"], scorer=OSA.distance, score_cutoff=slack
    )
    return found[0] if found and found[0][0] == word[0] else word


@cache
def _known() -> frozenset[str]:
    data = words()
    listed = {*data["spelling_known"], *data["spelling_vocabulary"]}
    nouns = {word for noun in product_nouns() for word in noun.split()}
    return frozenset(
        listed | nouns | {f"{noun}s" for noun in nouns} | {singular(noun) for noun in nouns}
    )


def sentences(text: str) -> list[str]:
    """The sentences of a plain text, none longer than ``SENTENCE``."""
    parts = (part.strip(" ,") for part in _SENTENCE.split(text) if part.strip(" ,.!?"))
    return [
        part[start : start + SENTENCE] for part in parts for start in range(0, len(part), SENTENCE)
    ]


def ordinals(text: str) -> list[int]:
    """The positions a customer pointed at: "the second one", "2", "option 3"."""
    bare = [hit for line in text.split("\n") if (hit := pattern("bare_number").match(line))]
    if bare:
        return [int(bare[-1].group(1))]
    listed = words()["ordinals"]
    names = "|".join(map(re.escape, listed))
    found = re.finditer(rf"\b(?:the )?({names})(?={words()['after_ordinal']})", text)
    return [listed[hit.group(1)] for hit in found]


@cache
def _joint() -> re.Pattern[str]:
    starts = words()["clause_starts"]
    opener = words()["clause_openers"]
    joints = words()["clause_joints"]
    return re.compile(rf"{joints}(?={opener}(?:{starts})\b)")


def clauses(sentence: str) -> list[str]:
    """A sentence cut where a new request begins: "…, and cancel the other one"."""
    return [part.strip(" ,") for part in _joint().split(sentence) if part.strip(" ,")]


@cache
def product_nouns() -> dict[str, tuple[str, ...]]:
    """Nouns a customer may use, each with the product names (lower case) it can mean."""
    data = words()
    nouns: dict[str, set[str]] = {}
    for name in (each.lower() for each in data["products"]):
        nouns.setdefault(name, set()).add(name)
        head = name.split()[-1]
        if head not in data["heads_excluded"]:
            nouns.setdefault(head, set()).add(name)
    for noun, names in data["synonyms"].items():
        nouns.setdefault(noun, set()).update(names)
    return {noun: tuple(sorted(names)) for noun, names in nouns.items()}


@lru_cache(maxsize=8)
def noun_pattern(extra: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Finds product nouns, singular or plural, longest first; ``extra`` are names from records."""
    names = [name.lower() for name in extra]
    heads = {name.split()[-1] for name in names if name} - set(words()["heads_excluded"])
    nouns = {*product_nouns(), *names, *(each for each in heads if len(each) > 2)}
    forms = {form for noun in nouns for form in (noun, f"{noun}s", f"{noun}es", singular(noun))}
    ordered = sorted(forms, key=lambda noun: (-len(noun), noun))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, ordered))})(?![\w-])")


def singular(noun: str) -> str:
    """A noun without its plural ending; good enough to compare two nouns."""
    if noun.endswith("shelves"):
        return f"{noun[:-3]}f"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def names_of(noun: str) -> tuple[str, ...]:
    """The product names (lower case) that a noun can mean; the noun itself where none is listed."""
    nouns = product_nouns()
    return nouns.get(noun) or nouns.get(singular(noun)) or (noun,)


def alike(one: str, other: str) -> bool:
    """Whether two nouns can speak of the same product."""
    if not one or not other:
        return False
    return one == other or bool(set(names_of(one)) & set(names_of(other)))


def means(noun: str, name: str) -> bool:
    """Whether a customer's noun can stand for a product of that name."""
    low = name.lower()
    if any(singular(low) == singular(each) for each in names_of(noun)):
        return True
    own = {singular(word) for word in re.split(r"[\s-]+", low)}
    return all(singular(word) in own for word in re.split(r"[\s-]+", noun) if word)
