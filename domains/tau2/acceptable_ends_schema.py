"""The schema of a file of acceptable ends; used only when one is read."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.types import JsonValue

Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Call(_Part):
    """A call; an argument given as ``{"one_of": [...]}`` may be any of the listed values."""

    name: Text
    arguments: dict[str, JsonValue]


class Unordered(_Part):
    """Calls that may come in any order, although each order leaves different records."""

    in_any_order: Annotated[list[Call], Field(min_length=2)]


End = list[Call | Unordered]


class Entry(_Part):
    """Ends that are as acceptable for a task as its own."""

    task: Text
    written_for: Annotated[dict[str, Text], Field(min_length=1)]
    """The fingerprint of the gold list it applies to, by edition of the tasks, as in ``tau2 0.2``.

    An edition's first word is a scenario's ``source``.
    """

    source: Text
    """Who says so: an item of the SABER paper's appendices C and D, another edition, or we."""

    why: Text
    need_not_say: list[Text] = []
    """Texts that the task requires to be said and that are wrong."""

    ends: list[End]

    @model_validator(mode="after")
    def _says_something(self) -> Entry:
        if not (self.ends or self.need_not_say):
            raise ValueError("it has neither ends nor words that need not be said")
        return self


class Compared(_Part):
    """What each source says about an item of the paper's appendices, for people to read."""

    item: Text
    tasks: Annotated[list[Text], Field(min_length=1)]
    paper: Text
    tau2: Text
    verified: Text
    follows: Text
    because: Text


class AcceptableEnds(_Part):
    """A whole file of acceptable ends."""

    compared: list[Compared]
    entries: list[Entry]
