"""When a conversation is over or left: what its agent wants to remember is put to the person."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from console.faults import sentence_about
from console.setup import default_db

if TYPE_CHECKING:
    from agent.memory.change import Change
    from agent.memory.lessons import Lesson, LessonDesk
    from agent.models.protocol import ChatModel
    from agent.session.conversation import Conversation

LONGEST_NAME = 40
"""Characters of a model's name in a dialog."""

READING = 20.0
"""Seconds for which a sentence of some length stands."""

YOU_ARE_ASKED = "The agent wants to remember something that you said; it is put to you next."


class Remembering:
    """What the conversations of one run of the program have to teach; each is asked once."""

    def __init__(self, app: App[Any], db: Path) -> None:
        """`db` is the session file that commands are to name."""
        self._app = app
        self._db = db
        self._told: set[str] = set()
        """What was said of words that taught nothing, in this run of the program."""

        self._left: set[str] = set()
        """Sessions in which the person has put it off; they may still ask for it."""

        self._offered: set[str] = set()
        """Sessions that a model was offered to read; nothing is offered twice unasked."""

    async def ask(self, held: Conversation, *, again: bool = False) -> None:
        """Put to the person what there is; nothing is asked without a memory, or a second time."""
        session = held.log.session
        if again or session not in self._left:
            lesson, nothing = await self._next(held)
            if lesson is not None:
                await self._put(held, lesson)
            elif nothing:
                if again or nothing not in self._told:
                    self._told.add(nothing)
                    self._tell(nothing, seconds=READING)
                if again or session not in self._offered:
                    self._offered.add(session)
                    await self._offer_model(held)
            elif again:
                self._tell("There is nothing to learn from in this session so far.")

    async def _offer_model(self, held: Conversation) -> None:
        """Where rules learned nothing of somebody's words, the session's model may read them."""
        model = _model_of(held)
        if model is None:
            return
        from console.screens.dialogs import PickDialog
        from domains.text.one_line import line

        name = line(model.name, LONGEST_NAME)
        options = [("", "Leave it"), ("ask", f"Have {name} read the session")]
        if await self._app.push_screen_wait(PickDialog("By rules nothing was learned", options)):
            await self._put(held, None)

    async def _put(self, held: Conversation, lesson: Lesson | None) -> None:
        from console.screens.remember import RememberScreen

        screen = RememberScreen(_desk(held), held.log.events, lesson)
        if not await self._app.push_screen_wait(screen):
            self._left.add(held.log.session)

    async def remark(self, held: Conversation) -> str:
        """What the outcome says of it; without a memory, how one could begin to learn from this."""
        if held.memory is not None:
            lesson, nothing = await self._next(held)
            asked = held.log.session not in self._left and lesson is not None
            self._told.add(nothing)
            return YOU_ARE_ASKED if asked else nothing
        if not _has_reasons(held):
            return ""
        begin = self._command("memory", "begin", "--domain", held.domain.name)
        learn = self._command("memory", "learn", held.log.session)
        return f"An agent with a memory could learn from your reasons: {begin}, then {learn}."

    async def farewell(self, held: Conversation) -> str:
        """What is printed when the program is left and something could be learned."""
        lesson, nothing = await self._next(held)
        if lesson is None:
            return "" if nothing in self._told else nothing
        learn = self._command("memory", "learn", held.log.session)
        return f"To see what the agent wants to remember: {learn}"

    async def _next(self, held: Conversation) -> tuple[Lesson | None, str]:
        """What is to be decided first; else why somebody's words taught nothing, in a sentence.

        A memory that cannot be read is told of.
        """
        if held.memory is None:
            return None, ""
        from sessions.store.errors import StoreError

        desk = _desk(held)
        try:
            lesson = await desk.next(held.log.events)
        except StoreError as error:
            self._tell(sentence_about(error))
            return None, ""
        return lesson, self._why_nothing(held, desk.left[-1]) if desk.left else ""

    def _why_nothing(self, held: Conversation, left: Change) -> str:
        """Why a person's words came to nothing, and what they can do about it."""
        from agent.memory.entry import NOTHING_KNOWN
        from domains.text.one_line import quotation

        known = left.capability != NOTHING_KNOWN
        edit = self._command("memory", "edit", left.capability if known else "CAPABILITY")
        learn = self._command("memory", "learn", held.log.session, "--model", "NAME")
        return (
            f"Nothing was learned from {quotation(left.origin.words)}. {left.origin.why} To have "
            f"it remembered, write it yourself ({edit}) or have a model read it ({learn})."
        )

    def _tell(self, sentence: str, *, seconds: float | None = None) -> None:
        self._app.notify(sentence, markup=False, timeout=seconds)

    def _command(self, *words: str) -> str:
        elsewhere = () if self._db == default_db() else ("--db", str(self._db))
        return shlex.join(("saber", *words, *elsewhere))


def _desk(held: Conversation) -> LessonDesk:
    from agent.memory.lessons import LessonDesk
    from agent.memory.model_policy_agent import ModelPolicyAgent

    assert held.memory is not None
    model = _model_of(held)
    agent = None if model is None else ModelPolicyAgent(model, held.log.append)
    store, bank = held.log.store, held.memory.name
    return LessonDesk(store, bank, held.domain, held.scenario, model=agent)


def _model_of(held: Conversation) -> ChatModel | None:
    """Who could read the session: the second model, or else the agent's own; the clerk cannot."""
    from agent.models.choosing import is_clerk

    found = (each for each in (held.auxiliary, held.model) if each and not is_clerk(each.name))
    return next(found, None)


def _has_reasons(held: Conversation) -> bool:
    """Whether a person said why they decided so, or labelled it."""
    from agent.memory.evidence import evidence

    found = evidence(held.log.events, held.domain, held.scenario)
    return any(each.kind != "outcome" for each in found)
