"""Reads a model's review of a session strictly, and enforces what it may change.

A review is one JSON object with entries for tools of the domain, each based on existing evidence
and at most one per capability, that drops nothing a person had accepted. Anything else is refused
with a sentence, and then nothing of the review is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.memory.bank import Bank
from agent.memory.boundaries import keep_what_was_learned
from agent.memory.change import Failure
from agent.memory.consent_words import waiving_line
from agent.memory.entry import CheckChange, Entry, Gap, first_fault, make_entry, one_line
from agent.memory.evidence import Evidence
from agent.memory.fitting import refuse_unfit
from agent.memory.material import policy_texts, version_to_build_on
from agent.memory.particulars import find_named_record
from agent.models.assembly import BadArguments, parse_arguments
from agent.models.redaction import without_secrets_json
from domains.core.domain import Domain
from domains.text.one_line import quotation
from sessions.cleaning import removed_characters
from sessions.json_strings import strings_in
from sessions.store.memory import MemoryRefused

LONGEST_REVIEW = 30_000
"""The maximum length of an answer in characters; no conversation teaches more."""

LONGEST_REASONS = 600

MOST_TOUCHED = 5
"""How many entries one session may add or revise."""

MOST_BEGUN = 40
"""How many entries a memory may begin with."""


Form = TypeVar("Form", bound=BaseModel)


class EntryForm(BaseModel):
    """An entry as a model writes it when nothing has been learned yet."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    capability: str
    tool: str
    trigger: str
    preconditions: list[str] = []
    eligibility: list[str] = []
    action: str = ""
    policy_lines: list[int] = []
    """Numbers of the policy's lines, counted from 1."""


class RevisedEntry(EntryForm):
    """An entry that a session adds or revises."""

    evidence: int
    """The number of the piece of evidence that it comes from, counted from 1."""

    operation: Literal["add", "revise"]
    key_insight: str
    gap: Gap = ""
    check: CheckChange | None = None


class Review(BaseModel):
    """A whole review."""

    model_config = ConfigDict(frozen=True, strict=True)

    success: bool
    failure: Literal["none", "execution", "alignment"]
    reasons: str
    entries: Annotated[list[RevisedEntry], Field(max_length=MOST_TOUCHED)]


class Beginning(BaseModel):
    """The entries that a memory should begin with."""

    model_config = ConfigDict(frozen=True, strict=True)

    reasons: str = ""
    entries: Annotated[list[EntryForm], Field(max_length=MOST_BEGUN, min_length=1)]


class Reviewed(BaseModel):
    """The content of a review that has been checked."""

    model_config = ConfigDict(frozen=True)

    success: bool
    failure: Failure
    reasons: str
    entries: tuple[tuple[int, Entry], ...]
    """Each entry with the index of its evidence, counted from 0."""


def read_review(text: str, bank: Bank, domain: Domain, evidence: Sequence[Evidence]) -> Reviewed:
    """The review in an answer. Raises MemoryRefused, which says what is wrong with it.

    Entries only count if the policy was at fault; a success or an execution failure has none,
    whatever it names.
    """
    found: Review = _parse(text, Review)
    reasons = one_line(found.reasons)[:LONGEST_REASONS]
    if not reasons:
        raise MemoryRefused("It gives no reasons.")
    if found.success != (found.failure == "none"):
        raise MemoryRefused("It says that the session succeeded and that it failed.")
    entries: tuple[tuple[int, Entry], ...] = ()
    if found.failure == "alignment":
        entries = tuple(_entry_touched(each, bank, domain, evidence) for each in found.entries)
        _refuse_two([entry for _, entry in entries])
    failure: Failure = "" if found.failure == "none" else found.failure
    return Reviewed(success=found.success, failure=failure, reasons=reasons, entries=entries)


