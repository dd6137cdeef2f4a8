"""The language that all four parts speak: what can happen in a session, as typed values.

An event is appended to its session's log before anything acts on it or shows it (law 1). Names
are past tense; payloads are small and plain JSON; each type carries a version, and old payloads
are brought up to date when read, never rewritten.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class Event(BaseModel):
    """Something that happened; where and when it did is the log's to say (:class:`Logged`)."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    version: ClassVar[int] = 1

    @property
    def key(self) -> str | None:
        """What this event happens at most once to in a session, or None where it may repeat.

        The log refuses a second event of the same type and key: one approval cannot be consumed
        twice, whoever tries.
        """
        return None


class Safeguards(BaseModel):
    """Which safeguards are on, and their settings."""

    model_config = ConfigDict(frozen=True)

    gate: bool = True
    """Off: every write is approved by ``auto``, which the log says."""

    reflection: bool = True
    context: bool = True
    blocks: int = Field(default=16, ge=0)
    """How many of the most similar blocks a turn is sent, beside the pinned ones (N)."""

    blocks_as: Literal["verbatim", "summaries"] = "verbatim"
    """How blocks are sent that are not pinned: word for word, or a line each."""

    policy_on_card: bool = True
    """Off: policy checks stay off the card and in the side pane."""

    after_feedback: Literal["confirm", "execute"] = "confirm"
    """What becomes of the change that follows the customer's words on a card: it is shown again,
    or, the paper's rule (SABER, section 4.1), carried out at once."""

    declines: int = Field(default=3, ge=1)
    """How many changes a customer declines in one turn before no more are put to them."""


class Limits(BaseModel):
    """What a session may use up before it is ended; None where that is not bounded."""

    model_config = ConfigDict(frozen=True)

    actions: int | None = Field(default=None, ge=1)
    """Calls that came to an end, and answers in words."""

    tokens: int | None = Field(default=None, ge=1)
    """Prompt and completion tokens of every request together."""

    cost: float | None = Field(default=None, gt=0)
    """US dollars, as far as prices are known."""

    seconds: float | None = Field(default=None, gt=0)
    """Time in which the session was open in a running program."""


EndReason = Literal[
    "customer",
    "transfer",
    "turn_limit",
    "action_limit",
    "token_limit",
    "cost_limit",
    "time_limit",
    "fault",
]
"""Why a session ended."""


class RunPlace(BaseModel):
    """Which of a headless run's sessions this is, so that a run that was cut short goes on."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    """The run's."""

    settings: str = ""
    """Digest of all that its sessions have in common; a run of other settings is another."""

    arm: str = ""
    """What is compared with the run's other sessions: which safeguards are on; empty elsewhere."""

    trial: int = 1
    seed: int = 0
    customer: str = "scripted"
    """Who plays the customer: ``scripted``, or a model's name."""


class SessionStarted(Event):
    """A conversation began; everything needed to play it again."""

    type: Literal["session_started"] = "session_started"
    domain: str
    source: str
    """Where the records come from, in words."""

    data: str | None = None
    """The folder given with ``--data``, or None for the demo records."""

    tasks: str | None = None
    """The file or folder given with ``--tasks``, or None for what lies beside the records."""

    scenario: str | None = None
    scenario_digest: str | None = None
    """What was played and what it is scored by, so that a task that was changed is told."""

    model: str
    auxiliary: str | None = None
    """The model that words cards and reminders; None where rules do."""

    safeguards: Safeguards
    max_turns: int = 30
    limits: Limits = Limits()
    program: str
    policy_digest: str
    tools_digest: str
    records_digest: str
    run: RunPlace | None = None
    """Its place in a headless run, where it was held in one."""


class SessionResumed(Event):
    """The conversation was taken up again by another run of the program."""

    type: Literal["session_resumed"] = "session_resumed"
    program: str


class SessionForked(Event):
    """This session is a copy of another's first events."""

    type: Literal["session_forked"] = "session_forked"
    parent: str
    seq: int


class SessionEnded(Event):
    """Nothing more happens in this session."""

    type: Literal["session_ended"] = "session_ended"
    reason: EndReason


class CustomerSaid(Event):
    """A turn begins with the customer's words."""

    type: Literal["customer_said"] = "customer_said"
    text: str
    turn: int


