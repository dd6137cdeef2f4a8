"""When a conversation is over or left: what its agent wants to remember is put to the person."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from console.faults import sentence_about
from console.setup import default_db

if TYPE_CHECKING:
    from agent.memory.lessons import Lesson, LessonDesk
    from agent.session.conversation import Conversation

YOU_ARE_ASKED = "The agent wants to remember something that you said; it is put to you next."


class Remembering:
    """What the conversations of one run of the program have to teach; each is asked once."""

    def __init__(self, app: App[Any], db: Path) -> None:
        """`db` is the session file that commands are to name."""
        self._app = app
        self._db = db
        self._left: set[str] = set()
        """Sessions in which the person has put it off; they may still ask for it."""

    async def ask(self, held: Conversation, *, again: bool = False) -> None:
        """Put to the person what there is; nothing is asked without a memory, or a second time."""
        session = held.log.session
        if again or session not in self._left:
            lesson = await self._next(held)
            if lesson is not None:
                await self._put(held, lesson)
            elif again:
                self._tell("There is nothing to learn from in this session so far.")

    async def _put(self, held: Conversation, lesson: Lesson) -> None:
        from console.screens.remember import RememberScreen

        screen = RememberScreen(_desk(held), held.log.events, lesson)
        if not await self._app.push_screen_wait(screen):
            self._left.add(held.log.session)

    async def remark(self, held: Conversation) -> str:
        """What the outcome says of it; without a memory, how one could begin to learn from this."""
        if held.memory is not None:
            asked = held.log.session not in self._left and await self._next(held) is not None
            return YOU_ARE_ASKED if asked else ""
        if not _has_reasons(held):
            return ""
        begin = self._command("memory", "begin", "--domain", held.domain.name)
        learn = self._command("memory", "learn", held.log.session)
        return f"An agent with a memory could learn from your reasons: {begin}, then {learn}."

    async def farewell(self, held: Conversation) -> str:
        """What is printed when the program is left and something could be learned."""
        if held.memory is None or await self._next(held) is None:
            return ""
        learn = self._command("memory", "learn", held.log.session)
        return f"To see what the agent wants to remember: {learn}"

    async def _next(self, held: Conversation) -> Lesson | None:
        """What is to be decided first; a memory that cannot be read is told of."""
        if held.memory is None:
            return None
        from sessions.store.errors import StoreError

        try:
            return await _desk(held).next(held.log.events)
        except StoreError as error:
            self._tell(sentence_about(error))
            return None

    def _tell(self, sentence: str) -> None:
        self._app.notify(sentence, markup=False)

    def _command(self, *words: str) -> str:
        elsewhere = () if self._db == default_db() else ("--db", str(self._db))
        return shlex.join(("saber", *words, *elsewhere))


def _desk(held: Conversation) -> LessonDesk:
    from agent.memory.lessons import LessonDesk

    assert held.memory is not None
    return LessonDesk(held.log.store, held.memory.name, held.domain, held.scenario)


def _has_reasons(held: Conversation) -> bool:
    """Whether a person said why they decided so, or labelled it."""
    from agent.memory.evidence import evidence

    found = evidence(held.log.events, held.domain, held.scenario)
    return any(each.kind != "outcome" for each in found)
