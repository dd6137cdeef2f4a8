"""Parses what a model wrote in ReAct or Act style: thoughts, calls and words.

τ-bench, section 4, describes these methods, in which a model writes its actions as text. Each step
starts with a marker at the beginning of a line. Words of the answer are passed on as they arrive; a
call is passed on only when it is complete, since none of it can be shown earlier.
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
"""Characters that models put before a marker to make it bold or a heading."""


class StepParser:
    """Parses the text of an answer as it arrives and yields the pieces it stands for."""

    def __init__(self) -> None:
        self._mode = ANSWER  # text without any marker is for the customer
        self._line = ""
        self._told = False
        self._action: list[str] = []
        self._calls = 0

    def feed(self, text: str) -> Iterator[Piece]:
        """Yield the pieces in the next fragment of the text."""
        for part in text.splitlines(keepends=True):
            self._line += part
            yield from self._read(whole=part.endswith(("\n", "\r")))

    def end(self) -> Iterator[Piece]:
        """Yield the pieces still held back when the text ends."""
        yield from self._read(whole=True)
        yield from self._call()

    def _read(self, *, whole: bool) -> Iterator[Piece]:
        """Read the line so far as a marker or more of the current step, or wait for more of it."""
        if not self._told:
            plain = self._line.lstrip(_DECORATION)
            if not whole and any(each.startswith(plain) for each in MARKERS):
                return
            marker = next((each for each in MARKERS if plain.startswith(each)), None)
            if marker is not None:
                rest = plain.removeprefix(marker).lstrip(_DECORATION)
                if not whole and not rest:
                    return  # the rest of the marker's decoration may still arrive
                yield from self._begin(marker)
                self._line = rest
            self._told = True
        yield from self._pass_on(self._line)
        self._line = ""
        self._told = not whole

    def _begin(self, marker: str) -> Iterator[Piece]:
        if self._mode == OBSERVATION:
            return  # the model made up a tool's result, so everything after it is worthless
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
        """Yield the action written so far as a call."""
        written, self._action = "".join(self._action), []
        if written.strip():
            name, arguments = read_action(written)
            yield CallPiece(self._calls, f"written_{self._calls}", name, arguments)
            self._calls += 1


def read_action(written: str) -> tuple[str, str]:
    """The tool's name and the JSON text of its arguments in an action.

    Text that cannot be read as one object with a name becomes a call without a name; it is refused,
    and the model reads why (law 5).
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
    """The object; raises ValueError if a key occurs twice, since the intended value is unknown."""
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
