"""The progress of a run, and the workers that carry it out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from agent.headless.plan import Place
from agent.headless.playing import Hopeless
from sessions.scoring.trajectory import COUNTED_ENDINGS, ENDINGS
from sessions.store.errors import StoreError
from sessions.store.listing import SessionRow
from sessions.views import SessionStatus


@dataclass(frozen=True, slots=True)
class Lost:
    """A session that stopped with an unexpected error; it is left open."""

    place: Place
    error: Exception


@dataclass
class Progress:
    """How far a run is; one object, which is reported again after every change."""

    sessions: int
    finished: int = 0
    """Includes those that had ended before."""

    before: int = 0
    """How many had ended before the run was started or resumed."""

    resumed: int = 0
    succeeded: int = 0
    faults: int = 0
    """Sessions ended by a fault of the line."""

    under_way: int = 0
    left: list[str] = field(default_factory=list)
    """Why sessions were left unfinished, as sentences without duplicates."""

    lost: list[Lost] = field(default_factory=list)
    """Sessions stopped by an error of this program; each error affects only its own session."""

    def leave(self, sentence: str) -> None:
        """Note why a session was left unfinished."""
        if sentence not in self.left:
            self.left.append(sentence)

    def count_before(self, row: SessionRow) -> None:
        """Count a session that had ended before."""
        self.before += 1
        self.finished += 1
        self.succeeded += _came_out_right(row.reward, row.ended)
        self.faults += row.ended == "fault"

    def count(self, held: SessionStatus) -> None:
        """Count a session that has just ended."""
        self.finished += 1
        self.faults += held.ended == "fault"
        self.succeeded += _came_out_right(held.scored.reward if held.scored else None, held.ended)


def _came_out_right(reward: float | None, ended: str | None) -> bool:
    """Our own verdict; a session that was stopped by a limit never counts as right."""
    return reward == 1 and ENDINGS.get(ended or "") in COUNTED_ENDINGS


OnProgress = Callable[[Progress], None]


class Job(Protocol):
    """A piece of work for a worker."""

    @property
    def place(self) -> Place:
        """The session that it is working on."""
        ...

    async def work(self) -> None:
        """Do the work; raises Hopeless if no other job can be done either."""
        ...


async def run_jobs(
    jobs: Iterable[Job], progress: Progress, most: int, on_progress: OnProgress
) -> None:
    """Work through the jobs with up to ``most`` workers, until none is left or one is hopeless.

    Raises StoreError; any other error stops only the job in which it occurred.
    """
    queue = iter(jobs)
    hopeless = asyncio.Event()

    async def work() -> None:
        for job in queue:
            if hopeless.is_set():
                return
            progress.under_way += 1
            on_progress(progress)
            try:
                await job.work()
            except Hopeless as error:
                hopeless.set()
                progress.leave(str(error))
            except StoreError:
                raise
            except Exception as error:  # reported at the end of the run; other sessions go on
                progress.lost.append(Lost(job.place, error))
            finally:
                progress.under_way -= 1
                on_progress(progress)

    on_progress(progress)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(most):
                group.create_task(work())
    except* StoreError as failed:
        raise failed.exceptions[0] from None
