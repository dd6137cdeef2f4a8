"""A conversation, whatever its trade: tasks, what was asked last, what came of proposals.

A trade's own conversation is a subclass, which may know better what here returns nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from agent.clerk.state.identity import Identity
from agent.clerk.state.records import Asked, Remembered
from agent.clerk.state.steps import Answer, Ask, Call, Choice
from agent.clerk.state.task import Task
from agent.clerk.understanding.reading import Reader
from agent.clerk.understanding.tokens import tokens
from agent.clerk.understanding.wishes import Message, Wish


@dataclass
class Dialogue(ABC):
    """All that a clerk makes of the messages; rebuilt from them for every answer."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The writes that can carry a task out, by its intent."""

    subject: ClassVar[str] = ""
    """The argument that names the record which a call is about."""

    offers: ClassVar[Mapping[str, str]] = {}
    """What can be offered, by intent, in words that follow "would you like to"."""

    several: ClassVar[frozenset[str]] = frozenset({"items", "order", "reservation"})
    """The slots of which more than one choice may be picked; each choice's value is an id."""

    transfers_after_refusal: ClassVar[bool] = True
    """Whether who was refused something is handed over to a human on asking."""

    memory: Remembered
    requests: list[Task] = field(default_factory=list)
    ask: Ask | None = None
    about: Task | None = None
    """The task that the last question or the last declined proposal was about."""

    declined: bool = False
    proposals: dict[str, tuple[Asked, Task | None]] = field(default_factory=dict)
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
    """The place of the first of the tasks that were made together with the last one."""

    heard: int = 0
    noted: bool = False
    """Whether the last message told something of the task at hand."""

    unread: list[str] = field(default_factory=list)
    """The words of the last message that were not understood, beside others that were."""

    opening: str = ""
    """What was written before the account was found, where nothing of it was understood."""

    farewell: bool = False
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

    handed: list[str] = field(default_factory=list)
    """What was said of a task whose place the next one takes."""

    identity: Identity = field(default_factory=Identity)
    last: Message | None = None
    """The last message, as it was read."""

    typed: list[str] = field(default_factory=list)
    """What the customer has typed, the oldest first."""

    @property
    def open(self) -> list[Task]:
        """Tasks that are not settled."""
        return [each for each in self.requests if not each.closed]

    @property
    @abstractmethod
    def reader(self) -> Reader:
        """Reads what the customer types."""

    @abstractmethod
    def introduce(self, text: str, told: Message) -> None:
        """Take in who speaks; what concerns somebody else becomes a wish about another person."""

    def prepare(self, text: str) -> str:
        """What the customer typed, as it is read."""
        return text

    @abstractmethod
    def fills(self, about: Task, text: str) -> str:
        """The sentence that a text stands for as an answer to what was asked; or nothing."""

    def pick(self, about: Task, ask: Ask, choice: Choice) -> str:
        """Take up the choice that was picked; the sentence that it stands for."""
        about.chosen[ask.slot] = choice.value
        return choice.words

    @abstractmethod
    def names(self, text: str) -> bool:
        """Whether a text names any of the customer's things."""

    def refine(self, wishes: list[Wish], told: Message) -> list[Wish]:
        """The new wishes of a message, in the light of all of it."""
        return wishes

    def wishes_for_both(self, told: Message) -> list[Wish] | None:
        """The wishes of a message that says one thing of two; None for every other message."""
        return None

    def belongs(self, wish: Wish, about: Task, *, filled: bool) -> bool:
        """Whether a wish only tells more of the task at hand."""
        return False

    def denies(self, wish: Wish, about: Task) -> bool:
        """Whether what is denied is, or may be, a task."""
        same = wish.intent == about.intent or wish.intent not in self.reader.manner.acts
        another = self.reader.is_of_another(tokens(wish.text), str(about.intent))
        return same and not another and not self.names_another(about, wish)

    def names_another(self, about: Task, wish: Wish) -> bool:
        """Whether a wish names something, and nothing that a task is about."""
        return False

    def replaces(self, about: Task, wish: Wish) -> bool:
        """Whether a wish takes the place of the task at hand."""
        return False

    def may_pick(self, ask: Ask, text: str) -> bool:
        """Whether words like "the last one" point at a place among what was offered."""
        return True

    def lead_of(self, task: Task) -> str:
        """What is told before it is asked what a task's words may have meant."""
        return ""

    def tasks_before(self, last: Task) -> list[Task]:
        """What is to be done before a change that was only supposed and is wanted now."""
        return []

    def was_done(self, told: Message) -> bool:
        """Whether a message only names what was dealt with just now."""
        return False

    def unspoken(self, told: Message, about: Task | None = None) -> Wish | None:
        """The wish that details have which come without a verb."""
        return None

    def hand_on(self, about: Task, wish: Wish) -> None:
        """Hand on from a task to the wish that takes its place what that leaves out."""
        self.handed = []

    def details_of(self, intent: str) -> frozenset[str]:
        """The intents that only tell a detail of a task of this intent."""
        return frozenset()

    def reopen(self, told: Message) -> bool:
        """Whether a message takes up again what was settled; it is opened then."""
        return False

    def same(self, task: Task, intent: str, wish: Wish) -> bool:
        """Whether a wish with the intent of an open task is more of that task."""
        return True

    def point_back(self, task: Task) -> None:
        """Give a new task what it takes over."""
        task.context = task.context[-12:]

    def subject_of(self, asked: Asked) -> str:
        """The id of the record that a call is about, or nothing."""
        return str(asked.arguments.get(self.subject) or "")

    def changes_records(self, request: Task) -> bool:
        """Whether a task is a change or a hand-over, not a question."""
        return bool(self.tools.get(str(request.intent))) and not request.what_if

    def has_told(self, words: str) -> bool:
        """Whether the assistant has said these words."""
        return any(words in text for text in self.spoken)

    def drop(self, about: Task) -> None:
        """Let go of a task, because the customer does."""
        about.closed, about.outcome = True, "dropped"
        self.noted = True

    def propose(self, asked: Asked, step: Call | Answer) -> None:
        """Note that the assistant called a tool, and which task that call settles."""
        request = step.request if isinstance(step, Call) and step.name == asked.name else None
        if request is None:
            able = (r for r in self.open if asked.name in self.tools.get(str(r.intent), ()))
            request = next(able, None)
        self.proposals[asked.id] = (asked, request)
        if request is not None:
            request.went_by = step.went_by if isinstance(step, Call) else ""
        if not isinstance(step, Call) or step.key != asked.key:
            self.astray.add(asked.id)
        for other in self.open:
            if any(each is request for each in other.otherwise):
                self._close(other, "refused")
        self.focus = self.subject_of(asked) or self.focus

    def decline(self, call_id: str) -> None:
        """The customer did not approve: the proposal waits for what should be different."""
        asked, request = self.proposals.get(call_id, (None, None))
        if asked is not None:
            self.unwanted.add(asked.key)
            self.sent_back.add(asked.name)
        self.about, self.declined, self.ask = request, True, None
        if request is not None:
            request.wait = "revise"

    def carry_out(self, call_id: str) -> None:
        """A write was carried out: what it was for is done."""
        asked, request = self.proposals[call_id]
        self.changes.append(asked)
        subject = self.subject_of(asked)
        self.unwanted = {each for each in self.unwanted if not subject or subject not in each}
        if request is not None:
            request.written.append(self.record_written(asked))
            request.wait = ""

    def record_written(self, asked: Asked) -> str:
        """The id of the record that a write has changed."""
        return self.subject_of(asked) or str(asked.arguments.get("user_id"))

    def take_failure(self, call_id: str, text: str) -> None:
        """The tool itself refused a write; unless that was a mistake, its task is told so."""
        asked, request = self.proposals[call_id]
        if call_id in self.astray:
            self.sent_back.add(asked.name)
        elif request is not None:
            request.wait = text

    def take_words(self, step: Call | Answer, text: str) -> None:
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
            self._close(told, outcome)
        before = self.ask.text if self.ask else ""
        again = step.ask is not None and step.ask.text == before and not self.fresh
        self.repeats = self.repeats + 1 if again else 0
        self.puzzled |= self.repeats > 0
        self.ask = step.ask
        self.about = step.ask.request if step.ask else None
        if self.about is not None and not any(each is self.about for each in self.requests):
            self.requests.append(self.about)
        for task in self.requests:
            if "or" not in task.chosen:
                task.others = []
        self.focus = step.focus or self.focus

    def _close(self, request: Task, outcome: str) -> None:
        request.closed, request.outcome = True, outcome
        if outcome == "refused" and request.otherwise:
            known = (n for n, each in enumerate(self.requests) if each is request)
            place = next(known, len(self.requests))
            self.requests[place + 1 : place + 1] = request.fallbacks()
            request.otherwise = []