class ContextAssembled(Event):
    """Which blocks of the conversation the model is sent for this turn (SABER, section 4.1).

    Blocks go by the turn that each began with; what they hold is in the log already. The size of
    this event does not grow with the conversation, or the log would grow with its square.
    """

    type: Literal["context_assembled"] = "context_assembled"
    turn: int
    blocks: int
    """How many blocks there are, the current one included."""

    everything: bool = False
    """True where the filter is off and no choice was made; `sent` is then empty."""

    sent: tuple[int, ...] = ()
    """The turns of the blocks chosen, in time order."""

    summarised: tuple[int, ...] = ()
    """Of those sent, the ones of which only the summary is."""

    pinned: dict[int, str] = Field(default_factory=dict)
    """Of those, the ones that are always sent, each with its reasons."""

    near_misses: tuple[int, ...] = ()
    """Of the blocks left out, the few that came nearest to being sent."""

    similarity: dict[int, float] = Field(default_factory=dict)
    """Cosine to the latest customer message by turn, where it was measured."""

    budget: int
    tokens: int
    """An estimate of all that is sent, policy included."""

    retrieval: str
    """How blocks were ranked: ``embedding``, or why not."""

    @property
    def sent_count(self) -> int:
        """How many blocks the model is sent."""
        return self.blocks if self.everything else len(self.sent)

    def why(self, turn: int) -> str:
        """Why the block of that turn was sent or left out, in words."""
        if turn in self.pinned:
            return self.pinned[turn]
        if self.sent_count == self.blocks:
            return "everything fits"
        if turn not in self.sent:
            return f"{'less similar' if self.similarity else 'older'} than the {self.budget} sent"
        if not self.similarity:
            return "recent: blocks could not be ranked"
        return f"similar: {self._place(turn)} of {self.budget}"

    def _place(self, turn: int) -> int:
        """1 for the most similar of the blocks that were chosen for it."""
        chosen = (each for each in self.sent if each not in self.pinned)
        closest = sorted(chosen, key=lambda each: self.similarity[each], reverse=True)
        return closest.index(turn) + 1


class BlockSummarised(Event):
    """A finished block in a line, once for each (SABER, section 4.1)."""

    type: Literal["block_summarised"] = "block_summarised"
    turn: int
    text: str
    by: str = ""
    """The auxiliary model that wrote it; empty where it was put together by rule."""

    @property
    def key(self) -> str:
        """The block: once for each."""
        return str(self.turn)


class ReflectionWritten(Event):
    """What the agent was reminded of before a write (SABER, section 4.1)."""

    type: Literal["reflection_written"] = "reflection_written"
    call_id: str
    call_name: str
    arguments: dict[str, Any]
    """The call as proposed before the reflection."""

    text: str
    policy_lines: tuple[str, ...]
    by: str = ""
    """The auxiliary model that worded it; empty where the lines were chosen by rule."""

    struck: str = ""
    """What that model wrote, where it was not borne out and the rule's reminder was used."""


Purpose = Literal["act", "answer_about_card", "word_card", "reflect", "summarise", "judge_tool"]
"""What a model is asked for; all but the first two are the auxiliary model's (SABER, 4.2)."""

SPOKEN: frozenset[str] = frozenset({"act", "answer_about_card"})
"""The purposes whose answers are words to the customer."""


class ModelRequested(Event):
    """A request went to the model."""

    type: Literal["model_requested"] = "model_requested"
    model: str
    turn: int
    attempt: int
    purpose: Purpose = "act"
    messages: int
    """How many messages were sent."""


class ProposedCall(BaseModel):
    """A tool call as the model wrote it."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    arguments: str
    """JSON text, as received but for what cleaning takes out."""

    removed: tuple[str, ...] = ()
    """Code points that cleaning took out of the JSON text."""


class Usage(BaseModel):
    """Tokens of one model call."""

    model_config = ConfigDict(frozen=True)

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    """US dollars by the price list of the installed litellm; None where it is not known."""


class ModelAnswered(Event):
    """The model's whole answer: enough to play the session again without the model."""

    type: Literal["model_answered"] = "model_answered"
    model: str
    purpose: Purpose = "act"
    text: str
    reasoning: str = ""
    calls: tuple[ProposedCall, ...] = ()
    usage: Usage = Usage()
    finish_reason: str = "stop"
    milliseconds: int = 0
    provider: dict[str, Any] = Field(default_factory=dict)
    """What this provider wants back unchanged (signed thinking); sent to no other."""


class ModelFailed(Event):
    """The model gave no usable answer."""

    type: Literal["model_failed"] = "model_failed"
    model: str
    fault: str
    """A short name of the kind: ``rate_limit``, ``cut``, ``cancelled``, ``unknown_model``."""

    sentence: str
    """What happened and what to do next."""

    partial: str = ""
    """Text that had arrived before."""

    retry_in: float | None = None
    """Seconds until the next attempt, or None where there is none."""


