"""An index of the messages of a conversation that contain each word.

A card is compared with the last two dozen messages, of which two or three are relevant. Finding
those by looking through each message took half the time of a comparison after a long conversation.
Positions are stored as the bits of an integer, so that combining the positions of many words costs
the same however often each word was said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from operator import or_


class WordIndex:
    """Maps words to positions of messages; grows with its conversation and caches look-ups."""

    def __init__(self) -> None:
        """Start without any messages."""
        self._places: dict[str, int] = {}
        self._found: dict[int, tuple[Collection[str], int]] = {}

    def add(self, place: int, words: Iterable[str]) -> None:
        """Add the words of the message at this position."""
        for word in words:
            self._places[word] = self._places.get(word, 0) | 1 << place
        self._found.clear()

    def places(self, words: Collection[str]) -> int:
        """The positions of the messages that contain any of these words: bit n means position n.

        The result is cached by the identity of ``words`` until the next message is added: pass a
        collection that lives that long, not one made for the call.
        """
        known = self._found.get(id(words))
        if known is None:
            # to intersect two key views, Python iterates over the shorter one
            wanted = words.keys() if isinstance(words, dict) else words
            found = map(self._places.__getitem__, self._places.keys() & wanted)
            known = self._found[id(words)] = (words, reduce(or_, found, 0))
        return known[1]

    def has_any(self, place: int, words: Collection[str]) -> bool:
        """Whether the message at this position has any of these words, cached as in `places`."""
        return self.places(words) >> place & 1 == 1
