"""How far a run is, and the workers that take it there."""

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
    """A session that an error cost which nobody foresaw; it is left open."""

    place: Place
    error: Exception


@dataclass
class Progress:
    """How far a run is; the same object throughout, told of again after every change."""

    sessions: int
    finished: int = 0
    """Those that had ended before included."""

    before: int = 0
    """How many had ended before the run was begun or taken up again."""

    resumed: int = 0
    succeeded: int = 0
    faults: int = 0
    """Sessions that a fault of the line ended."""

    under_way: int = 0
    left: list[str] = field(default_factory=list)
    """Why sessions were left unfinished, in sentences, each once."""

    lost: list[Lost] = field(default_factory=list)
    """Sessions that an error of the program's own cost; each error cost its own and no other."""

    def leave(self, sentence: str) -> None:
        """Say why a session was left."""
        if sentence not in self.left:
            self.left.append(sentence)

    def count_before(self, row: SessionRow) -> None:
        """Take a session in that had ended before."""
        self.before += 1
        self.finished += 1
        self.succeeded += _came_out_right(row.reward, row.ended)
        self.faults += row.ended == "fault"

    def count(self, held: SessionStatus) -> None:
        """Take a session in that has ended."""
        self.finished += 1
        self.faults += held.ended == "fault"
        self.succeeded += _came_out_right(held.scored.reward if held.scored else None, held.ended)


def _came_out_right(reward: float | None, ended: str | None) -> bool:
    """Our verdict, which a session that was stopped at a limit never has."""
    return reward == 1 and ENDINGS.get(ended or "") in COUNTED_ENDINGS


OnProgress = Callable[[Progress], None]


class Job(Protocol):
    """Something that a worker does."""

    @property
    def place(self) -> Place:
        """The session that it is at."""
        ...

    async def work(self) -> None:
        """Do it; raises Hopeless where no other job can be done either."""
        ...


async def work_off(
    jobs: Iterable[Job], progress: Progress, most: int, on_progress: OnProgress
) -> None:
    """So many workers at a time take the next job until there is none or no hope.

    Raises StoreError; another error costs the job it came up in.
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
            except Exception as error:  # told when the run is over; other sessions go on
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