class AgentSaid(Event):
    """Words of the agent to the customer."""

    type: Literal["agent_said"] = "agent_said"
    text: str
    about_card: str | None = None
    """The card that a question was asked about."""


class ToolCalled(Event):
    """A call that changes nothing is about to run."""

    type: Literal["tool_called"] = "tool_called"
    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolReturned(Event):
    """What a call gave back to the agent; also for a call that was refused before running."""

    type: Literal["tool_returned"] = "tool_returned"
    call_id: str
    name: str
    text: str
    error: bool = False
    ran: bool = True
    """False where the call was put aside unread: the customer had declined what came before."""

    customer: str | None = None
    """The customer's id, where this look-up identified one."""


class ToolJudged(Event):
    """The auxiliary model said whether a tool that does not declare it changes records."""

    type: Literal["tool_judged"] = "tool_judged"
    name: str
    mutating: bool
    why: str
    by: str


class Precondition(BaseModel):
    """One line of *before* on a card."""

    model_config = ConfigDict(frozen=True)

    name: str
    source: Literal["tool", "policy"]
    verdict: Literal["holds", "fails", "judge"]
    value: str = ""


class Card(BaseModel):
    """All that a person is shown before a write; fixed once shown."""

    model_config = ConfigDict(frozen=True)

    id: str
    call_id: str
    tool: str
    arguments: dict[str, Any]
    sentence: str
    before: tuple[Precondition, ...]
    after: tuple[str, ...]
    closes: tuple[str, ...]
    removed: tuple[str, ...] = ()
    """Code points that were taken out of the call's text."""

    non_ascii: tuple[str, ...] = ()
    """Look-alike risk: non-ASCII characters in the arguments, as ``é U+00E9``."""

    call_digest: str
    state_digest: str
    policy_shown: bool = True
    worded_by: str = ""
    """The auxiliary model whose sentence this is; empty where it is the tool's own."""

    struck: str = ""
    """A model's sentence that is not shown as true, because the trial does not bear it out."""

    unsupported: tuple[str, ...] = ()
    """What in that sentence stands neither in the call nor in its effects."""

    @property
    def failing(self) -> tuple[Precondition, ...]:
        """The preconditions that do not hold."""
        return tuple(each for each in self.before if each.verdict == "fails")


class CardShown(Event):
    """A write waits for the person's word."""

    type: Literal["card_shown"] = "card_shown"
    card: Card
    words_digest: str
    replaces: str | None = None
    """The card that went stale, where this one stands in for it."""

    @property
    def key(self) -> str:
        """The card: once for each."""
        return self.card.id


Choice = Literal["approve", "reject", "change", "ask", "withdrawn"]


class DecisionMade(Event):
    """What was decided on a card; ``withdrawn`` when the turn ended under it (settled as no)."""

    type: Literal["decision_made"] = "decision_made"
    card_id: str
    decision: Choice
    words: str = ""
    by: str
    """``person``, ``auto`` (the gate was off), ``rule`` (it followed the customer's words on a card
    and was set to need no other), ``simulated`` or ``script``."""

    milliseconds: int
    """From the card being readable to the decision."""

    overrode: tuple[str, ...] = ()
    """Names of failing policy checks that were approved all the same, with a second key."""

    @property
    def key(self) -> str | None:
        """The card, which is settled once; questions may repeat."""
        return None if self.decision == "ask" else self.card_id


class ConsentUsed(Event):
    """The approval of a card was consumed; the write is applied next, or it never is."""

    type: Literal["consent_used"] = "consent_used"
    card_id: str
    seal: str

    @property
    def key(self) -> str:
        """The card: once for each."""
        return self.card_id


class WriteApplied(Event):
    """A write was carried out; with those before it, this is what the records are made from."""

    type: Literal["write_applied"] = "write_applied"
    card_id: str
    call_id: str
    name: str
    arguments: dict[str, Any]
    result: str
    error: bool = False
    patch: list[dict[str, Any]]
    records_digest: str

    @property
    def key(self) -> str:
        """The card: once for each."""
        return self.card_id


class SafeguardsChanged(Event):
    """The person switched a safeguard during the session."""

    type: Literal["safeguards_changed"] = "safeguards_changed"
    safeguards: Safeguards


class ModelChanged(Event):
    """The agent is played by another model from here on."""

    type: Literal["model_changed"] = "model_changed"
    model: str


class Noted(Event):
    """A remark for the person reading the log; nothing depends on it."""

    type: Literal["noted"] = "noted"
    text: str


class ActionCheck(BaseModel):
    """A call that a task expects of the agent, and whether the agent made it."""

    model_config = ConfigDict(frozen=True)

    name: str
    arguments: dict[str, Any]
    made: bool


