"""Which words of a message can be names."""

from __future__ import annotations

import re
from functools import cache

from agent.clerk.airline.language import LANGUAGE, says
from agent.clerk.airline.requests import Person

WORD = r"[a-z][a-z'-]*[a-z]"
PAIR = re.compile(rf"(?<![\w'])({WORD})\s+(?=({WORD})(?![\w']))")
"""Two words in a row; matches overlap, and only the first word is consumed."""

OWNER = re.compile(
    rf"(?<![\w'])({WORD}?)'s? (?:\w+ )?(?:date of birth|dob|birthday|details|name|last|surname)"
)
_SHORT = re.compile(r"'(?:d|m|ll|ve|re|t)$")


class Names:
    """Which words of a message can be names; capitals decide where the customer uses them."""

    def __init__(self, typed: str) -> None:
        """Looks at the capitals in the message as it was typed."""
        capitals = re.findall(r"(?<![\w'])[A-Z][a-z][\w'-]*", typed[:4000])
        self._capital = {word.lower().removesuffix("'s") for word in capitals}
        first = re.match(r"\W*([A-Za-z]+)", typed)
        sober = self._capital - {first.group(1).lower() if first else ""}
        self._whole = typed[:4000].strip(" ,.!?\n").lower()
        self._cased = bool(sober) or " I " in typed or "I'" in typed

    def named(self, word: str) -> bool:
        """Whether a word can be part of a name."""
        if word in _refused() or _SHORT.search(word):
            return False
        return word in self._capital or not self._cased

    def certain(self, hit: re.Match[str], clause: str) -> bool:
        """Whether two words that nothing announces are a name."""
        if self._cased:
            return {hit.group(1), hit.group(2)} <= self._capital
        whole = " ".join(hit.groups()) == self._whole
        return whole or says("birth", clause[hit.end(2) :][:12])

    def ends(self, after: str) -> bool:
        """Whether a name can end before this; where capitals tell, it can end anywhere."""
        return self._cased or says("name_end", after)

    def read(self, hit: re.Match[str] | None) -> Person | None:
        """The person of a match of first and last name."""
        if hit is None or not self.named(hit.group(1)):
            return None
        last = hit.group(2)
        return Person(cased(hit.group(1)), cased(last) if last and self.named(last) else "")


def cased(name: str) -> str:
    """A name as it is written: ``Anne-Marie``."""
    return "-".join(part.capitalize() for part in name.split("-"))


def relations() -> str:
    """The expression for one of the relations that the language knows."""
    return "|".join(LANGUAGE.words["relations"])


@cache
def _refused() -> frozenset[str]:
    words = LANGUAGE.words
    lists = ("not_people", "not_names", "relations", "cities")
    codes = [name for names in words["airports"].values() for name in names]
    refused = {*(word for name in lists for word in words[name]), *codes}
    return frozenset(refused - set(words["ambiguous_places"]))
