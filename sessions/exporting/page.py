"""One session as a page that can be shown to somebody: a file of its own, without any script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from domains.text.one_line import line, quotation, spelled
from sessions.events import Labelled, Logged, Precondition, SessionStarted
from sessions.views import (
    AgentWords,
    AttentionCheck,
    CardAnswer,
    CardOutcome,
    CustomerWords,
    Ended,
    Fault,
    Interrupted,
    Item,
    LookUp,
    Note,
    Result,
    label_words,
    transcript,
)
from sessions.views.labels import WHOLE, Place, by_place

SECURITY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Nothing is loaded, run or sent, whatever a text in the page says."""

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
p, pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
.said { margin: 1rem 0; } .who { font-weight: 600; font-size: .85rem; opacity: .7; }
.customer { margin-left: 4rem; }
.card { border: 1px solid; border-radius: .4rem; padding: .6rem 1rem; margin: 1rem 0; }
.label { border-left: .25rem solid; padding-left: .6rem; font-size: .9rem; }
.aside { opacity: .75; font-size: .9rem; } dt { font-weight: 600; } dd { margin-left: 1rem; }
"""

_MARKS = {"holds": "✓", "fails": "✗", "judge": "to be judged"}


def page(events: Sequence[Logged]) -> Iterator[str]:
    """The page, piece by piece."""
    started = events[0].event
    assert isinstance(started, SessionStarted)
    title = f"{started.domain} · {started.scenario or 'free play'} · {started.model}"
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{SECURITY}">\n'
    yield '<meta name="viewport" content="width=device-width">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    yield f"<h1>{escape(title)}</h1>\n"
    yield _aside(f"Session {events[0].session}, {events[0].at}, on {started.source}")
    given = by_place(events)
    yield from _labels(given.pop(WHOLE, ()))
    for item in transcript(events):
        yield _item(item)
        for place in _places(item):
            yield from _labels(given.pop(place, ()))
    for (kind, which), rest in given.items():  # what it is about stands in no row of its own
        yield from _labels(rest, f" {kind} {which}")
    yield _aside(f"{len(events)} events; the last has the hash {events[-1].hash}")
    yield "</body>\n</html>\n"


def _item(item: Item) -> str:
    match item:
        case CustomerWords():
            return _said("customer", item.text)
        case AgentWords():
            return _said("agent", item.text)
        case CardAnswer():
            return _said("records", item.text)
        case CardOutcome():
            return _card(item)
        case LookUp():
            return _look_up(item)
        case Note() | Ended() | AttentionCheck():
            return _aside(item.text)
        case Fault():
            return _aside(item.sentence)
        case Interrupted():
            return _aside("The customer stopped the agent.")
        case Result():
            return _aside(f"Reward {item.scored.reward:g}")


def _places(item: Item) -> Iterator[Place]:
    if isinstance(item, CardOutcome):
        yield "card", item.card.id
    yield "event", item.seq


def _labels(given: Sequence[Labelled], about: str = "") -> Iterator[str]:
    for label in given:
        yield f'<p class="label">Labelled{escape(about)} {escape(label_words(label))}</p>\n'


def _said(who: str, text: str) -> str:
    return f'<div class="said {who}"><div class="who">{who}</div><p>{escape(text)}</p></div>\n'


def _look_up(item: LookUp) -> str:
    mark = "✗" if item.error else "·"
    given = escape(_call(item.name, item.arguments))
    return (
        f'<details class="aside"><summary>{mark} {given}</summary>'
        f"<pre>{escape(item.result)}</pre></details>\n"
    )


def _card(item: CardOutcome) -> str:
    card = item.card
    asked = _quoted("You asked: ", card.asked)
    undone = f"Can't be undone: {'; '.join(map(line, card.closes))}" if card.closes else ""
    against = [f"≠ {line(each.does)}{_quoted('; said: ', (each.said,))}"
               for each in card.disagreements]  # fmt: skip
    before = [f"{_MARKS[each.verdict]} {_checked(each)}" for each in card.before]
    parts = (
        _list("It does not fit what was said", against),
        _list("Before", before),
        _list("After", map(line, card.after)),
        _list("Stays as it is", map(line, card.stays)),
    )
    return (
        f'<section class="card"><p>{escape(line(card.sentence))}</p>{_told(asked)}{_told(undone)}'
        f'<p class="aside">{escape(spelled(_call(card.tool, card.arguments)))}</p>'
        f"<dl>{''.join(parts)}</dl>"
        f"<p><strong>{escape(line(item.headline))}</strong></p></section>\n"
    )


def _told(words: str) -> str:
    return f"<p>{escape(words)}</p>" if words else ""


def _list(heading: str, lines: Iterable[str]) -> str:
    found = "".join(f"<dd>{escape(each)}</dd>" for each in lines)
    return f"<dt>{heading}</dt>{found}" if found else ""


def _checked(each: Precondition) -> str:
    value = f": {line(each.value)}" if each.value else ""
    return f"{line(each.name)}{value}{_quoted(' · said: ', each.said)}"


def _quoted(lead: str, said: Iterable[str]) -> str:
    """Somebody's own words behind what they are; empty where there are none."""
    words = " ".join(quotation(each) for each in said if each)
    return f"{lead}{words}" if words else ""


def _call(name: str, arguments: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def _aside(text: str) -> str:
    return f'<p class="aside">{escape(text)}</p>\n'
