"""The ``sessions`` table: a summary of each log, for lists.

Unlike :class:`~sessions.views.session_status.SessionStatus`, this is not a fold over a log: it
defines which columns certain events set. So an append costs the same however long the log is, and a
log that contains an unreadable event is still listed. A property test compares the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from sessions.cleaning import clean
from sessions.events import (
    AnyEvent,
    CardShown,
    CustomerSaid,
    Imported,
    Labelled,
    ModelChanged,
    Safeguards,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionForked,
    SessionStarted,
    Verdict,
    WriteApplied,
)
from sessions.views.labels import valid_labels

_TITLE = 80
"""Maximum characters of the customer's first words, which name a session in a list."""


IMPORTED = "imported from "
"""Prefix of the source of another program's run; the file name follows."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session in a list."""

    id: str
    created_at: str
    updated_at: str
    """When the session was last continued; later judgements about it do not count."""

    domain: str
    source: str
    scenario: str | None
    model: str
    status: str
    """``open`` or ``ended``."""

    ended: str | None
    """Why it ended, as in :class:`~sessions.events.SessionEnded`."""

    reward: float | None
    title: str | None
    """The customer's first words; None if nothing was said."""

    parent: str | None
    fork_seq: int | None
    head_seq: int
    """The number of events in the log."""

    turns: int
    cards: int
    writes: int
    """The number of writes carried out without an error."""

    result: str
    """``open``, ``unscored``, ``right`` or ``wrong``."""

    safeguards: str
    """The names of the safeguards that are on, as last set, separated by spaces."""

    run: str | None
    """The headless run that the session belongs to."""

    number: int
    """Increases as sessions are recorded, independent of the clock."""

    labels: str = ""
    """The verdicts in force on the session, its events, and its cards: ``1 right, 2 wrong``."""

    tags: str = ""
    """The tags of the labels in force, each once, separated by line breaks."""

    @property
    def is_imported(self) -> bool:
        """Whether it is a run of another program; its source then names the file."""
        return self.source.startswith(IMPORTED)


RESULT = (
    "CASE WHEN status = 'open' THEN 'open' WHEN reward IS NULL THEN 'unscored' "
    "WHEN reward >= 1 THEN 'right' ELSE 'wrong' END"
)
"""SQL expression for the result of a session."""

_COLUMNS = (f"{RESULT} AS result" if f.name == "result" else f.name for f in fields(SessionRow))
LIST = f"SELECT {', '.join(_COLUMNS)} FROM sessions"
"""Selects the columns of :class:`SessionRow` in order; add WHERE and ORDER BY."""


NOTHING_YET: Mapping[str, Any] = {
    "scenario": None, "status": "open", "ended": None, "reward": None, "title": None,
    "parent": None, "fork_seq": None, "turns": 0, "cards": 0, "writes": 0, "safeguards": "",
    "run": None, "labels": "", "tags": "",
}  # fmt: skip
"""The values of a row whose log contains no event that sets them."""


LABEL_EVENTS = (Labelled, SessionForked)
"""Events that affect which labels are in force."""


JUDGEMENT_TYPES = ("labelled", "reviewed")
"""Types of events that judge a session but do not continue it."""


def last_use_column(entries: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The column for a session's last use, given the types and times of its events in order.

    Empty if all of them are judgements.
    """
    uses = [at for type_, at in entries if type_ not in JUDGEMENT_TYPES]
    return {"updated_at": uses[-1]} if uses else {}


def began_at(entries: Iterable[tuple[str, str]]) -> str:
    """When a session began, given the types and times of its events in order (at least one).

    A fork began when it was forked, no matter when the events that it shares were recorded.
    """
    times = list(entries)
    forked = [at for type_, at in times if type_ == "session_forked"]
    return forked[-1] if forked else times[0][1]


def columns_set_by(
    events: Iterable[AnyEvent],
    so_far: Mapping[str, Any] = NOTHING_YET,
    judged: Iterable[AnyEvent] = (),
) -> dict[str, Any]:
    """The columns of a session's row that these events set; later events win.

    ``so_far`` holds the session's counts and title so far: only its first words become the title.
    ``judged`` holds the earlier events that affect labels, if one of these events is a label.
    """
    found: dict[str, Any] = {}
    judging = list(judged)
    for event in events:
        found.update(_facts(event))
        judging += [event] if isinstance(event, LABEL_EVENTS) else []
        counted = _counter_for(event)
        if counted:
            found[counted] = found.get(counted, so_far[counted]) + 1
        if isinstance(event, CustomerSaid) and not (so_far["title"] or found.get("title")):
            found["title"] = " ".join(clean(event.text).split())[:_TITLE]
    return found | (_labels(judging) if judging else {})


def _labels(judging: Iterable[AnyEvent]) -> dict[str, str]:
    holding = valid_labels(judging)
    verdicts = Counter(each.verdict for each in holding)
    told = (f"{verdicts[each]} {each}" for each in get_args(Verdict) if verdicts[each])
    tags = {tag(each) for label in holding for each in label.tags}
    return {"labels": ", ".join(told), "tags": "\n".join(sorted(filter(None, tags)))}


def tag(text: str) -> str:
    """A tag in the form in which sessions are found by it: one line, in lower case."""
    return " ".join(clean(text).lower().split())


def _counter_for(event: AnyEvent) -> str | None:
    match event:
        case CustomerSaid():
            return "turns"
        case CardShown():
            return "cards"
        case WriteApplied(error=False):
            return "writes"
        case _:
            return None


def _switches_that_are_on(safeguards: Safeguards) -> str:
    return " ".join(name for name, value in safeguards if value is True)


def _facts(event: AnyEvent) -> dict[str, Any]:
    match event:
        case SessionStarted():
            return {
                "domain": event.domain,
                "source": event.source,
                "scenario": event.scenario,
                "model": event.model,
                "safeguards": _switches_that_are_on(event.safeguards),
                "run": event.run.name if event.run else None,
            }
        case SafeguardsChanged():
            return {"safeguards": _switches_that_are_on(event.safeguards)}
        case Imported():
            return {"source": f"{IMPORTED}{event.file}"}
        case SessionForked():
            return {"parent": event.parent, "fork_seq": event.seq}
        case ModelChanged():
            return {"model": event.model}
        case SessionEnded():
            return {"status": "ended", "ended": event.reason}
        case Scored():
            return {"reward": event.reward}
        case _:
            return {}
