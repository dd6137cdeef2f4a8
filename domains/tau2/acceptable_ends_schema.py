"""What a file of acceptable ends must look like; used when one is read, and nowhere else."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.types import JsonValue

Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Call(_Part):
    """A call; an argument given as ``{"one_of": [...]}`` may be any of these values."""

    name: Text
    arguments: dict[str, JsonValue]


class Unordered(_Part):
    """Calls that may come in any order, and then leave other records behind."""

    in_any_order: Annotated[list[Call], Field(min_length=2)]


End = list[Call | Unordered]


class Entry(_Part):
    """Ends that are as right for a task as its own."""

    task: Text
    written_for: Annotated[dict[str, Text], Field(min_length=1)]
    """By edition of the tasks, as ``tau2 0.2``, the fingerprint of the gold list it is meant for.

    An edition's first word is a scenario's ``source``.
    """

    source: Text
    """Who says so: an item of the SABER paper's appendices C and D, another edition, or we."""

    why: Text
    need_not_say: list[Text] = []
    """Words that the task wants said and that are wrong."""

    ends: list[End]

    @model_validator(mode="after")
    def _says_something(self) -> Entry:
        if not (self.ends or self.need_not_say):
            raise ValueError("it has neither ends nor words that need not be said")
        return self


class Compared(_Part):
    """What each source has for an item of the paper's appendices; read by people, in the table."""

    item: Text
    tasks: Annotated[list[Text], Field(min_length=1)]
    paper: Text
    tau2: Text
    verified: Text
    follows: Text
    because: Text


class AcceptableEnds(_Part):
    """A file."""

    compared: list[Compared]
    entries: list[Entry]
