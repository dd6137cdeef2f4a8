"""Reading what a model wrote in ReAct's or Act's form: thoughts, calls, and words.

τ-bench, section 4: methods that write their actions as text. A step is written with a marker at
the beginning of a line. Words of the answer are passed on while they arrive; a call is passed on
whole, since nothing of it can be shown before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agent.models.protocol import CallPiece, Piece, ReasoningPiece, TextPiece

THOUGHT = "Thought:"
ACTION = "Action:"
ANSWER = "Answer:"
OBSERVATION = "Observation:"
MARKERS = (THOUGHT, ACTION, ANSWER, OBSERVATION)

_DECORATION = " \t*#>"
"""What models put before a marker to make it bold or a heading."""


class WrittenSteps:
    """Takes the text of an answer as it arrives and gives the pieces that it means."""

    def __init__(self) -> None:
        self._mode = ANSWER  # whoever writes no marker at all speaks to the customer
        self._line = ""
        self._told = False
        self._action: list[str] = []
        self._calls = 0

    def feed(self, text: str) -> Iterator[Piece]:
        """The next fragment of the text."""
        for part in text.splitlines(keepends=True):
            self._line += part
            yield from self._read(whole=part.endswith(("\n", "\r")))

    def end(self) -> Iterator[Piece]:
        """What was still held back when the text ended."""
        yield from self._read(whole=True)
        yield from self._call()

    def _read(self, *, whole: bool) -> Iterator[Piece]:
        """What the line so far is: a marker, or more of what went before; or too little to tell."""
        if not self._told:
            plain = self._line.lstrip(_DECORATION)
            if not whole and any(each.startswith(plain) for each in MARKERS):
                return
            marker = next((each for each in MARKERS if plain.startswith(each)), None)
            if marker is not None:
                rest = plain.removeprefix(marker).lstrip(_DECORATION)
                if not whole and not rest:
                    return  # more of what closes the marker may be on its way
                yield from self._begin(marker)
                self._line = rest
            self._told = True
        yield from self._pass_on(self._line)
        self._line = ""
        self._told = not whole

    def _begin(self, marker: str) -> Iterator[Piece]:
        if self._mode == OBSERVATION:
            return  # the model makes up what a tool would say: all from there on is worthless
        yield from self._call()
        self._mode = marker

    def _pass_on(self, text: str) -> Iterator[Piece]:
        if self._mode == ACTION:
            self._action.append(text)
        elif text and self._mode == ANSWER:
            yield TextPiece(text)
        elif text and self._mode == THOUGHT:
            yield ReasoningPiece(text)

    def _call(self) -> Iterator[Piece]:
        """The action that was being written, as a call."""
        written, self._action = "".join(self._action), []
        if written.strip():
            name, arguments = read_action(written)
            yield CallPiece(self._calls, f"written_{self._calls}", name, arguments)
            self._calls += 1


def read_action(written: str) -> tuple[str, str]:
    """The tool's name and the JSON text of its arguments in an action.

    What cannot be read as one object with a name is a call without a name: it is refused, and the
    model reads why (law 5).
    """
    try:
        action, _ = _DECODER.raw_decode(written, written.index("{"))
        name, arguments = action["name"], action.get("arguments", {})
    except (ValueError, KeyError, RecursionError):
        return "", written.strip()
    if not isinstance(name, str):
        return "", written.strip()
    return name, arguments if isinstance(arguments, str) else json.dumps(arguments)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """No key twice: which of two values would be meant?"""
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands there twice")
    return dict(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
