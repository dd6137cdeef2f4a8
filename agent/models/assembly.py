"""Assembles a model's answer from streamed pieces, and parses its calls' arguments strictly.

litellm's own builder merges calls that a provider sends under one index, and treats an answer that
was cut off as complete. Here every new id begins a new call, ids are made unique, and an answer
without an end is rejected. Arguments are never repaired: anything other than exactly one JSON
object is returned to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NoReturn

from agent.models.protocol import CallPiece, Finish, ModelFault, Piece, ReasoningPiece, TextPiece
from agent.models.redaction import (
    hide_secrets,
    known_secrets,
    without_secrets,
    without_secrets_json,
)
from sessions.cleaning import clean, removed_characters
from sessions.events import ProposedCall, Usage

LONGEST_ANSWER = 250_000
"""Characters of text, reasoning and arguments together."""

MOST_CALLS = 64
LONGEST_NAME = 200
"""Characters of a call's name or id; no tool has a name this long."""

LONGEST_ARGUMENTS = 100_000
"""Characters of one call's JSON text."""

DEEPEST_ARGUMENTS = 32
"""Levels of nested objects and lists."""

LONGEST_NUMBER = 40
"""Digits. Python itself refuses to read thousands of them, and no record holds that many."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class BadArguments(ValueError):
    """A call's arguments cannot be parsed; the message is for the model that wrote them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete, cleaned answer: words for the customer, and calls in the order they were made."""

    text: str
    reasoning: str = ""
    calls: tuple[ProposedCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    finish_reason: str = "stop"
    provider: dict[str, Any] = field(default_factory=dict)
    """What the provider wants back unchanged on this message."""


@dataclass(slots=True)
class _Call:
    """A call whose fragments are still arriving."""

    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    size: int = 0

    @property
    def text(self) -> str:
        return "".join(self.arguments)

    @property
    def is_whole(self) -> bool:
        """Whether the arguments so far are a JSON object; parsed only if they end with a brace."""
        if not self.arguments[-1].rstrip().endswith("}") or self.size > LONGEST_ARGUMENTS:
            return False
        try:
            return isinstance(json.loads(self.text), dict)
        except (ValueError, RecursionError):
            return False


class Assembly:
    """Assembles a streamed answer from its pieces."""

    def __init__(self, used_ids: Collection[str] = ()) -> None:
        """``used_ids`` are the call ids of the conversation so far; none of them is reused."""
        self._used = used_ids
        self._given: set[str] = set()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[_Call] = []
        self._latest: dict[int, _Call] = {}
        self._finish: Finish | None = None
        self._size = 0
        self._secrets = known_secrets()

    def add(self, piece: Piece) -> None:
        """Add the next piece; raises ModelFault once the answer exceeds its size limits."""
        match piece:
            case TextPiece(text):
                self._text.append(text)
                self._grow(len(text))
            case ReasoningPiece(text):
                self._reasoning.append(text)
                self._grow(len(text))
            case CallPiece():
                self._add_call(piece)
                self._grow(len(piece.arguments) + len(piece.name or "") + len(piece.id or ""))
            case Finish():
                self._finish = piece

    def answer(self) -> Answer:
        """The complete answer; raises ModelFault ``cut`` if its end never arrived."""
        if self._finish is None:
            raise ModelFault(
                "cut",
                "The answer broke off in the middle, and nothing in it was carried out. "
                "Retry, or change the model.",
                retryable=True,
            )
        return Answer(
            text=self._clean("".join(self._text)),
            reasoning=self._clean("".join(self._reasoning)),
            calls=tuple(self._propose(call) for call in self._calls),
            usage=self._finish.usage,
            finish_reason=self._clean(self._finish.reason),
            provider=self._provider_payload(self._finish.provider),
        )

    def clean_piece(self, piece: Piece) -> Piece:
        """The piece, cleaned so that it can be shown while the answer is still arriving."""
        match piece:
            case TextPiece(text):
                return TextPiece(self._clean(text))
            case ReasoningPiece(text):
                return ReasoningPiece(self._clean(text))
            case CallPiece(index, id, name, arguments):
                return CallPiece(
                    index, id and self._clean(id), name and self._clean(name), clean(arguments)
                )
            case Finish():
                return piece

    def _clean(self, text: str) -> str:
        return hide_secrets(self._secrets, clean(text))

    def _provider_payload(self, kept: dict[str, Any]) -> dict[str, Any]:
        """What goes back to the provider unchanged, without secrets.

        Signed thinking that contained a secret would no longer match its signature, so it is
        dropped.
        """
        told = without_secrets_json(kept, self._secrets)
        if told != kept:
            told.pop("thinking_blocks", None)
        return dict(told)

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > LONGEST_ANSWER or len(self._calls) > MOST_CALLS:
            raise ModelFault(
                "garbled",
                "The answer did not end and was stopped. Rephrase your message, "
                "or change the model.",
            )

    def _add_call(self, piece: CallPiece) -> None:
        call = self._latest.get(piece.index)
        if call is None or _begins_another(call, piece):
            call = self._latest[piece.index] = _Call(piece.id or "")
            self._calls.append(call)
        if piece.id and not call.id:
            call.id = piece.id
        if piece.name and piece.name != call.name and len(call.name) <= LONGEST_NAME:
            call.name += piece.name[:LONGEST_NAME]
        call.arguments.append(piece.arguments)
        call.size += len(piece.arguments)

    def _propose(self, call: _Call) -> ProposedCall:
        """The call, under an id that no other call of the conversation has."""
        id = self._clean(call.id)[:LONGEST_NAME]
        number = len(self._used) + len(self._given)
        while not id or id in self._used or id in self._given:
            number += 1
            id = f"call_{number}"
        self._given.add(id)
        arguments = hide_secrets(self._secrets, _storable(call.text))
        return ProposedCall(
            id=id,
            name=self._clean(call.name),
            arguments=clean(arguments),
            removed=removed_characters(call.name + arguments),
        )


def event_text(text: str) -> str:
    """A model's text, cleaned for an event: no terminal control characters and no secrets."""
    return without_secrets(clean(text))


def assemble(pieces: Collection[Piece], used_ids: Collection[str] = ()) -> Answer:
    """The answer assembled from pieces that have all arrived; raises ModelFault."""
    assembly = Assembly(used_ids)
    for piece in pieces:
        assembly.add(piece)
    return assembly.answer()


def _begins_another(call: _Call, piece: CallPiece) -> bool:
    """Whether a fragment under a call's index belongs to the next call.

    Some servers send every call under index 0, each with its own id, all with one id, or with none.
    A call's name comes before its arguments, so a name after arguments starts another call, unless
    the server merely repeats the name with every fragment.
    """
    if piece.id and call.id and piece.id != call.id:
        return True
    if not piece.name or not any(call.arguments):
        return False
    return piece.name != call.name or (bool(piece.arguments) and call.is_whole)


def _storable(text: str) -> str:
    """JSON text with lone surrogates written as escapes: the same JSON, and valid Unicode."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def parse_arguments(text: str) -> dict[str, Any]:
    """A call's arguments as parsed JSON; an empty text means no arguments.

    Strings are returned as written: clean them where the removed characters can be reported. Raises
    BadArguments, with a sentence for the model, for anything but exactly one JSON object.
    """
    if not text.strip():
        return {}
    if len(text) > LONGEST_ARGUMENTS:
        raise BadArguments(f"The arguments are longer than {LONGEST_ARGUMENTS:,} characters.")
    try:
        value = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise BadArguments(f"The arguments are not valid JSON: {error}.") from None
    except RecursionError:
        raise BadArguments("The arguments are nested too deeply.") from None
    if not isinstance(value, dict):
        raise BadArguments("The arguments must be one JSON object.")
    if _depth(value) > DEEPEST_ARGUMENTS:
        raise BadArguments("The arguments are nested too deeply.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; raises BadArguments if two keys are the same once they are cleaned."""
    seen: set[str] = set()
    for key, _ in pairs:
        plain = clean(key)
        if plain in seen:
            raise BadArguments(f"The arguments name {plain!r} more than once.")
        seen.add(plain)
    return dict(pairs)


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise BadArguments(f"A number in the arguments has more than {LONGEST_NUMBER} digits.")
    return int(text)


def _float(text: str) -> float:
    number = float(text) if len(text) <= LONGEST_NUMBER else float("inf")
    if number in (float("inf"), float("-inf")):
        raise BadArguments("A number in the arguments is too large or too long.")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise BadArguments(f"{name} is not JSON.")


_STRICT = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_refuse_constant,
    parse_int=_integer,
    parse_float=_float,
)


def _depth(value: object) -> int:
    """How deeply objects and lists are nested, computed without recursion."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth
