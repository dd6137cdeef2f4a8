"""One session's log, in memory and on the disk, as the engine and its screen share it.

An event is on the disk first, then in memory, then with every subscriber. So nobody acts on,
or sees, what could be lost (law 1). An answer of the model that asks for calls waits for the next
event (`Log.hold`), a millisecond later as a rule: one transaction where there were two.
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
"""Called on the event loop with each event, in order, once it is durable."""

T = TypeVar("T")

AT_ONCE = 0.001
"""Seconds that the event loop stands still for a write: most are done by then, and to be woken for
one costs more than it does. Nobody sees a screen that is a millisecond late."""


class Log:
    """An open session; make one with :meth:`start` or :meth:`open`."""

    def __init__(self, store: Store, events: list[Logged]) -> None:
        """``events`` is the log so far, as the store holds it; never empty."""
        self.store = store
        self.session = events[0].session
        self._events = events
        self._held: list[AnyEvent] = []
        self._status: tuple[SessionStatus, int] | None = None
        self._subscribers: list[Subscriber] = []
        self._lock = asyncio.Lock()

    @classmethod
    async def start(cls, store: Store, started: SessionStarted) -> Self:
        """Begin a session; raises StoreError."""
        starting = store.start_soon(started)
        cancelled = await _wait_out(starting)
        if cancelled:
            raise cancelled
        return cls(store, starting.result())

    @classmethod
    async def open(cls, store: Store, session_id: str) -> Self:
        """Take up a recorded session; raises StoreError."""
        return cls(store, await asyncio.to_thread(store.read, session_id))

    @classmethod
    async def fork(
        cls, store: Store, session_id: str, at: int | None, changes: Sequence[AnyEvent] = ()
    ) -> Self:
        """Begin a session with another's first events; raises CannotFork and StoreError."""
        forking = store.fork_soon(session_id, at, changes)
        cancelled = await _wait_out(forking)
        if cancelled:
            raise cancelled
        return cls(store, forking.result())

    @property
    def events(self) -> list[Logged]:
        """Everything recorded so far, in order, to read only; it grows as the session does."""
        return self._events

    def hold(self, event: AnyEvent) -> None:
        """Have an event recorded together with what is appended next, in one transaction.

        For what only the engine acts on, and only by working out what comes next
        (:attr:`turn_with_held`): until it is recorded nobody else hears of it, and a program that
        is killed never had it. Whoever holds an event sees to it that something is appended.
        """
        self._held.append(event)

    @property
    def with_held(self) -> Sequence[Logged]:
        """Everything recorded, and what is held as if it were: without a time and a hash."""
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
        """Where the session stands after what is recorded; each event is taken in once."""
        now, taken = self._status or (status(self._events[:1]), 1)
        self._status = reduce(advance, self._events[taken:], now), len(self._events)
        return self._status[0]

    @property
    def turn(self) -> Turn:
        """The customer's last turn, as far as it is recorded."""
        return self.status.current

    @property
    def turn_with_held(self) -> Turn:
        """The customer's last turn, what is held taken for recorded."""
        return reduce(Turn.after, self._held, self.turn)

    async def append(self, *events: AnyEvent) -> list[Logged]:
        """Record what is held and these events, all or none, then pass them on.

        Raises StoreError with nothing recorded or shown. A cancellation that comes while the
        events are being written is raised after they are recorded and passed on, so that memory
        and disk never differ.
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
        """Go on after what others said of the session meanwhile, on which nothing here depends.

        False where another program has gone on with the session itself.
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
        """Call the subscriber with every event from here on; the result ends that."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def _pass_on(self, logged: Sequence[Logged]) -> None:
        """A subscriber that fails must not keep the others, or the engine, from what happened."""
        for entry in logged:
            for subscriber in tuple(self._subscribers):
                try:
                    subscriber(entry)
                except Exception as error:  # anyone's view; the loop's handler reports it
                    asyncio.get_running_loop().call_exception_handler(
                        {"message": f"A subscriber failed on event {entry.seq}", "exception": error}
                    )


async def _wait_out(writing: Future[T]) -> asyncio.CancelledError | None:
    """Wait for work that cannot be called back, however often this task is cancelled meanwhile.

    Returns the last cancellation, to be raised once the outcome has been taken in. Leaner than
    wrapping the future: this is on the way of every event.
    """
    with contextlib.suppress(TimeoutError):
        writing.exception(timeout=AT_ONCE)  # what it failed with is its result's to raise
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
