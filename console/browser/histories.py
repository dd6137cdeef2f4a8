"""Open recorded sessions in the app: replay, fork, compare and review them, or show their forks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand

from console.browser.session_request import SessionAction, SessionRequest
from console.setup import Fork, Setup

if TYPE_CHECKING:
    from agent.session.replay import Replay
    from console.screens.conversation import ConversationScreen
    from console.screens.replay import ReplayScreen
    from console.screens.review import ReviewScreen
    from sessions.events import Safeguards
    from sessions.log import Log
    from sessions.review.desk import ReviewDesk
    from sessions.review.labelling import LabelDesk
    from sessions.views.comparing import Comparison

_SWITCHES = ("gate", "reflection", "context")


class Histories:
    """Does what screens ask for with a recorded session."""

    def __init__(
        self,
        app: App[str],
        setup: Setup,
        reopen: Callable[[Setup], Awaitable[None]],
        conversation: Callable[[], ConversationScreen | None],
    ) -> None:
        """`reopen` replaces what is open; `conversation` returns its screen, if one is open."""
        self._app = app
        self._setup = replace(setup, resume=None, fork=None, replay=None)
        self._reopen = reopen
        self._conversation = conversation
        self._labels: LabelDesk | None = None

    def commands(self, open_one: ConversationScreen | None) -> Iterator[SystemCommand]:
        """Yield the palette's commands: more while a conversation is open, none in a review.

        The list of sessions shows what a reviewer must not know.
        """
        if self._setup.review is not None:
            return
        session = "" if open_one is None else open_one.conversation.log.session
        if session:
            yield self._command(
                "Replay this session", "Step through it event by event", "replay", session
            )
            yield self._command(
                "What if…", "Say or decide something else, in a fork", "what if", session
            )
        yield self._command("Sessions…", "Search, replay, compare what was recorded", "browse", "")
        yield self._command("Forks…", "Every fork, under the session that it came from", "tree", "")

    def _command(
        self, title: str, meaning: str, what: SessionAction, session: str
    ) -> SystemCommand:
        return SystemCommand(
            title, meaning, lambda: self._app.post_message(SessionRequest(what, session))
        )

    async def follow(self, wanted: SessionRequest) -> None:
        """Do what is asked for; raises what `console.faults` has sentences for."""
        match wanted.what:
            case "replay":
                await self.replay(wanted.session, wanted.at)
            case "open":
                await self._reopen(replace(self._setup, resume=wanted.session))
            case "what if":
                await self.what_if(wanted.session)
            case "fork":
                await self.fork(wanted)
            case "tree":
                await self.tree(wanted.session)
            case "compare":
                await self.compare(wanted.session, wanted.other)
            case "browse":
                await self.browse()

    async def replay(self, session: str, at: int | None = None) -> None:
        """Show a session to step through, from its first event or another."""
        await self._app.push_screen(await self.replay_screen(session, at))

    async def replay_screen(self, session: str, at: int | None = None) -> ReplayScreen:
        """The screen on which to step through a session; raises as :func:`open_replay`."""
        from console.screens.replay import ReplayScreen

        setup = self._setup
        where = setup.db, session, setup.data, setup.tasks
        opened = await asyncio.to_thread(open_replay, *where)
        opened.go_to(at or 1)
        return ReplayScreen(opened, self._label_desk())

    def _label_desk(self) -> LabelDesk:
        """The label desk of all replays, which remembers who labelled last."""
        from sessions.review.labelling import LabelDesk

        if self._labels is None:
            self._labels = LabelDesk(self._setup.db, self._open_log)
        return self._labels

    def _open_log(self) -> Log | None:
        held = self._conversation()
        return None if held is None else held.conversation.log

    async def fork(self, wanted: SessionRequest) -> None:
        """Ask for the model and safeguards, then continue from that event in a new session."""
        from console.screens.dialogs import PickDialog

        held = await asyncio.to_thread(
            _model_and_safeguards, self._setup.db, wanted.session, wanted.at
        )
        options = fork_options(*held)
        typed = "or type another agent, e.g. clerk+wrong-item or openai/gpt-4o"
        title = f"Fork after event {wanted.at}" if wanted.at else "Fork"
        picked = await self._app.push_screen_wait(PickDialog(title, options, typed=typed))
        if picked is None:
            return
        fork = Fork(
            wanted.session, wanted.at, *read_fork_option(picked, held[1]), draft=wanted.draft
        )
        await self._reopen(replace(self._setup, fork=fork))

    async def what_if(self, session: str) -> None:
        """Let the customer choose what to say or decide differently, and fork just before it."""
        from console.screens.dialogs import PickDialog

        turns = await asyncio.to_thread(_turning_points, self._setup.db, session)
        options = [(str(place), text) for place, (_, text) in enumerate(turns)]
        empty = "You have not said or decided anything yet."
        picked = await self._app.push_screen_wait(
            PickDialog("What if I had not …", options, empty=empty)
        )
        if picked is not None:
            wanted, _ = turns[int(picked)]
            await self.fork(wanted)

    async def review_screen(self, desk: ReviewDesk) -> ReviewScreen:
        """The screen on which a second person decides recorded cards."""
        await asyncio.to_thread(_import_review)
        from console.screens.review import ReviewScreen

        return ReviewScreen(desk)

    async def tree(self, session: str) -> None:
        """Show the trees of forks, or the tree of one session if it is named."""
        from console.browser.family import family
        from console.screens.tree import TreeScreen

        lines = await asyncio.to_thread(family, self._setup.db, session or None)
        await self._app.push_screen(TreeScreen(lines, session))

    async def browse(self) -> None:
        """Show all recorded sessions, to search and to choose from."""
        await asyncio.to_thread(_import_browser)
        from console.browser.browsing import SessionFile
        from console.screens.browser import BrowserScreen

        if not isinstance(self._app.screen, BrowserScreen):
            held = self._conversation()
            open_one = held.conversation.log.session if held else ""
            await self._app.push_screen(BrowserScreen(SessionFile(self._setup.db), open_one))

    async def compare(self, left: str, right: str) -> None:
        """Show two sessions side by side."""
        from console.screens.compare import CompareScreen

        found = await asyncio.to_thread(open_comparison, self._setup.db, left, right)
        await self._app.push_screen(CompareScreen(found, (left, right)))


def open_replay(db: Path, session: str, data: Path | None, tasks: Path | None) -> Replay:
    """A session to step through, on the records that it was held on.

    Raises StoreError, DomainError, and RecordsMismatch if its records cannot be found.
    """
    from agent.memory.retrieval import recall_if_here
    from agent.session.replay import Replay
    from sessions.scoring import sources
    from sessions.scoring.imported import scenario_of
    from sessions.store.store import Store
    from sessions.views import status

    with Store.open(db, read_only=True) as store:
        log = store.read(session)
        held = status(log)
        memory = recall_if_here(store, session, held.memory)
    domain = sources.load_domain_of_session(held, data, tasks)
    return Replay(domain, log, scenario_of(domain, held.scenario, log), memory)


def _import_review() -> None:
    import console.screens.review  # noqa: F401


def _import_browser() -> None:
    import console.screens.browser  # noqa: F401


def open_comparison(db: Path, left: str, right: str) -> Comparison:
    """The comparison of two sessions of a file; raises StoreError."""
    from sessions.store.store import Store
    from sessions.views.comparing import compare_logs

    with Store.open(db, read_only=True) as store:
        return compare_logs(store.read(left), store.read(right))


def _turning_points(db: Path, session: str) -> list[tuple[SessionRequest, str]]:
    """Everything the customer said or decided, latest first, each with the fork just before it."""
    from sessions.store.store import Store
    from sessions.views import CardOutcome, CustomerWords, transcript

    with Store.open(db, read_only=True) as store:
        items = transcript(store.read(session))
    found = []
    for item in reversed(items):
        if isinstance(item, CustomerWords):
            draft = "" if item.about_card else item.text
            text = f"said: {' '.join(item.text.split())}"
        elif isinstance(item, CardOutcome):
            draft, text = "", item.text
        else:
            continue
        found.append((SessionRequest("fork", session, item.seq - 1, draft=draft), text))
    return found


def fork_options(model: str, guards: Safeguards) -> list[tuple[str, str]]:
    """The choices for a fork: unchanged, or with one safeguard switched."""
    return [
        ("same", f"unchanged: {model}"),
        *(
            (f"switch {name}", f"with {name} {'off' if getattr(guards, name) else 'on'}")
            for name in _SWITCHES
        ),
    ]


def read_fork_option(picked: str, guards: Safeguards) -> tuple[str | None, Mapping[str, bool]]:
    """The model (None if unchanged) and the switches that an option or a typed name stands for."""
    if picked == "same":
        return None, {}
    kind, _, name = picked.partition(" ")
    if kind == "switch" and name in _SWITCHES:
        return None, {name: not getattr(guards, name)}
    return picked, {}


def _model_and_safeguards(db: Path, session: str, at: int | None) -> tuple[str, Safeguards]:
    """The model and safeguards of a session at an event; raises CannotFork."""
    from sessions.store.forking import fork_point
    from sessions.store.store import Store
    from sessions.views import status

    with Store.open(db, read_only=True) as store:
        log = store.read(session)
    now = status(log[: fork_point(log, at)])
    return now.model, now.safeguards
