"""One session's log, in memory and on disk, shared by the engine and its screen.

An event is written to disk first, then added to memory, then passed to every subscriber, so nothing
acts on or shows an event that could still be lost (law 1). A model's answer that asks for calls
waits for the next event (`Log.hold`), usually a millisecond later, so that both are written in one
transaction instead of two.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial, reduce
from typing import Self, TypeVar

from sessions.events import AnyEvent, Labelled, Logged, Reviewed, SessionStarted
from sessions.store.errors import SessionBusy
from sessions.store.store import Store
from sessions.views.session_status import SessionStatus, advance, status
from sessions.views.turn import Turn

Subscriber = Callable[[Logged], None]
"""A callback that receives each event on the event loop, in order, once the event is durable."""

T = TypeVar("T")

AT_ONCE = 0.001
"""Seconds for which the event loop blocks on a write.

Most writes finish within that time, and waking the loop for one costs more than the wait does. A
screen that is a millisecond late goes unnoticed.
"""


class Log:
    """An open session, created with :meth:`start`, :meth:`open`, or :meth:`fork`."""

    def __init__(self, store: Store, events: list[Logged]) -> None:
        """Wrap ``events``, the log so far as the store holds it; it must not be empty."""
        self.store = store
        self.session = events[0].session
        self._events = events
        self._held: list[AnyEvent] = []
        self._status: tuple[SessionStatus, int] | None = None
        self._subscribers: list[Subscriber] = []
        self._lock = asyncio.Lock()

    @classmethod
    async def start(cls, store: Store, started: SessionStarted) -> Self:
        """Begin a new session; raises StoreError."""
        starting = store.start_soon(started)
        cancelled = await _wait_out(starting)
        if cancelled:
            raise cancelled
        return cls(store, starting.result())

    @classmethod
    async def open(cls, store: Store, session_id: str) -> Self:
        """Open a recorded session; raises StoreError."""
        return cls(store, await asyncio.to_thread(store.read, session_id))

    @classmethod
    async def fork(
        cls, store: Store, session_id: str, at: int | None, changes: Sequence[AnyEvent] = ()
    ) -> Self:
        """Begin a session with the first events of another; raises CannotFork and StoreError."""
        forking = store.fork_soon(session_id, at, changes)
        cancelled = await _wait_out(forking)
        if cancelled:
            raise cancelled
        return cls(store, forking.result())

    @property
    def events(self) -> list[Logged]:
        """Everything recorded so far, in order; read-only, and it grows with the session."""
        return self._events

    def hold(self, event: AnyEvent) -> None:
        """Hold an event back so that it is recorded in one transaction with the next ones appended.

        This is for events that only the engine acts on, and only to work out what comes next
        (:attr:`turn_with_held`). Subscribers do not hear of a held event until it is recorded, and
        it is lost if the program is killed before that. The caller must make sure that something is
        appended afterwards.
        """
        self._held.append(event)

    @property
    def with_held(self) -> Sequence[Logged]:
        """Everything recorded, followed by the held events without a time or hash."""
        if not self._held:
            return self._events
        after = self._events[-1].seq + 1
        held = (
            Logged.model_construct(session=self.session, seq=seq, at="", event=event, hash="")
            for seq, event in enumerate(self._held, after)
        )
        return [*self._events, *held]

    @property
    def status(self) -> SessionStatus:
        """The session's status after everything recorded; each event is folded in only once."""
        now, taken = self._status or (status(self._events[:1]), 1)
        self._status = reduce(advance, self._events[taken:], now), len(self._events)
        return self._status[0]

    @property
    def turn(self) -> Turn:
        """The customer's latest turn, as far as it is recorded."""
        return self.status.current

    @property
    def turn_with_held(self) -> Turn:
        """The customer's latest turn, with held events treated as recorded."""
        return reduce(Turn.after, self._held, self.turn)

    async def append(self, *events: AnyEvent) -> list[Logged]:
        """Record the held events and these ones, all or none, then pass them to subscribers.

        Raises StoreError if they cannot be recorded; nothing is then recorded or shown. A
        cancellation that arrives during the write is raised after the events are recorded and
        passed on, so memory and disk never differ.
        """
        async with self._lock:
            held = len(self._held)
            whole = (*self._held, *events)
            if not whole:
                return []
            while True:
                writing = self.store.append_soon(self.session, whole, after=self._events[-1].seq)
                cancelled = await _wait_out(writing)
                try:
                    logged = writing.result()
                    break
                except SessionBusy as busy:
                    if cancelled or not await self._catch_up():
                        raise cancelled or busy from None
            del self._held[:held]
            self._take_in(logged)
        if cancelled:
            raise cancelled
        return logged

    async def _catch_up(self) -> bool:
        """Load the labels and reviews that others have added to this session in the meantime.

        Nothing here depends on them. Returns False if there are none, or if another program has
        continued the session itself.
        """
        whole = await asyncio.to_thread(self.store.read, self.session)
        newer = whole[len(self._events) :]
        judgements = all(isinstance(each.event, Labelled | Reviewed) for each in newer)
        if judgements:
            self._take_in(newer)
        return judgements and bool(newer)

    def _take_in(self, logged: Sequence[Logged]) -> None:
        self._events.extend(logged)
        self._pass_on(logged)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call the subscriber with every event from now on; the returned function ends that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def _pass_on(self, logged: Sequence[Logged]) -> None:
        """Pass the events to every subscriber; a failure in one must not stop the others."""
        for entry in logged:
            for subscriber in tuple(self._subscribers):
                try:
                    subscriber(entry)
                except Exception as error:  # any view; the loop's handler reports it
                    asyncio.get_running_loop().call_exception_handler(
                        {"message": f"A subscriber failed on event {entry.seq}", "exception": error}
                    )


async def _wait_out(writing: Future[T]) -> asyncio.CancelledError | None:
    """Wait for work that cannot be undone, even if this task is cancelled in the meantime.

    Returns the last cancellation, to be raised once the caller has processed the outcome. This is
    faster than wrapping the future, which matters because every event passes through here.
    """
    with contextlib.suppress(TimeoutError):
        writing.exception(timeout=AT_ONCE)  # if it failed, ``result()`` raises the error
    loop, cancelled = asyncio.get_running_loop(), None
    while not writing.done():
        woken: asyncio.Future[None] = loop.create_future()
        writing.add_done_callback(partial(_call_on, loop, woken))
        try:
            await woken
        except asyncio.CancelledError as error:
            cancelled = error
    return cancelled


def _call_on(
    loop: asyncio.AbstractEventLoop, woken: asyncio.Future[None], _: Future[object]
) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(_wake, woken)


def _wake(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)
