"""Ask the person what the agent may remember, when a conversation is over or left."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from console.faults import sentence_about
from console.setup import default_db

if TYPE_CHECKING:
    from agent.memory.change import Change
    from agent.memory.lessons import Lesson, LessonReview
    from agent.models.protocol import ChatModel
    from agent.session.conversation import Conversation

LONGEST_NAME = 40
"""Longest model name in a dialog, in characters."""

READING = 20.0
"""Seconds for which a longer sentence stays on the screen."""

YOU_ARE_ASKED = "The agent wants to remember something that you said; you are asked next."


class Remembering:
    """Asks what to remember of the conversations of this run, once for each.

    The person can ask for it again.
    """

    def __init__(self, app: App[Any], db: Path) -> None:
        """`db` is the session file that the printed commands have to name."""
        self._app = app
        self._db = db
        self._told: set[str] = set()
        """The sentences already shown on words that taught nothing."""

        self._left: set[str] = set()
        """Sessions whose lessons the person put off; they may still ask for them."""

        self._offered: set[str] = set()
        """Sessions that a model was offered to read; no offer is repeated unless requested."""

    async def ask(self, held: Conversation, *, again: bool = False) -> None:
        """Show the person the next lesson, if there is one.

        Nothing is asked without a memory. A session whose lessons were put off is passed over
        unless `again` is set.
        """
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
        """Offer that the session's model reads it, after rules learned nothing from the words."""
        model = _model_of(held)
        if model is None:
            return
        from console.screens.dialogs import PickDialog
        from domains.text.one_line import line

        name = line(model.name, LONGEST_NAME)
        options = [("", "Leave it"), ("ask", f"Have {name} read the session")]
        if await self._app.push_screen_wait(PickDialog("The rules learned nothing", options)):
            await self._put(held, None)

    async def _put(self, held: Conversation, lesson: Lesson | None) -> None:
        from console.screens.remember import ProposalsScreen

        screen = ProposalsScreen(_desk(held), held.log.events, lesson)
        if not await self._app.push_screen_wait(screen):
            self._left.add(held.log.session)

    async def remark(self, held: Conversation) -> str:
        """The remark on learning for the outcome screen.

        Without a memory it says how to begin to learn from this session, if it has any reasons.
        """
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
        """What is printed on leaving if something could be learned or taught nothing."""
        lesson, nothing = await self._next(held)
        if lesson is None:
            return "" if nothing in self._told else nothing
        learn = self._command("memory", "learn", held.log.session)
        return f"To see what the agent wants to remember: {learn}"

    async def _next(self, held: Conversation) -> tuple[Lesson | None, str]:
        """The lesson to decide first, or else a sentence on why the words taught nothing.

        If the memory cannot be read, the person is told so.
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
        """Why the words taught nothing, and what the person can do about it."""
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


def _desk(held: Conversation) -> LessonReview:
    from agent.memory.lessons import LessonReview
    from agent.memory.model_policy_agent import ModelPolicyAgent

    assert held.memory is not None
    model = _model_of(held)
    agent = None if model is None else ModelPolicyAgent(model, held.log.append)
    store, bank = held.log.store, held.memory.name
    return LessonReview(store, bank, held.domain, held.scenario, model=agent)


def _model_of(held: Conversation) -> ChatModel | None:
    """The model that could read the session: the second, or else the agent's, if not the clerk."""
    from agent.models.choosing import is_clerk

    found = (each for each in (held.auxiliary, held.model) if each and not is_clerk(each.name))
    return next(found, None)


def _has_reasons(held: Conversation) -> bool:
    """Whether a person gave a reason for a decision or labelled the session."""
    from agent.memory.evidence import evidence

    found = evidence(held.log.events, held.domain, held.scenario)
    return any(each.kind != "outcome" for each in found)
