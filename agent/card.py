"""A confirmation card: what would happen, because it was tried (law 3).

Preconditions come from the checks declared beside the tool, effects from the difference that a
trial run made on a copy of the records. Whatever the declared wording does not account for is
shown as it is, so a card cannot hide a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

from agent.comparison import NOTHING_SAID, Comparison
from domains.canonical import canonical, digest
from domains.consent import call_digest
from domains.records import Change, FieldChange, Preview, Records
from domains.tool import Question, Tool, WriteNotes
from sessions.cleaning import clean
from sessions.events import Card, Precondition


def _nothing_said(question: Question) -> tuple[str, ...]:
    """What the customer said about a question, where nobody has looked for it."""
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
) -> Card:
    """The card for a call that was tried and succeeded.

    `owner` says whether the records are the identified customer's; `comparison` is what was said
    about the change; `removed` is what cleaning took out of the call; `said_about` finds the
    customer's own sentences about a question.
    """
    notes, call = tool.notes, preview.call
    if notes is None:
        raise ValueError(f"{tool.name} changes nothing, so there is nothing to ask")
    arguments = dict(call.arguments)
    return Card(
        id=uuid4().hex,
        call_id=call_id,
        tool=tool.name,
        arguments=arguments,
        sentence=clean(notes.sentence(records.draft(), arguments)),
        asked=comparison.asked,
        disagreements=comparison.disagreements,
        before=(
            *((owner,) if owner else ()),
            *_checked(notes, records, preview),
            *_asked(notes, records, preview, said_about),
        ),
        after=tuple(clean(line) for line in _effects(notes, preview)),
        stays=tuple(clean(line) for line in notes.stays(records.draft(), arguments)),
        closes=tuple(clean(line) for line in notes.closes(records.draft(), arguments)),
        removed=removed,
        non_ascii=_non_ascii(arguments),
        call_digest=call_digest(call),
        state_digest=preview.state,
        policy_shown=policy_shown,
    )


def words_digest(card: Card) -> str:
    """Digest of everything the card says; an approval is bound to these words."""
    return digest(card.model_dump(mode="json", exclude={"id"}))


def _checked(notes: WriteNotes, records: Records, preview: Preview) -> Iterator[Precondition]:
    draft = records.draft()
    for check in notes.checks:
        finding = check.find(draft, preview.call.arguments)
        yield Precondition(
            name=check.name,
            source=check.source,
            verdict="holds" if finding.holds else "fails",
            value=clean(finding.value),
        )


def _asked(
    notes: WriteNotes,
    records: Records,
    preview: Preview,
    said_about: Callable[[Question], tuple[str, ...]],
) -> Iterator[Precondition]:
    """The questions that only the customer can answer, those on which all hangs first."""
    questions = notes.questions(records.draft(), preview.call.arguments)
    for question in sorted(questions, key=lambda each: not each.decisive):
        yield Precondition(
            name=clean(question.text),
            source="policy",
            verdict="judge",
            said=said_about(question),
        )


def _effects(notes: WriteNotes, preview: Preview) -> Iterator[str]:
    covered: set[str] = set()
    for effect in notes.effects(preview.after, preview.call.arguments, preview.changes):
        covered.update(effect.covers)
        yield effect.text
    for change in preview.changes:
        for each in change.fields():
            if each.label not in covered:
                yield plain_change(change, each)
    if not preview.changes:
        yield "Nothing in the records would be different."


def plain_change(change: Change, each: FieldChange) -> str:
    """A change that no declared wording covers, as it stands in the records."""
    where = f"{change.collection} {change.key}" + (f", {each.label}" if each.label else "")
    return f"{where}: {_shown(each.before)} → {_shown(each.after)}"


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else canonical(value)


def _non_ascii(arguments: dict[str, object]) -> tuple[str, ...]:
    """Characters that could pass for another letter, each once."""
    text = "".join(_strings(arguments))
    return tuple(
        f"{character} U+{ord(character):04X}"
        for character in dict.fromkeys(text)
        if not character.isascii()
    )


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (*_strings(key), *_strings(item))
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
