"""Gather what an export contains: the requested sessions, and counts of what had to be left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from domains.core.domain import Domain, DomainError
from domains.core.retrieval import retrieves_nothing, with_retrieval
from sessions.events import Logged, SessionStarted
from sessions.exporting.confirmations import Row, cached
from sessions.exporting.redacting import Redact, Redaction
from sessions.json_strings import map_strings
from sessions.store.errors import ExportError
from sessions.store.store import Store

Find = Callable[[Sequence[Logged]], Domain]
"""Finds the domain of a session, on the same records; raises DomainError."""

Make = Callable[[Sequence[Logged], Domain, Counter[str]], Iterable[Row]]
"""Makes the rows of one session; counts what is left out of them in the counter."""

_JUDGES = (
    "SELECT DISTINCT payload ->> '$.by' FROM events WHERE type IN ('labelled', 'reviewed') "
    "AND session_id IN (SELECT value FROM json_each(?)) AND json_valid(payload)"
)

ELSEWHERE = "sessions whose original records, policy or tools are not available; see --data"


@dataclass(frozen=True, slots=True)
class Gathered:
    """The sessions to export, read one at a time."""

    store: Store
    sessions: Sequence[str]
    """Their ids, oldest first."""

    find: Find
    left_out: Counter[str] = field(default_factory=Counter)
    """Counts of what was left out, by description; they grow as rows are made."""

    def logs(self) -> Iterator[list[Logged]]:
        """The log of each session; raises StoreError."""
        return map(self.store.read, self.sessions)

    def judges(self) -> frozenset[str]:
        """The names of all who labelled or reviewed any of the sessions; raises StoreError."""
        with self.store.reading() as database:
            found = database.execute(_JUDGES, [json.dumps(self.sessions)]).fetchall()
        return frozenset(str(by) for (by,) in found if by is not None)

    def logs_with_domains(self) -> Iterator[tuple[list[Logged], Domain]]:
        """Yield each log with its domain; sessions whose domain cannot be found are left out."""
        for log in self.logs():
            domain = self.domain_of(log)
            if domain is None:
                self.left_out[ELSEWHERE] += 1
            else:
                yield log, domain

    def rows(self, make: Make, redaction: Redaction | None, secrets: Redact) -> Iterator[Row]:
        """Yield the rows that ``make`` builds from each session, with every text redacted.

        ``secrets`` removes what must never be exported. Raises StoreError, and ExportError if it is
        unknown which values are personal.
        """
        hidden_once = cached(secrets)
        for log, domain in self.logs_with_domains():
            personal = redaction.redactor_for(log, domain) if redaction else None
            told = redaction.without_judge_names(log) if redaction else log
            for row in make(told, domain, self.left_out):
                hidden = map_strings(row, hidden_once)
                yield map_strings(hidden, personal) if personal else hidden

    def refuse_missing_domains(self) -> None:
        """Raise ExportError if the original domain of any session cannot be found."""
        for log in self.logs():
            if self.domain_of(log) is None:
                raise ExportError(
                    f"What is personal in session {log[0].session} is unknown, because its "
                    "original records are not available. Give their folder with --data, or leave "
                    "the session out. Nothing was written."
                )

    def domain_of(self, log: Sequence[Logged]) -> Domain | None:
        """The domain as it was when the session was played; None if it is not available here."""
        started = log[0].event
        assert isinstance(started, SessionStarted)
        try:
            domain = self.find(log)
        except DomainError:
            return None
        if started.memory is not None and started.memory.by == "tool":
            domain = with_retrieval(domain, retrieves_nothing)
        then = (started.records_digest, started.policy_digest, started.tools_digest)
        now = (domain.records().digest, domain.policy_digest, domain.tools_digest)
        return domain if then == now else None
