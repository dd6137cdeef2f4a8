"""The language of retail: the word lists of ``data/retail.json``, and the nouns for products.

How words are looked up is the same in every domain and stands in ``english``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from agent.clerk.english import EMAIL, LONGEST, SENTENCE, ZIP, Language, plain, sentences

__all__ = [
    "EMAIL",
    "ITEM_ID",
    "LANGUAGE",
    "LONGEST",
    "ORDER_ID",
    "SENTENCE",
    "ZIP",
    "alike",
    "clauses",
    "corrected",
    "first_meaning",
    "meanings",
    "means",
    "names_of",
    "noun_pattern",
    "ordinals",
    "pattern",
    "plain",
    "product_nouns",
    "says",
    "sentences",
    "singular",
    "table",
    "words",
]

ORDER_ID = re.compile(r"#?\bw\d{5,9}\b", re.IGNORECASE)
ITEM_ID = re.compile(r"(?<![\w#])\d{10}(?!\d)")


def _parts() -> dict[str, str]:
    return {"noun": noun_pattern().pattern}


def _names() -> set[str]:
    nouns = {word for noun in product_nouns() for word in noun.split()}
    return nouns | {f"{noun}s" for noun in nouns} | {singular(noun) for noun in nouns}


LANGUAGE = Language("retail", _parts, _names)
pattern, says, table = LANGUAGE.pattern, LANGUAGE.says, LANGUAGE.table
first_meaning, meanings = LANGUAGE.first_meaning, LANGUAGE.meanings
corrected, ordinals, clauses = LANGUAGE.corrected, LANGUAGE.ordinals, LANGUAGE.clauses


def words() -> dict[str, Any]:
    """The language data of retail, what is common to all domains included."""
    return LANGUAGE.words


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
