"""Evidence that may teach an agent: a person's decisions with reasons, label notes, and outcomes.

Nothing else is evidence. The words of a customer played by a model or a script, the results of
tools and the contents of records are never read here, so that none of them can become an entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from domains.core.domain import Domain, Scenario
from sessions.events import Card, CardShown, DecisionMade, Labelled, Logged, Scored, ToolCalled
from sessions.events.memory import RETRIEVE
from sessions.store.forking import count_inherited
from sessions.views.labels import labels

PERSON = "person"
"""The author of decisions that teach; a customer played by code or a model is none."""


Regime = Literal["person", "reward", "explanation", "oracle"]
"""The source of feedback.

``person`` is a person's decisions and labels and the score, ``reward`` the reward alone,
``explanation`` the reward and what the agent should have done, and ``oracle`` how the policy is to
be understood.
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that a person said, or one outcome of a session."""

    kind: Literal["decision", "label", "outcome"]
    session: str
    seq: int
    words: str
    """The words that were said; empty for an outcome that no one commented on."""

    tool: str = ""
    """The tool of the change that it is about; empty if it does not say."""

    failing: tuple[str, ...] = ()
    """The policy checks that stood in the way."""

    read: str = ""
    """The capability that the agent read last before it; only given if it is about no card."""

    regime: Regime = "person"
    """The source of the feedback that it belongs to."""

    file: str = ""
    """The file of sessions that it was imported with; empty if it was recorded here."""

    unsure: bool = False
    """Whether it may have come with a file: an older version did not record that."""

    about_no_card: bool = False
    """Whether the words refer to no card.

    The tool, its checks and what was read are then taken from the rest of the session and the right
    outcome of its task.
    """

    end: tuple[str, ...] = ()
    """The tools of all changes in the right outcome, for an outcome that was wrong."""

    @property
    def is_about_card(self) -> bool:
        """Whether it is a person's words about one card, if not always about its change."""
        return bool(self.tool) and self.kind != "outcome" and not self.about_no_card

    @property
    def key(self) -> str:
        """The key by which a memory learns from it at most once."""
        return f"{self.session}:{self.seq}"


def evidence(
    log: Sequence[Logged], domain: Domain, scenario: Scenario | None
) -> Iterator[Evidence]:
    """Yield all that a session can teach, in order; what a fork shares is left to its parent.

    If a person commented on a wrong outcome, and on no card, these words teach alone.
    """
    cards = {e.event.card.id: e.event.card for e in log if isinstance(e.event, CardShown)}
    holding = {each.seq for each in labels(log)}
    own = log[count_inherited(log) :]
    scored = [each for each in own if isinstance(each.event, Scored)]
    end = next(_wrong_end(scored[-1], domain, scenario), None) if scored else None
    told = any(each.seq in holding and _says_why(each) for each in own)
    for logged in own:
        match logged.event:
            case DecisionMade(decision="reject" | "change", by=by, words=words) as made:
                if by == PERSON and words.strip() and made.card_id in cards:
                    yield _about_card("decision", logged, words, cards[made.card_id])
            case Labelled(verdict="wrong", note=note, card_id=card) if logged.seq in holding:
                if card in cards and note.strip():
                    yield _about_card("label", logged, note, cards[card])
                elif note.strip():
                    yield _about_none(logged, note, log, end)
            case Scored() if logged is scored[-1] and end is not None and not told:
                yield end
            case _:
                pass


def _says_why(logged: Logged) -> bool:
    """Whether it is a label, not of a card, that says why something was wrong."""
    found = logged.event
    wrong = isinstance(found, Labelled) and found.verdict == "wrong" and found.card_id is None
    return wrong and isinstance(found, Labelled) and bool(found.note.strip())


def _about_card(
    kind: Literal["decision", "label"], logged: Logged, words: str, card: Card
) -> Evidence:
    failing = tuple(each.name for each in card.failing if each.source == "policy")
    return Evidence(kind, logged.session, logged.seq, words, card.tool, failing)


def _about_none(
    logged: Logged, words: str, log: Sequence[Logged], end: Evidence | None
) -> Evidence:
    """A person's words about an answer or a whole session, not about a card.

    They are about the change that the right outcome needed, or else about what the agent read last.
    """
    read = _read_last(logged, log)
    said = Evidence("label", logged.session, logged.seq, words, read=read, about_no_card=True)
    return said if end is None else replace(said, tool=end.tool, failing=end.failing)


def _read_last(label: Logged, log: Sequence[Logged]) -> str:
    """The capability that was read last before the event that a label is about."""
    about = label.event.seq if isinstance(label.event, Labelled) else None
    calls = (
        each.event
        for each in reversed(log)
        if (about is None or each.seq < about) and isinstance(each.event, ToolCalled)
    )
    read = (each.arguments.get("capabilities") for each in calls if each.name == RETRIEVE)
    named = next((each for each in read if isinstance(each, list) and each), [""])
    return str(named[-1])


def outcome(
    log: Sequence[Logged], domain: Domain, scenario: Scenario | None, *, differing: bool
) -> Evidence | None:
    """The last outcome of a session, right or wrong; None if it has no score of its own.

    If it was wrong and ``differing`` is set, it has the change that the right outcome needs.
    """
    scored = [each for each in log[count_inherited(log) :] if isinstance(each.event, Scored)]
    if not scored:
        return None
    last = scored[-1]
    plain = Evidence("outcome", last.session, last.seq, "")
    if not differing or not isinstance(last.event, Scored) or last.event.reward >= 1:
        return plain
    return next(_wrong_end(last, domain, scenario), plain)


def _wrong_end(logged: Logged, domain: Domain, scenario: Scenario | None) -> Iterator[Evidence]:
    """Yield a change that the right outcome needs: the first that fails a policy check, if any."""
    wrong = isinstance(logged.event, Scored) and logged.event.reward < 1
    if scenario is None or not scenario.ends or not wrong:
        return
    found = ((call, domain.tools.get(call.name)) for call in scenario.ends[0])
    changes = [(call, tool.notes) for call, tool in found if tool is not None and tool.notes]
    if not changes:
        return
    end = tuple(call.name for call, _ in changes)
    made = Evidence("outcome", logged.session, logged.seq, "", end[0], end=end)
    draft = domain.records().draft()
    for call, notes in changes:
        policy = (check for check in notes.checks if check.source == "policy")
        failing = tuple(c.name for c in policy if not c.run(draft, call.arguments).holds)
        if failing:
            yield replace(made, tool=call.name, failing=failing)
            return
        domain.tools.run(call, draft)
    yield made
