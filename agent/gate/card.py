"""Builds a confirmation card: what would happen, as a trial run has shown (law 3).

Preconditions come from the checks declared beside the tool, effects from the difference that a
trial run made on a copy of the records. A change that the declared wording does not cover is shown
as it is, so that a card cannot hide it. Each line of a card stays a single line, no matter who
wrote it: a line break in a name once drew a false card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from uuid import uuid4

from pydantic_core import PydanticSerializationError

from agent.comparison import NOTHING_SAID, Comparison
from domains.core.canonical import canonical
from domains.core.changes import Change, FieldChange
from domains.core.consent import call_digest
from domains.core.draft import Draft
from domains.core.records import Preview, Records
from domains.core.tool import Arguments, Question, Tool, WriteDeclaration
from domains.text.one_line import (
    LONGEST_VALUE,
    line,
    odd_characters,
    quotation,
    spelled_code_points,
    value,
)
from sessions.events import Card, Precondition
from sessions.events.memory import Learned
from sessions.json_strings import map_strings, strings_in

_LONGEST_RECORD = 600
"""The maximum length in characters of a record or a list that no wording covers."""

_SPELLED_APART = {"id", "arguments"}
"""The fields of a card that are not part of its words, or are serialized separately."""


def _nothing_said(question: Question) -> tuple[str, ...]:
    """The default for a card when no one has looked up what the customer said about a question."""
    return ()


def make_card(
    tool: Tool,
    preview: Preview,
    records: Records,
    *,
    call_id: str,
    owner: Precondition | None = None,
    comparison: Comparison = NOTHING_SAID,
    removed: tuple[str, ...] = (),
    policy_shown: bool = True,
    said_about: Callable[[Question], tuple[str, ...]] = _nothing_said,
    learned: tuple[Learned, ...] = (),
) -> Card:
    """The card for a call that was tried and succeeded.

    `owner` says whether the records are the identified customer's; `comparison` is what was said
    about the change; `removed` is what cleaning took out of the call; `said_about` finds the
    customer's own sentences about a question; `learned` is what the session's memory says about the
    tool's checks, and does not change how these are evaluated. Raises ValueError for a tool that
    changes nothing.
    """
    notes, call = tool.notes, preview.call
    if notes is None:
        raise ValueError(f"{tool.name} changes nothing, so there is nothing to ask")
    arguments = dict(call.arguments)
    draft = records.draft()
    sentence = line(notes.sentence(draft, arguments))
    before = (
        *((_in_lines(owner),) if owner else ()),
        *_preconditions(notes, draft, arguments),
        *_questions(notes, draft, arguments, said_about),
    )
    after = tuple(map(line, _effects(notes, preview)))
    stays = tuple(map(line, notes.stays(draft, arguments)))
    closes = tuple(map(line, notes.closes(draft, arguments)))
    shown = (sentence, *(each.value for each in before), *after, *stays, *closes)
    return Card(
        id=uuid4().hex,
        call_id=call_id,
        tool=tool.name,
        arguments=arguments,
        sentence=sentence,
        asked=comparison.asked,
        disagreements=comparison.disagreements,
        before=before,
        learned=learned,
        after=after,
        stays=stays,
        closes=closes,
        removed=removed,
        non_ascii=_odd((tool.name, *strings_in(arguments)), shown),
        call_digest=call_digest(call),
        state_digest=preview.state,
        policy_shown=policy_shown,
    )


def words_digest(card: Card) -> str:
    """The digest of everything the card says; an approval is bound to these words.

    The arguments hold whatever was called, so they are serialized as canonical JSON, the only form
    that writes every number differently and keeps one order. Everything else is text, for which
    pydantic is faster.
    """
    try:
        said = card.model_dump_json(exclude=_SPELLED_APART)
    except PydanticSerializationError:  # a lone surrogate, which only Python's own JSON can write
        said = canonical(card.model_dump(exclude=_SPELLED_APART))
    return sha256(f"{said}\n{_spell(card.arguments)}".encode()).hexdigest()


def _spell(arguments: Arguments) -> str:
    try:
        return canonical(arguments)
    except TypeError:  # keys of mixed types, which have no order and no JSON form
        return canonical(map_strings(arguments, str))


def _preconditions(
    notes: WriteDeclaration, draft: Draft, arguments: Arguments
) -> Iterator[Precondition]:
    for check in notes.checks:
        finding = check.run(draft, arguments)
        yield Precondition(
            name=check.name,
            source=check.source,
            verdict="holds" if finding.holds else "fails",
            value=line(finding.value),
        )


def _in_lines(each: Precondition) -> Precondition:
    return Precondition(
        name=line(each.name), source=each.source, verdict=each.verdict, value=line(each.value)
    )


def _questions(
    notes: WriteDeclaration,
    draft: Draft,
    arguments: Arguments,
    said_about: Callable[[Question], tuple[str, ...]],
) -> Iterator[Precondition]:
    """Yield the questions that only the customer can answer, the decisive ones first."""
    questions = notes.questions(draft, arguments)
    for question in sorted(questions, key=lambda each: not each.decisive):
        yield Precondition(
            name=line(question.text),
            source="policy",
            verdict="judge",
            said=said_about(question),
        )


def _effects(notes: WriteDeclaration, preview: Preview) -> Iterator[str]:
    covered: set[str] = set()
    for effect in notes.effects(preview.after, preview.call.arguments, preview.changes):
        covered.update(effect.covers)
        yield effect.text
    for change in preview.changes:
        for each in change.fields:
            if each.label not in covered:
                yield plain_change(change, each)
    if not preview.changes:
        yield "Nothing in the records would be different."


def plain_change(change: Change, each: FieldChange) -> str:
    """Describe a change that no declared wording covers, as it is in the records."""
    where = f"{value(change.collection)} {value(change.key)}"
    where = f"{where}, {value(each.label)}" if each.label else where
    return f"{where}: {_value_text(each.before)} → {_value_text(each.after)}"


def _value_text(held: object) -> str:
    """The text of a value; one with parts is shown as JSON and may be longer than a plain one."""
    if held is None:
        return "nothing"
    words = held if isinstance(held, str) else canonical(held)
    return value(words) if len(words) <= LONGEST_VALUE else quotation(words, _LONGEST_RECORD)


def _odd(call: Iterable[str], shown: Iterable[str]) -> tuple[str, ...]:
    """Characters that may be mistaken for others or are invisible, each once.

    `shown` are lines of the card, in which invisible characters are already spelled out.
    """
    lines = "\n".join(shown)
    spelled = () if lines.isascii() else (*odd_characters(lines), *spelled_code_points(lines))
    return tuple(dict.fromkeys((*odd_characters("".join(call)), *spelled)))
