"""What may teach an agent: a person's decisions with their reasons, labels' notes, and outcomes.

Nothing else is evidence. What a customer says that a model or a script plays, what a tool returns
and what stands in a record are read by nothing here, so that none of it can become an entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from domains.core.domain import Domain, Scenario
from sessions.events import Card, CardShown, DecisionMade, Labelled, Logged, Scored
from sessions.store.forking import count_inherited
from sessions.views.labels import labels

PERSON = "person"
"""By whom a decision is made that teaches; a customer who is played by code or a model does not."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that a person said, or one outcome that was not as it should be."""

    kind: Literal["decision", "label", "outcome"]
    session: str
    seq: int
    words: str
    """The person's own; of an outcome, none."""

    tool: str = ""
    """The change it is about; empty where it does not say."""

    failing: tuple[str, ...] = ()
    """The policy checks that stood in the way."""

    @property
    def key(self) -> str:
        """What a memory learns from at most once."""
        return f"{self.session}:{self.seq}"


def evidence(
    log: Sequence[Logged], domain: Domain, scenario: Scenario | None
) -> Iterator[Evidence]:
    """All that a session can teach, in its order; what a fork shares is its parent's to teach."""
    cards = {e.event.card.id: e.event.card for e in log if isinstance(e.event, CardShown)}
    holding = {each.seq for each in labels(log)}
    scored = [each.seq for each in log if isinstance(each.event, Scored)]
    for logged in log[count_inherited(log) :]:
        match logged.event:
            case DecisionMade(decision="reject" | "change", by=by, words=words) as made:
                if by == PERSON and words.strip() and made.card_id in cards:
                    yield _about("decision", logged, words, cards[made.card_id])
            case Labelled(verdict="wrong", note=note) as label:
                if logged.seq in holding and note.strip():
                    yield _about("label", logged, note, cards.get(label.card_id or ""))
            case Scored(reward=reward) if reward < 1 and logged.seq == scored[-1]:
                yield from _wrong_end(logged, domain, scenario)
            case _:
                pass


def _about(
    kind: Literal["decision", "label"], logged: Logged, words: str, card: Card | None
) -> Evidence:
    if card is None:
        return Evidence(kind, logged.session, logged.seq, words)
    failing = tuple(each.name for each in card.failing if each.source == "policy")
    return Evidence(kind, logged.session, logged.seq, words, card.tool, failing)


def outcome(
    log: Sequence[Logged], domain: Domain, scenario: Scenario | None, *, differing: bool
) -> Evidence | None:
    """How a session was scored last, right or wrong; None where it was not, or by its parent.

    Where it was wrong and ``differing``, with the change that the right end needs.
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
    """A change that the right end needs: with the policy checks that speak against it, if any."""
    if scenario is None or not scenario.ends:
        return
    draft = domain.records().draft()
    needed = ""
    for call in scenario.ends[0]:
        tool = domain.tools.get(call.name)
        if tool is None or tool.notes is None:
            continue
        needed = needed or call.name
        policy = (check for check in tool.notes.checks if check.source == "policy")
        failing = tuple(c.name for c in policy if not c.find(draft, call.arguments).holds)
        if failing:
            yield Evidence("outcome", logged.session, logged.seq, "", call.name, failing)
            return
        domain.tools.run(call, draft)
    if needed:
        yield Evidence("outcome", logged.session, logged.seq, "", needed)
