"""What a session is held under: its safeguards, its limits, its place in a run."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Safeguards(BaseModel):
    """Which safeguards are on, and their settings."""

    model_config = ConfigDict(frozen=True)

    gate: bool = True
    """Off: every write is approved by ``auto``, which the log says."""

    reflection: bool = True
    reflection_as: Literal["auto", "thinking", "scratchpad", "message"] = "auto"
    """How the reminder reaches the agent (SABER, section 4.1): in its reasoning, in a ReAct
    scratchpad, in a message; auto: the first of these that the model takes."""

    reflection_from: Literal["policy", "policy+records"] = "policy+records"
    """What the reminder is made of: the policy alone, as the paper's is, or also what the declared
    checks read in the records."""

    context: bool = True
    blocks: int = Field(default=16, ge=0)
    """How many of the most similar blocks a turn is sent, beside the pinned ones (N)."""

    blocks_as: Literal["verbatim", "summaries"] = "verbatim"
    """How blocks are sent that are not pinned: word for word, or a line each."""

    blocks_by: Literal["text", "summary"] = "text"
    """By what of theirs blocks are ranked: their text, or their summary, as the paper's are."""

    judge_declared: bool = False
    """Whether the auxiliary model also judges tools that say whether they change anything, once in
    a session. Its word is counted and decides nothing: what is declared holds (law 5)."""

    policy_on_card: bool = True
    """Off: policy checks stay off the card and in the side pane."""

    after_feedback: Literal["confirm", "execute"] = "confirm"
    """What becomes of the change that follows the customer's words on a card: it is shown again,
    or, the paper's rule (SABER, section 4.1), carried out at once."""

    declines: int = Field(default=3, ge=1)
    """How many changes a customer declines in one turn before no more are put to them."""

    attention_checks: float = Field(default=0.0, ge=0, le=1)
    """The share of cards before which one is put that is wrong on purpose."""

    control: Literal["baseline", "routed"] = "baseline"
    """Routed: sessions whose requests hang together are told from routine ones, and each change in
    them is verified before it is put on a card (difficulty-routed control, section 3)."""

    router: Literal["model", "rules"] = "model"
    """Who tells them apart: the agent's own model, or rules over the log."""


class Limits(BaseModel):
    """What a session may use up before it is ended; None where that is not bounded."""

    model_config = ConfigDict(frozen=True)

    actions: int | None = Field(default=None, ge=1)
    """Calls that came to an end, and answers in words."""

    tokens: int | None = Field(default=None, ge=1)
    """Prompt and completion tokens of every answer together: the agent's, its auxiliary model's,
    and those of a model that plays the customer."""

    cost: float | None = Field(default=None, gt=0)
    """US dollars for the same answers, as far as prices are known."""

    seconds: float | None = Field(default=None, gt=0)
    """Time in which the session was open in a running program."""


class StreamPlace(BaseModel):
    """Where in a stream a session stands, whose agent may have learned from those before it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    memory: str
    """What kind of memory its agent has: ``none``, ``policybank``, or a baseline's name."""

    feedback: str = ""
    """What is told of each session to whoever learns; empty where nobody does."""

    read_by: str = ""
    """How the agent reads the memory; empty where it has none."""

    policy_agent: str = ""
    """Who learns: ``rules``, or a model; empty where nobody does."""

    begun_by: str = ""
    """Who made the memory that the stream began with; empty where it was empty."""

    position: int
    """The how manyth of its stream it is, from 1."""


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
    """Who plays the customer: ``scripted``, ``careful``, or a model's name."""

    run_seed: int | None = None
    """The run's own seed, from which ``seed`` was made; None in runs of before it was kept."""

    agent: str = ""
    """The agent as it was asked for: ``clerk+all`` is played by one mistaken clerk or another."""

    stream: StreamPlace | None = None
    """Its place in a stream, of which `run_seed` gives the order; None in any other run."""