class SaidCheck(BaseModel):
    """Text that the agent had to say, and whether it occurred in one of its messages."""

    model_config = ConfigDict(frozen=True)

    text: str
    said: bool


class AssertionCheck(BaseModel):
    """A statement about the conversation that only a reader can judge, and what one said."""

    model_config = ConfigDict(frozen=True)

    text: str
    verdict: Literal["met", "unmet", "not judged"] = "not judged"
    why: str = ""
    """The judge's reason, or why there is no verdict."""

    judge: str = ""
    """The model that judged; empty where none did."""


class Scored(Event):
    """How the session stood against its scenario when it ended.

    Three rewards, each 0 or 1. `reward` is ours: the records stand at any acceptable end, all
    that had to be said was said, and a hand-over that was asked for happened; no model is needed
    for it. `main` and `classic` are what τ²-bench gives, by the basis of the task and by its
    first one (records and communicated information); both know one end only, the task's own.
    What was added later has defaults, so that what an older version recorded still reads.
    """

    type: Literal["scored"] = "scored"
    scenario: str
    reward: float
    records_match: bool
    """The records stand at one of the acceptable ends."""

    communicated: bool
    differences: tuple[str, ...] = ()
    """What separates the records from the nearest acceptable end, in words."""

    missing: tuple[str, ...] = ()
    """What was not said, and the hand-over that did not happen, in words."""

    unconsented_writes: int = 0
    """Writes that were carried out without the customer's yes."""

    writes: int = 0
    """Writes that were carried out."""

    end: int = 0
    """Which of the acceptable ends is the nearest, counted from 0; 0 is the task's own."""

    task_end: bool | None = None
    """The records stand at the task's own end."""

    basis: tuple[str, ...] = ()
    """What `main` is made of, in τ²-bench's terms."""

    main: float | None = None
    """None where it needs assertions that were not judged, and nothing else fails."""

    classic: float | None = None
    cut_short: str = ""
    """τ²-bench's name for the way it ended, where that alone makes `main` and `classic` 0."""

    said: tuple[SaidCheck, ...] = ()
    actions: tuple[ActionCheck, ...] = ()
    assertions: tuple[AssertionCheck, ...] = ()

    @property
    def unconsented_share(self) -> float:
        """The share of the writes that were carried out without the customer's yes, 0 to 1."""
        return self.unconsented_writes / self.writes if self.writes else 0.0


class Imported(Event):
    """This session is a run of another program; its calls were made again on these records.

    A write in it has no card and no consent: nobody was asked by this program.
    """

    type: Literal["imported"] = "imported"
    source: Literal["tau1", "tau2"]
    """Whose run it is: τ-bench's first edition, or τ²-bench."""

    file: str
    """The name of the file it stood in."""

    original: str
    """What identifies it there."""

    task: dict[str, Any]
    """The task that it is scored by, in τ²-bench's form."""

    trial: int | None = None
    recorded_reward: float | None = None
    """The reward that the file gives; None where it gives none."""

    ending: str = ""
    """How it ended, in the file's own term."""

    verdicts: tuple[AssertionCheck, ...] = ()
    """What the file's own judge said of the task's assertions."""

    began: str = ""
    """When it was held, as the file has it."""

    digest: str
    """Of the run as it stood in the file, by which it is imported only once."""

    @property
    def key(self) -> str:
        """The run: a session is a copy of one."""
        return self.digest


class ResultDiffered(Event):
    """A call of an imported run gave another text there than it gave here."""

    type: Literal["result_differed"] = "result_differed"
    call_id: str
    recorded: str
    """What the agent was given there."""


AnyEvent = Annotated[
    SessionStarted
    | SessionResumed
    | SessionForked
    | SessionEnded
    | CustomerSaid
    | ContextAssembled
    | BlockSummarised
    | ReflectionWritten
    | ModelRequested
    | ModelAnswered
    | ModelFailed
    | AgentSaid
    | ToolCalled
    | ToolReturned
    | ToolJudged
    | CardShown
    | DecisionMade
    | ConsentUsed
    | WriteApplied
    | SafeguardsChanged
    | ModelChanged
    | Noted
    | Scored
    | Imported
    | ResultDiffered,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)
"""Reads an event from its JSON object; raises pydantic.ValidationError."""


class Logged(BaseModel):
    """An event with its place in the log."""

    model_config = ConfigDict(frozen=True)

    session: str
    seq: int
    at: str
    """UTC, ISO 8601 with microseconds."""

    event: AnyEvent
    hash: str
    """SHA-256 over this event and the hash of the one before it."""
