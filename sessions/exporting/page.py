"""Write one session as a self-contained HTML page without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from domains.text.one_line import line, quotation, spell
from sessions.events import Card, Labelled, Logged, Precondition, SessionStarted
from sessions.views import CardOutcome, Item, LookUp, label_words, transcript
from sessions.views.describing import describe
from sessions.views.labels import WHOLE, Place, labels_by_place

SECURITY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The page's content security policy: nothing is loaded, run or sent."""

Row = dict[str, Any]
"""One item or label for the template, with its ``kind``."""

_MARKS = {"holds": "✓", "fails": "✗", "judge": "to be judged"}


def page(events: Sequence[Logged]) -> Iterator[str]:
    """Yield the page piece by piece; the template escapes every text in it."""
    started = events[0].event
    assert isinstance(started, SessionStarted)
    yield from _template().generate(
        security=SECURITY,
        title=f"{started.domain} · {started.scenario or 'free play'} · {started.model}",
        about=f"Session {events[0].session}, {events[0].at}, on {started.source}",
        rows=_rows(events),
        end=f"{len(events)} events; the last has the hash {events[-1].hash}",
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("sessions", "exporting"), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("page.html.jinja")


def _rows(events: Sequence[Logged]) -> Iterator[Row]:
    given = labels_by_place(events)
    yield from _labels(given.pop(WHOLE, ()))
    for item in transcript(events):
        yield _row(item)
        for place in _places(item):
            yield from _labels(given.pop(place, ()))
    for (kind, which), rest in given.items():  # labels on things that have no row of their own
        yield from _labels(rest, f" {kind} {which}")


def _row(item: Item) -> Row:
    described = describe(item)
    match item:
        case CardOutcome():
            return _card(item)
        case LookUp():
            mark = "✗" if item.error else "·"
            text = f"{mark} {_call(item.name, item.arguments)}"
            return {"kind": "look up", "text": text, "result": item.result}
        case _ if described.speaker:
            return {"kind": "words", "speaker": described.speaker, "text": described.text}
        case _:
            return {"kind": "aside", "text": described.text}


def _places(item: Item) -> Iterator[Place]:
    if isinstance(item, CardOutcome):
        yield "card", item.card.id
    yield "event", item.seq


def _labels(given: Iterable[Labelled], about: str = "") -> Iterator[Row]:
    for label in given:
        yield {"kind": "label", "about": about, "words": label_words(label)}


def _card(item: CardOutcome) -> Row:
    card = item.card
    return {
        "kind": "card",
        "sentence": line(card.sentence),
        "asked": _quotation_after("You asked: ", card.asked),
        "undone": f"Can't be undone: {'; '.join(map(line, card.closes))}" if card.closes else "",
        "call": spell(_call(card.tool, card.arguments)),
        "parts": (
            (
                "It does not fit what was said",
                [
                    f"≠ {line(each.does)}{_quotation_after('; said: ', (each.said,))}"
                    for each in card.disagreements
                ],
            ),
            ("Before", [*_before_lines(card)]),
            ("After", [*map(line, card.after)]),
            ("Stays as it is", [*map(line, card.stays)]),
        ),
        "headline": line(item.headline),
    }


def _before_lines(card: Card) -> Iterator[str]:
    """Yield each check with what was learned about it, then learned conditions to be judged."""
    for each in card.before:
        learned = card.relaxing_text_for(each.name)
        beside = f" · {line(learned)}" if learned else ""
        yield f"{_MARKS[each.verdict]} {_check_line(each)}{beside}"
    yield from (f"{_MARKS['judge']}: {line(each)}" for each in card.standalone_learned)


def _check_line(each: Precondition) -> str:
    value = f": {line(each.value)}" if each.value else ""
    return f"{line(each.name)}{value}{_quotation_after(' · said: ', each.said)}"


def _quotation_after(lead: str, said: Iterable[str]) -> str:
    """The quoted words after a lead-in; empty if there are none."""
    words = " ".join(quotation(each) for each in said if each)
    return f"{lead}{words}" if words else ""


def _call(name: str, arguments: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