def read_beginning(text: str, domain: Domain) -> tuple[str, list[Entry]]:
    """The reasons and entries in an answer. Raises MemoryRefused, which says what is wrong."""
    found: Beginning = _parse(text, Beginning)
    entries = [_entry(each, domain, {}) for each in found.entries]
    _refuse_two(entries)
    return one_line(found.reasons)[:LONGEST_REASONS], entries


def _parse(text: str, kind: type[Form]) -> Form:
    """The single JSON object in an answer, without any fence around it and without secret keys."""
    if len(text) > LONGEST_REVIEW:
        raise MemoryRefused(
            f"It has {len(text):,} characters; at most {LONGEST_REVIEW:,} are allowed."
        )
    start, end = text.find("{"), text.rfind("}")
    try:
        found = parse_arguments(text[start : end + 1] or "[]")
    except BadArguments:
        raise MemoryRefused("It is not a single JSON object.") from None
    _refuse_hidden(found)
    try:
        return kind.model_validate(without_secrets_json(found))
    except ValidationError as error:
        told = first_fault(error)
        raise MemoryRefused(f"It is not in the requested form: {told}.") from None


def _refuse_hidden(found: Any) -> None:
    """Raise MemoryRefused for hidden characters, which no honest line of advice contains."""
    for text in strings_in(found):
        removed = removed_characters(text)
        if removed:
            raise MemoryRefused(f"It contains characters that are not text ({removed[0]}).")


def _refuse_two(entries: Sequence[Entry]) -> None:
    names = Counter(each.capability for each in entries)
    (twice, count), *_ = names.most_common(1) or [("", 0)]
    if count > 1:
        raise MemoryRefused(f"It has two entries for {twice}.")


def _entry_touched(
    each: RevisedEntry, bank: Bank, domain: Domain, evidence: Sequence[Evidence]
) -> tuple[int, Entry]:
    """The index of its evidence, and the entry as it would be in the bank. Raises MemoryRefused."""
    if not 1 <= each.evidence <= len(evidence):
        raise MemoryRefused(f"There is no evidence number {each.evidence}.")
    if not one_line(each.key_insight) or not each.gap:
        raise MemoryRefused("An entry must say both what was learned and which gap it is.")
    check = None if each.check is None else each.check.model_dump()
    learned = {"key_insight": each.key_insight, "gap": each.gap, "check": check}
    entry = _entry(each, domain, learned)
    found = bank.capabilities.get(entry.capability)
    if found is not None and any(
        change.entry is not None and change.entry.tool != entry.tool
        for _, _, change in found.history
    ):
        raise MemoryRefused(f"{entry.capability} is another tool's, not an entry of {entry.tool}.")
    before = None if found is None else version_to_build_on(found)
    if (before is None) != (each.operation == "add"):
        there = "no entry for it yet" if before is None else "already an entry for it"
        raise MemoryRefused(f"It would {each.operation} {entry.capability}, but there is {there}.")
    if before is None:
        return each.evidence - 1, entry
    return each.evidence - 1, keep_what_was_learned(before.entry, entry)


def _entry(each: EntryForm, domain: Domain, learned: dict[str, Any]) -> Entry:
    """Make an entry from these fields. Raises MemoryRefused."""
    texts = policy_texts(domain)
    missing = next((n for n in each.policy_lines if not 1 <= n <= len(texts)), None)
    if missing is not None:
        raise MemoryRefused(f"The policy has no line {missing}.")
    entry = make_entry(
        {
            **each.model_dump(include=set(EntryForm.model_fields) - {"policy_lines"}),
            "policy_lines": tuple(dict.fromkeys(texts[n - 1] for n in each.policy_lines)),
            **learned,
        }
    )
    refuse_unfit(entry, domain)
    waiving = waiving_line(entry)
    if waiving:
        raise MemoryRefused(
            f"{entry.capability} says {quotation(waiving)}, but every change needs the "
            "customer's yes."
        )
    named = find_named_record(entry, domain.base)
    if named:
        raise MemoryRefused(
            f"{entry.capability} names {quotation(named)}: an entry is for future conversations."
        )
    return entry
