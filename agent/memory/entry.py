"""An entry: when a capability of a tool applies, what must hold, and what to do.

PolicyBank, section 4 (memory schema). Every text is one cleaned line of limited length: an entry
may come from a file that anyone wrote, and is read by a model and on a screen.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

from sessions.cleaning import clean
from sessions.store.memory import MemoryRefused

LONGEST_TEXT = 600
"""The maximum length of one line of an entry, in characters."""

MOST_LINES = 20
"""The maximum number of lines in one list of an entry."""

NOTHING_KNOWN = "nothing_known"
"""The placeholder for a capability where none is meant; no entry has this name."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")

Gap = Literal["", "false dependency", "missing exception", "ambiguous scope"]
"""The flaw in the policy's clause (PolicyBank, section 3); empty if there is none."""


def one_line(text: Any) -> Any:
    """Any text as one clean line; other values are returned unchanged."""
    return " ".join(clean(text).split()) if isinstance(text, str) else text


def _not_too_long(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"has {len(text):,} characters; at most {LONGEST_TEXT} are allowed")
    return text


def _not_empty(text: str) -> str:
    if not text:
        raise ValueError("is empty")
    return text


def _as_name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("is not a valid name: use at most 64 lower-case letters, digits and _")
    return text


def _is_something(name: str) -> str:
    if name == NOTHING_KNOWN:
        raise ValueError("is a reserved name; choose another")
    return name


def _few(lines: tuple[str, ...]) -> tuple[str, ...]:
    if len(lines) > MOST_LINES:
        raise ValueError(f"has {len(lines)} lines; at most {MOST_LINES} are allowed")
    return tuple(filter(None, lines))


Line = Annotated[str, BeforeValidator(one_line), AfterValidator(_not_too_long)]
Said = Annotated[Line, AfterValidator(_not_empty)]
Lines = Annotated[tuple[Line, ...], AfterValidator(_few)]
Name = Annotated[str, BeforeValidator(one_line), AfterValidator(_as_name)]


class CheckChange(BaseModel):
    """A check of the card that an entry reads differently; it is shown, and decides nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Said
    """The check's own name, as it is on the card."""

    effect: Literal["relaxes", "tightens"]
    condition: Said
    """The condition under which it applies, in words."""


class Entry(BaseModel):
    """One capability of one tool, as the memory understands it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    capability: Annotated[Name, AfterValidator(_is_something)]
    tool: Name
    trigger: Said
    preconditions: Lines = ()
    """Look-ups and questions that must come first."""

    eligibility: Lines = ()
    """Conditions that allow it or rule it out."""

    action: Line = ""
    key_insight: Line = ""
    """The lesson that the policy does not contain; empty if nothing was learned."""

    policy_lines: Lines = ()
    """The clauses of the policy that it interprets, word for word."""

    gap: Gap = ""
    check: CheckChange | None = None


def make_entry(fields: dict[str, Any]) -> Entry:
    """Make an entry from these fields, cleaned. Raises MemoryRefused, which says what is wrong."""
    try:
        return Entry.model_validate(fields)
    except ValidationError as error:
        raise MemoryRefused(f"That is not a valid memory entry: {first_fault(error)}.") from None


def first_fault(error: ValidationError) -> str:
    """The first validation fault in words, without any of the faulty text."""
    found = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in found["loc"] if isinstance(part, str)) or "it"
    why = one_line(str(found["msg"])).removeprefix("Value error, ")
    return f"{where} {why[:1].lower()}{why[1:]}"
