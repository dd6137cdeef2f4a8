"""The settings of a session: its safeguards, its limits, and its place in a run."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Safeguards(BaseModel):
    """Which safeguards are on, and their settings."""

    model_config = ConfigDict(frozen=True)

    gate: bool = True
    """Whether each write waits for the person. If off, ``auto`` approves it, as the log records."""

    reflection: bool = True
    reflection_as: Literal["auto", "thinking", "scratchpad", "message"] = "auto"
    """How the reminder reaches the agent (SABER, section 4.1).

    In its reasoning, in a ReAct scratchpad, or in a message; ``auto`` picks the first of these that
    the model supports.
    """

    reflection_from: Literal["policy", "policy+records"] = "policy+records"
    """The source of the reminder.

    Either the policy alone, as in the paper, or also what the declared checks read in the records.
    """

    context: bool = True
    blocks: int = Field(default=16, ge=0)
    """How many of the most similar blocks are sent in a turn, besides the pinned ones (N)."""

    blocks_as: Literal["verbatim", "summaries"] = "verbatim"
    """How unpinned blocks are sent: word for word, or one line each."""

    blocks_by: Literal["text", "summary"] = "text"
    """What blocks are ranked by: their text, or their summary, as in the paper."""

    judge_declared: bool = False
    """Whether the auxiliary model also judges tools that declare whether they change anything.

    Each tool is judged once per session. The verdict is counted but decides nothing: the
    declaration holds (law 5).
    """

    policy_on_card: bool = True
    """Whether policy checks appear on the card; if off, only in the side pane."""

    after_feedback: Literal["confirm", "execute"] = "confirm"
    """What happens to a change that follows the customer's words on a card.

    ``confirm``: it is shown again. ``execute``: it is carried out at once, as in the paper (SABER,
    section 4.1).
    """

    declines: int = Field(default=3, ge=1)
    """How many changes a customer may decline in one turn before no more are shown to them."""

    attention_checks: float = Field(default=0.0, ge=0, le=1)
    """The share of cards that are preceded by a deliberately wrong one."""

    control: Literal["baseline", "routed"] = "baseline"
    """Whether requests are routed by difficulty (difficulty-routed control, section 3).

    ``routed``: coupled sessions are told apart from routine ones, and each change in a coupled
    session is verified before it is put on a card.
    """

    router: Literal["model", "rules"] = "model"
    """The router that classifies sessions: the agent's own model, or rules over the log."""


class Limits(BaseModel):
    """How much a session may use before it is ended; None means no limit."""

    model_config = ConfigDict(frozen=True)

    actions: int | None = Field(default=None, ge=1)
    """Finished calls plus answers in words."""

    tokens: int | None = Field(default=None, ge=1)
    """Prompt and completion tokens of all answers.

    They include the agent's, the auxiliary model's, and those of a model that plays the customer.
    """

    cost: float | None = Field(default=None, gt=0)
    """US dollars for the same answers, as far as prices are known."""

    seconds: float | None = Field(default=None, gt=0)
    """Seconds for which the session was open in a running program."""


class StreamPlace(BaseModel):
    """A session's place in a stream, where the agent may have learned from earlier sessions."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    memory: str
    """The agent's kind of memory: ``none``, ``policybank``, or the name of a baseline."""

    feedback: str = ""
    """What the learner is told about each session; empty if nothing learns."""

    read_by: str = ""
    """How the agent reads the memory; empty if it has none."""

    policy_agent: str = ""
    """The learner: ``rules``, or a model; empty if nothing learns."""

    begun_by: str = ""
    """The creator of the memory that the stream began with; empty if that was empty."""

    position: int
    """Its position in the stream, counted from 1."""


class RunPlace(BaseModel):
    """A session's place in a headless run, so that an interrupted run can be continued."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    """The name of the run."""

    settings: str = ""
    """Digest of all settings that the run's sessions share; different settings are another run."""

    arm: str = ""
    """The arm of the comparison, that is, which safeguards are on; empty if nothing is compared."""

    trial: int = 1
    seed: int = 0
    customer: str = "scripted"
    """The player of the customer: ``scripted``, ``careful``, or the name of a model."""

    run_seed: int | None = None
    """The run's own seed, from which ``seed`` is derived; None in runs older than this field."""

    agent: str = ""
    """The agent as requested; ``clerk+all`` means the mistaken clerks in turn."""

    stream: StreamPlace | None = None
    """Its place in a stream, whose order follows from `run_seed`; None in any other run."""
