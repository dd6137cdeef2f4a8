"""The changes of recorded sessions with their cards, and whether each change was right.

Both need the records that a session was held on; the cards need nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from agent.gate.recorded_cards import make_cards
from console.faults import user_message
from domains.core.domain import Domain, DomainError, Scenario
from domains.core.records import RecordsMismatch
from sessions.events import Logged, Reviewed
from sessions.review.desk import CardsNotMade
from sessions.scoring import sources
from sessions.scoring.card_calls import UNDECIDED, CallVerdict, call_verdicts
from sessions.scoring.imported import scenario_of
from sessions.statistics.evidence import JudgedCard, SessionEvidence
from sessions.statistics.facts import session_facts
from sessions.store.errors import StoreError
from sessions.store.store import Store
from sessions.views import SessionStatus, status
from sessions.views.writes import WriteCard, own_writes

MakeCards = Callable[[Sequence[Logged]], Sequence[WriteCard]]
"""Returns every change of a session with its card; raises DomainError."""


def card_maker(data: Path | None, tasks: Path | None) -> MakeCards:
    """Return a function that makes cards on the original records, or on those in ``data``."""

    def make(events: Sequence[Logged]) -> Sequence[WriteCard]:
        try:
            return cards_of(domain_held_on(events, data, tasks), events)
        except Exception as error:
            if sentence := user_message(error):
                raise CardsNotMade(sentence) from error
            raise

    return make


def domain_held_on(events: Sequence[Logged], data: Path | None, tasks: Path | None) -> Domain:
    """The domain of a session on exactly the records that it was held on; raises DomainError."""
    held = status(events)
    domain = sources.load_domain_of_session(held, data, tasks)
    if domain.records().digest != held.records_digest:
        raise _records_missing_error(events)
    return domain


def cards_of(domain: Domain, events: Sequence[Logged]) -> list[WriteCard]:
    """Every change of a session with its card; raises DomainError if the records differ."""
    try:
        return make_cards(domain, events)
    except RecordsMismatch as error:
        raise _records_missing_error(events) from error


def gather_evidence(
    store: Store,
    sessions: Iterable[str],
    *,
    data: Path | None = None,
    tasks: Path | None = None,
    left_out: Callable[[str], object] = lambda sentence: None,
) -> Iterator[SessionEvidence]:
    """Yield what each session's changes show; sessions without changes are skipped.

    ``left_out`` is called with a sentence for each session that cannot be read, or whose records
    are not here.
    """
    for session in sessions:
        try:
            events = store.read(session)
            if own_writes(events):
                yield _evidence(events, domain_held_on(events, data, tasks))
        except (StoreError, DomainError) as error:
            left_out(str(error))


def _evidence(events: Sequence[Logged], domain: Domain) -> SessionEvidence:
    verdicts, cards = _verdicts(events, domain), cards_of(domain, events)
    reviews: dict[str, list[Reviewed]] = {}
    for logged in events:
        if isinstance(logged.event, Reviewed):
            reviews.setdefault(logged.event.card_id, []).append(logged.event)
    judged = (
        JudgedCard(
            card=each.card,
            seq=each.write.seq,
            origin=each.write.origin,
            verdict=verdicts.get(each.card.id, UNDECIDED),
            reviews=tuple(reviews.get(each.card.id, ())),
        )
        for each in cards
    )
    return SessionEvidence(session_facts(events), tuple(judged))


def _verdicts(events: Sequence[Logged], domain: Domain) -> dict[str, CallVerdict]:
    """The verdicts by card; empty without a scenario, or if it has changed since the session."""
    scenario = _scenario(status(events), domain, events)
    return {} if scenario is None else call_verdicts(domain, scenario, events)


def _scenario(held: SessionStatus, domain: Domain, events: Sequence[Logged]) -> Scenario | None:
    try:
        found = scenario_of(domain, held.scenario, events)
    except DomainError:
        return None
    changed = found is not None and held.scenario_digest not in (None, found.digest)
    return None if changed else found


def _records_missing_error(events: Sequence[Logged]) -> DomainError:
    return DomainError(
        f"The records that session {events[0].session} was held on are not here, so its cards "
        "cannot be made; give their folder with --data."
    )
