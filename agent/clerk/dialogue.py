"""A conversation, whatever its trade: requests, what was asked last, what came of proposals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from agent.clerk.remembering import Asked, Remembered
from agent.clerk.steps import Answer, Ask, Call
from agent.clerk.wants import Want

W = TypeVar("W", bound=Want)
M = TypeVar("M", bound=Remembered)


@dataclass
class Dialogue(ABC, Generic[W, M]):
    """All that a clerk makes of the messages; rebuilt from them for every answer."""

    memory: M
    requests: list[W] = field(default_factory=list)
    ask: Ask | None = None
    about: W | None = None
    """The request that the last question or the last declined proposal was about."""

    declined: bool = False
    proposals: dict[str, tuple[Asked, W | None, tuple[Any, ...]]] = field(default_factory=dict)
    astray: set[str] = field(default_factory=set)
    """Ids of proposals that were not what the clerk would do by itself: an agent's mistakes."""

    sent_back: set[str] = field(default_factory=set)
    """Names of tools of which a call was declined, or refused that should not have been made."""

    spoke_out_of_turn: bool = False
    """Whether the assistant once used words where a call was due, or asked something else."""

    repeats: int = 0
    """How often the question that is open was asked before, in a row."""

    fresh: bool = False
    """Whether the last message asked for something new."""

    batch: int = 0
    """The place of the first of the requests that were made together with the last one."""

    heard: int = 0
    """How many messages the customer has typed."""

    misses: int = 0
    """How many messages in a row were not understood."""

    noted: bool = False
    """Whether the last message told something of the request at hand."""

    cut: bool = False
    """Whether the last message was longer than the clerk reads."""

    unread: list[str] = field(default_factory=list)
    """The words of the last message that were not understood, beside others that were."""

    opening: str = ""
    """What was written before the account was found, where nothing of it was understood."""

    upset: bool = False
    """Whether the last message was a complaint that asks for nothing."""

    unclear: bool = False
    farewell: bool = False
    handed_over: bool = False
    asked_human: bool = False
    introducing: bool = False
    """Whether the last message came before the account was found."""

    introduced: bool = False
    """Whether the last message told who speaks."""

    puzzled: bool = False
    """Whether anything the customer said was not understood."""

    spoken: list[str] = field(default_factory=list)
    """What the assistant has said, in order."""

    focus: str | None = None
    """The order or reservation that was spoken of last."""

    unwanted: set[str] = field(default_factory=set)
    """Calls that were declined and not asked for again."""

    changes: list[Asked] = field(default_factory=list)
    """Writes that were carried out."""

    @property
    def open(self) -> list[W]:
        """Requests that are not settled."""
        return [each for each in self.requests if not each.closed]

    @abstractmethod
    def changes_records(self, request: W) -> bool:
        """Whether a request is for a change or a hand-over, not for an answer."""

    @abstractmethod
    def tools_of(self, request: W) -> tuple[str, ...]:
        """The writes that can carry a request out."""

    @abstractmethod
    def subject_of(self, asked: Asked) -> str:
        """The id of the order or reservation that a call is about, or nothing."""

    @abstractmethod
    def done(self, request: W, asked: Asked, things: tuple[Any, ...]) -> None:
        """Note on a request that a write for it was carried out."""

    def stands_in(self, request: W, other: W) -> bool:
        """Whether a request is what the other one leaves to be done in its place."""
        return any(each is request for each in other.otherwise)

    @abstractmethod
    def instead_of(self, request: W) -> list[W]:
        """What a request that was refused leaves to be done in its place."""

    def has_told(self, words: str) -> bool:
        """Whether the assistant has said these words."""
        return any(words in text for text in self.spoken)

    def propose(self, asked: Asked, step: Call | Answer) -> None:
        """Note that the assistant called a tool, and which request that call settles."""
        request: W | None = None
        things: tuple[Any, ...] = ()
        if isinstance(step, Call) and step.name == asked.name:
            request, things = cast("W | None", step.request), step.things
        if request is None:
            request = next((r for r in self.open if asked.name in self.tools_of(r)), None)
        self.proposals[asked.id] = (asked, request, things)
        if not isinstance(step, Call) or step.key != asked.key:
            self.astray.add(asked.id)
        for other in self.open:
            if request is not None and request is not other and self.stands_in(request, other):
                self._close(other, "refused")
        self.focus = self.subject_of(asked) or self.focus

    def decline(self, call_id: str) -> None:
        """The customer did not approve: the proposal waits for what should be different."""
        request = self._meant(call_id)
        if call_id in self.proposals:
            asked = self.proposals[call_id][0]
            self.unwanted.add(asked.key)
            self.sent_back.add(asked.name)
        self.about, self.declined, self.ask = request, True, None
        if request is not None:
            request.wait = "revise"

    def _meant(self, call_id: str) -> W | None:
        found = self.proposals.get(call_id)
        return found[1] if found else None

    def carry_out(self, call_id: str) -> None:
        """A write was carried out: what it was for is done."""
        found = self.proposals.get(call_id)
        if found is None:
            return
        asked, request, things = found
        self.changes.append(asked)
        subject = self.subject_of(asked)
        self.unwanted = {each for each in self.unwanted if not subject or subject not in each}
        if request is not None:
            self.done(request, asked, things)

    def failed(self, call_id: str, text: str) -> None:
        """The tool itself refused a write: its request is told so, and not tried again as it is.

        What a call that was a mistake came to says nothing of the request.
        """
        if call_id in self.astray:
            self.sent_back.add(self.proposals[call_id][0].name)
            return
        request = self._meant(call_id)
        if request is not None:
            request.wait = text

    def said(self, step: Call | Answer, text: str) -> None:
        """The assistant spoke: what its words settle is settled, what they ask is being asked."""
        self.declined = False
        self.unread = self.unread if self.memory.user is None else []
        self.spoken.append(text)
        other_words = isinstance(step, Answer) and step.ask is not None and step.text != text
        self.spoke_out_of_turn |= self.heard > 0 and (isinstance(step, Call) or other_words)
        if isinstance(step, Call):
            self.ask = self.about = None
            for request in self.open:
                if not self.changes_records(request):
                    request.closed, request.outcome = True, "answered"
            return
        for told, outcome in step.told:
            self._close(cast(W, told), outcome)
        before = self.ask.text if self.ask else ""
        again = step.ask is not None and step.ask.text == before and not self.fresh
        self.repeats = self.repeats + 1 if again else 0
        self.puzzled |= self.repeats > 0
        self.ask = step.ask
        self.about = cast("W | None", step.ask.request) if step.ask else None
        self.focus = step.focus or self.focus

    def _close(self, request: W, outcome: str) -> None:
        request.closed, request.outcome = True, outcome
        if outcome != "refused" or not request.otherwise:
            return
        place = next(
            (n for n, each in enumerate(self.requests) if each is request), len(self.requests)
        )
        self.requests[place + 1 : place + 1] = self.instead_of(request)
        request.otherwise = []
