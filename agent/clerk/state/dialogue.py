"""The dialogue state in any domain: tasks, the last question, and the outcome of proposals.

Each domain has a subclass, which overrides the methods that do nothing here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from agent.clerk.state.identity import Identity
from agent.clerk.state.records import KnownRecords, RecordedCall
from agent.clerk.state.steps import Call, Choice, Question
from agent.clerk.state.task import Task
from agent.clerk.understanding.parsed_message import ParsedMessage, ParsedRequest
from agent.clerk.understanding.reading import Reader
from agent.clerk.wording import HUMAN_OFFER, REVISE

LONGEST_LEAD, LONGEST_QUESTION = 60, 160
"""How many characters a reply is read with of what came before a question, and of that."""


def _ending(text: str) -> str:
    """The last paragraph of what was said, and how the one before begins: "Done. What else?"."""
    *before, last = text.strip().split("\n\n")
    led = [each[:LONGEST_LEAD] for each in before[-1:] if "\n" not in each]
    return " ".join([*led, last[-LONGEST_QUESTION:]])


@dataclass
class Dialogue(ABC):
    """Everything that the clerk derives from the messages; it is rebuilt for every answer."""

    tools: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The write tools that can carry out a task, by its intent."""

    record_argument: ClassVar[str] = ""
    """The name of the argument with the id of the record that a call is about."""

    offers: ClassVar[Mapping[str, str]] = {}
    """What can be offered, by intent, worded to follow "would you like to"."""

    transfers_after_refusal: ClassVar[bool] = True
    """Whether a customer who was refused something is transferred to a human on request."""

    records: KnownRecords
    identity: Identity = field(default_factory=Identity)
    tasks: list[Task] = field(default_factory=list)
    customer_texts: list[str] = field(default_factory=list)
    assistant_texts: list[str] = field(default_factory=list)
    focus: str | None = None
    """The id of the order or reservation mentioned last."""

    # What was asked last.
    question: Question | None = None
    current_task: Task | None = None
    """The task that the last question or the last declined proposal was about."""

    repeats: int = 0
    """How many times in a row the open question has been repeated."""

    repeated_question: bool = False
    """Whether a question ever had to be repeated because its answer was not understood."""

    # The last message.
    last: ParsedMessage | None = None
    message_count: int = 0
    has_new_request: bool = False
    told_detail: bool = False
    """Whether it said something about the current task."""

    not_understood: list[str] = field(default_factory=list)
    """The parts of it that were not understood, if others were."""

    unidentified: bool = False
    """Whether it came before the account was found."""

    gave_identity: bool = False
    asked_to_wait: bool = False
    """Whether it ended with a "hold on": nothing is done before the next one."""

    farewell: bool = False
    let_go: bool = False
    """Whether the last message has let go of a change of something that there is."""

    opening: str = ""
    """What the customer wrote before the account was found, if nothing of it was understood."""

    batch: int = 0
    """The index of the first of the tasks that were created together with the last one."""

    inherited: list[str] = field(default_factory=list)
    """Sentences of an earlier task that become the context of the next one."""

    # What became of proposals.
    proposals: dict[str, tuple[RecordedCall, Task | None]] = field(default_factory=dict)
    changes: list[RecordedCall] = field(default_factory=list)
    """The writes that were carried out."""

    declined: bool = False
    declined_call: Call | None = None
    """The change that was declined last, as long as it may still be made after all."""

    declined_calls: set[str] = field(default_factory=set)
    """Keys of calls that were declined and not asked for again."""

    unexpected_calls: set[str] = field(default_factory=set)
    """Ids of calls that the clerk itself would not have made: an agent's mistakes."""

    rejected_tools: set[str] = field(default_factory=set)
    """Names of tools with a call that was declined, or that was a mistake and failed."""

    spoke_out_of_turn: bool = False
    """Whether the assistant ever used words when a call was due, or asked a different question."""

    @property
    def open_tasks(self) -> list[Task]:
        """The tasks that are not settled."""
        return [each for each in self.tasks if not each.closed]

    @property
    def speaks_of_another_change(self) -> bool:
        """Whether the last message wants, or supposes, a change other than the current task's."""
        intent = self.current_task.intent if self.current_task is not None else None
        others = self.reader.catalog.acts - {intent}
        wishes = self.last.requests if self.last is not None else []
        return any(e.modality != "denied" and e.intent in others for e in wishes)

    @property
    def change_at_hand(self) -> str:
        """The intent of the change that was asked about last, or that waits; empty if none is."""
        tasks = [*filter(None, [self.current_task]), *self.open_tasks]
        acts = (str(e.intent) for e in tasks if e.intent in self.reader.catalog.acts)
        return next(acts, "")

    @property
    def asked(self) -> str:
        """What the assistant asked last, or how it ended its last answer."""
        if self.declined:
            return REVISE
        if self.question is not None:
            return _ending(self.question.text.split("\n\n")[0])
        return _ending(self.assistant_texts[-1]) if self.assistant_texts else ""

    @property
    def said_before(self) -> str:
        """What the assistant said last, without its list of choices."""
        return self.assistant_texts[-1].split("\n\n")[0] if self.assistant_texts else ""

    @property
    @abstractmethod
    def reader(self) -> Reader:
        """The parser for the customer's messages."""

    @abstractmethod
    def identify_customer(self, text: str, message: ParsedMessage) -> None:
        """Record what a message says about who is speaking.

        A request that concerns another customer gets the intent ``other_person``.
        """

    @abstractmethod
    def answer_sentence(self, task: Task, text: str) -> str:
        """The sentence that a text stands for as an answer to the question, or an empty string."""

    @abstractmethod
    def names_something(self, text: str) -> bool:
        """Whether a text names anything specific, such as an item, an order or a destination."""

    def pick(self, task: Task, question: Question, choice: Choice) -> str:
        """Record the choice that was picked and return the sentence that it stands for."""
        task.chosen[question.slot] = choice.value
        return choice.words

    def names_things(self, text: str) -> bool:
        """Whether a text names things that a change can leave out."""
        return False

    def kept_things(self, text: str) -> list[str]:
        """The names of the things that a text speaks of, for "the lamp stays as it is"."""
        return []

    def has_changed(self, text: str) -> bool:
        """Whether something that a text speaks of was changed already in this conversation."""
        return False

    def refine_requests(
        self, wishes: list[ParsedRequest], message: ParsedMessage
    ) -> list[ParsedRequest]:
        """The new requests of a message, adjusted in the light of the whole message."""
        return wishes

    def adds_detail_to(self, request: ParsedRequest, task: Task, *, filled: bool) -> bool:
        """Whether a request only adds details to the current task."""
        return False

    def names_another(self, task: Task, request: ParsedRequest) -> bool:
        """Whether a request names something specific, and nothing that a task is about."""
        return False

    def lets_go_of(self, task: Task, text: str) -> bool:
        """Whether a denial is of a task as a whole, and does not just keep something out of it."""
        return not self.names_something(text)

    def starts_over(self, task: Task, request: ParsedRequest, message: ParsedMessage) -> bool:
        """Whether a request like that of a task is of something else, and not beside it."""
        return False

    def leaves_part_of(self, task: Task, text: str) -> bool:
        """Take out of a task what a denial names; returns whether it did and anything is left."""
        return False

    def implied_request(
        self, message: ParsedMessage, task: Task | None = None
    ) -> ParsedRequest | None:
        """The request that is implied by details without a verb; None if there is none."""
        return None

    def reopen(self, message: ParsedMessage) -> bool:
        """Reopen a settled task if the message returns to it; return whether it did."""
        return False

    def continues_task(self, task: Task, intent: str, request: ParsedRequest) -> bool:
        """Whether a request with the intent of an open task belongs to that task."""
        return True

    @property
    def makes_new_record(self) -> bool:
        """Whether a record is being made just now, to which what names none refers."""
        return False

    def inherit_context(self, task: Task) -> None:
        """Give a new task the details that it takes over from earlier ones."""
        task.context = task.context[-12:]

    def preprocess(self, text: str) -> str:
        """The customer's text as it is to be parsed."""
        return text

    def tells_of(self, task: Task, text: str) -> bool:
        """Whether a text gives a detail of a task, whichever was asked for."""
        return self.names_something(text)

    def requests_for_both(self, message: ParsedMessage) -> list[ParsedRequest] | None:
        """The requests of a message with one detail for two tasks; None for other messages."""
        return None

    def denies(self, request: ParsedRequest, task: Task) -> bool:
        """Whether a denied request is, or may be, about a task."""
        same = request.intent == task.intent or request.intent not in self.reader.catalog.acts
        return same and not self.names_another(task, request)

    def offer_lead(self, task: Task) -> str:
        """The text before the question what a task's words may have meant."""
        return ""

    def tasks_before(self, last: Task) -> list[Task]:
        """Tasks to be done before a change that was hypothetical and is now wanted."""
        return []

    def names_finished(self, message: ParsedMessage) -> bool:
        """Whether a message only names what was just dealt with."""
        return False

    def record_id_of(self, asked: RecordedCall | Call) -> str:
        """The id of the record that a call is about, or an empty string."""
        return str(asked.arguments.get(self.record_argument) or "")

    def items_in(self, call: RecordedCall | None) -> list[str]:
        """The ids of the items of a record that a call is about, if it is about some only."""
        return []

    def record_named(self, text: str) -> str:
        """The id of the one record that a text is about, or an empty string."""
        return ""

    def record_written(self, asked: RecordedCall) -> str:
        """The id of the record that a write has changed."""
        return self.record_id_of(asked) or str(asked.arguments.get("user_id"))

    def changes_records(self, request: Task) -> bool:
        """Whether a task is a change or a transfer to a human rather than a question."""
        return bool(self.tools.get(str(request.intent))) and not request.what_if

    def has_told(self, words: str) -> bool:
        """Whether the assistant has said these words."""
        return any(words in text for text in self.assistant_texts)

    @property
    def has_offered_human(self) -> bool:
        """Whether the last answer offered a human agent for what no tool can do."""
        return any(HUMAN_OFFER in text for text in self.assistant_texts[-1:])

    def drop(self, task: Task) -> None:
        """Close a task because the customer no longer wants it."""
        task.close("dropped")
        self.told_detail = True
        self.let_go |= task.intent in self.reader.catalog.kept and not task.what_if
