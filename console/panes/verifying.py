"""The part of the Reflection pane that shows the verifier's verdicts in a coupled session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from console.panes.pane import HEADING, Part
from console.widgets.call_text import arguments_in_words, name_in_words
from console.widgets.plain import MUTED, hanging
from domains.text.one_line import quotation
from sessions.events import RULES, Logged, ProposedCall, WriteVerified
from sessions.proposals import arguments_of_proposal
from sessions.views.panes import verifications

LATEST = 5
"""The most verdicts to list; the Trace pane lists all of them."""

LONGEST_WORDS = 600
"""The most characters of the verifier's words to show."""

_OUTCOMES = {
    "kept": "kept as it was",
    "revised": "revised",
    "asked": "asked instead",
    "blocked": "blocked",
    "unverified": "not verified",
    "withheld": "not verified, so not made, as there is no card",
}


def parts_of_verifying(log: Sequence[Logged], room: int) -> Iterator[Part]:
    """Yield the latest verdicts, newest first: the proposed calls, the outcome and the reason."""
    for each in verifications(log)[: -LATEST - 1 : -1]:
        yield from _verdict(each, room)


def _verdict(verified: WriteVerified, room: int) -> Iterator[Part]:
    names = " and ".join(name_in_words(each.name) for each in verified.candidates)
    heading = f"verified · {names} → {_OUTCOMES[verified.outcome]}"
    yield f"{hanging(heading, room, indent=2, first=0)}\n", HEADING
    for line in _differing_calls(verified):
        yield f"{hanging(line, room, indent=2, first=0)}\n", ""
    by = "the rules" if verified.by == RULES else verified.by
    if verified.words:
        words = quotation(verified.words, LONGEST_WORDS)
        yield f"{hanging(f'{by}: {words}', room, indent=2, first=0)}\n", MUTED
    else:
        yield f"{hanging(f'by {by}, no reason given', room, indent=2, first=0)}\n", MUTED
    yield "\n", ""


def _differing_calls(verified: WriteVerified) -> Iterator[str]:
    """Yield how the revised calls differ from the proposed ones."""
    for old, new in zip_longest(verified.candidates, verified.instead) if verified.instead else ():
        if old is not None and new is not None and old.name == new.name:
            yield from _arguments(old, new)
        else:
            yield from (f"- {_call(each)}" for each in (old,) if each is not None)
            yield from (f"+ {_call(each)}" for each in (new,) if each is not None)


def _arguments(old: ProposedCall, new: ProposedCall) -> Iterator[str]:
    before, after = _words(old), _words(new)
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, "none"), after.get(name, "none")
        if was != now:
            yield f"{name}: {was} → {now}"


def _call(call: ProposedCall) -> str:
    told = ", ".join(f"{name}: {each}" for name, each in _words(call).items())
    return f"{name_in_words(call.name)} ({told})" if told else name_in_words(call.name)


def _words(call: ProposedCall) -> Mapping[str, Any]:
    return dict(arguments_in_words(arguments_of_proposal(call) or {"arguments": call.arguments}))
