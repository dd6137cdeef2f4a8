"""A session begins, is taken up again, changes its settings, and ends."""

from __future__ import annotations

from typing import Literal

from sessions.events.base import Event
from sessions.events.memory import MemoryUsed
from sessions.events.requests import RequestSettings
from sessions.events.settings import Limits, RunPlace, Safeguards

EndReason = Literal[
    "customer",
    "transfer",
    "turn_limit",
    "action_limit",
    "token_limit",
    "cost_limit",
    "time_limit",
    "fault",
    "agent_failure",
    "customer_failure",
]
"""Why a session ended.

``fault`` is the line's: network, provider, key. The two failures are a model's own: an answer that
is empty or no answer, a conversation longer than it can read, a turn without an end.
"""


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

    plays: str | None = None
    """The id of the customer whom the person chose to be, where no scenario says whom."""

    model: str
    auxiliary: str | None = None
    """The model that words cards and reminders; None where rules do."""

    safeguards: Safeguards
    max_turns: int = 30
    limits: Limits = Limits()
    requests: RequestSettings = RequestSettings()
    program: str
    policy_digest: str
    tools_digest: str
    records_digest: str
    wording_digest: str = ""
    """Of what the agent is told of its job, where that is not the domain's own words."""

    run: RunPlace | None = None
    """Its place in a headless run, where it was held in one."""

    memory: MemoryUsed | None = None
    """What the agent could read of what was learned before; None where it had no memory."""


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
