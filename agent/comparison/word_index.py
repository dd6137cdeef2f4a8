"""Which messages of a talk each word stands in.

A card is held against the last two dozen messages, of which two or three bear on it. To find them
by looking through each was half of what the comparison cost after a long talk. Places are the bits
of a number: those of many words are put together at the same cost, however often each was said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from operator import or_


class WordIndex:
    """Grows with its talk; whatever is looked for is looked for once in all messages."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._places: dict[str, int] = {}
        self._found: dict[int, tuple[Collection[str], int]] = {}

    def add(self, place: int, words: Iterable[str]) -> None:
        """Take in the words of the message in that place."""
        for word in words:
            self._places[word] = self._places.get(word, 0) | 1 << place
        self._found.clear()

    def places(self, words: Collection[str]) -> int:
        """The places of the messages that hold any of these words: bit n stands for place n.

        Kept by identity until the next message: pass a collection that lives as long, not one made
        for the call.
        """
        known = self._found.get(id(words))
        if known is None:
            # of two views Python goes through the shorter one
            wanted = words.keys() if isinstance(words, dict) else words
            found = map(self._places.__getitem__, self._places.keys() & wanted)
            known = self._found[id(words)] = (words, reduce(or_, found, 0))
        return known[1]

    def has_any(self, place: int, words: Collection[str]) -> bool:
        """Whether the message in that place holds any of these words, kept as for `places`."""
        return self.places(words) >> place & 1 == 1
