"""Score recorded sessions again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from domains.core.domain import DomainError
from domains.core.records import RecordsMismatch
from sessions.events import OtherModelAsked, Scored
from sessions.log import Log
from sessions.scoring import Judge, judge_assertions, keep_verdicts, score, sources
from sessions.scoring.explaining import explain_reward_difference
from sessions.scoring.imported import imported_run, scenario_of, with_imported_reward, with_verdicts
from sessions.store.errors import StoreError
from sessions.store.store import Store
from sessions.views import SessionStatus, status


class NotScored(Exception):
    """A session cannot be scored; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of scoring one session."""

    session: str
    scored: Scored | None = None
    appended: bool = False
    """Whether a new score was appended to the log because the last one differed."""

    why_not: str = ""
    """Why it was not scored, as a sentence."""

    recorded_reward: float | None = None
    """The reward that an imported run got from its own program."""

    otherwise: tuple[str, ...] = ()
    """Sentences on why the reward differs from the recorded one."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores recorded sessions; a score that a log already has is not appended again."""

    store: Store
    data: Path | None = None
    tasks: Path | None = None
    """The current folders of records and tasks, for sessions whose original ones are gone."""

    judge: Judge | None = None
    explain: Callable[[Exception], str] = str
    """Puts an error that keeps one session of several from being scored into a sentence."""

    async def all(self) -> list[Result]:
        """Score every ended session that has a scenario, oldest first.

        An error affects only the session it occurs in.
        """
        ended = [row.id for row in self.store.sessions() if row.scenario and row.status == "ended"]
        found = []
        for session in reversed(ended):
            try:
                found.append(await self.one(session))
            except (NotScored, DomainError, RecordsMismatch, StoreError) as error:
                found.append(Result(session, why_not=self.explain(error)))
        return found

    async def one(self, session: str) -> Result:
        """Score one session. Raises NotScored, DomainError, RecordsMismatch or StoreError."""
        log = await Log.open(self.store, session)
        held = status(log.events)
        if held.scenario is None:
            raise NotScored(
                f"Session {session} was free play, so there is no scenario to score it against."
            )
        if held.ended is None:
            raise NotScored(f"Session {session} has not ended; resume and end it, then score it.")
        scored = await self._score(held, held.scenario, log)
        new = scored != held.scored
        if new:
            await log.append(scored)
        run = imported_run(log.events)
        recorded = run.recorded_reward if run else None
        return Result(
            session, scored, appended=new, recorded_reward=recorded,
            otherwise=tuple(explain_reward_difference(run, scored, log.events)),
        )  # fmt: skip

    async def _score(self, held: SessionStatus, scenario_id: str, log: Log) -> Scored:
        """Compute the score, with verdicts from the log, the imported run or the judge."""

        async def record(asked: OtherModelAsked) -> None:
            await log.append(asked)

        events = log.events
        domain = sources.load_domain_of_session(held, self.data, self.tasks)
        scenario, run = scenario_of(domain, scenario_id, events), imported_run(events)
        assertions = with_verdicts(keep_verdicts(scenario, held.scored), run)
        if self.judge is not None:
            assertions = await judge_assertions(self.judge, events, assertions, record)
        return with_imported_reward(score(domain, scenario, events, assertions=assertions), run)
