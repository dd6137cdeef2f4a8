"""The events of a session's life: it begins, is resumed, changes its settings, and ends."""

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

``fault`` is a fault of the connection: network, provider, or key. ``agent_failure`` and
``customer_failure`` are a model's own: an empty or unusable answer, a conversation longer than its
context, or a turn without an end.
"""


class SessionStarted(Event):
    """A conversation began; holds everything needed to replay it."""

    type: Literal["session_started"] = "session_started"
    domain: str
    source: str
    """Where the records come from, in words."""

    data: str | None = None
    """The folder given with ``--data``, or None for the demo records."""

    tasks: str | None = None
    """The file or folder given with ``--tasks``, or None for the tasks beside the records."""

    scenario: str | None = None
    scenario_digest: str | None = None
    """Digest of the scenario and of what it is scored by, to detect a task that has changed."""

    plays: str | None = None
    """The id of the customer whom the person chose to play, if no scenario determines it."""

    model: str
    auxiliary: str | None = None
    """The model that words cards and reminders; None if rules do."""

    safeguards: Safeguards
    max_turns: int = 30
    limits: Limits = Limits()
    requests: RequestSettings = RequestSettings()
    program: str
    policy_digest: str
    tools_digest: str
    records_digest: str
    wording_digest: str = ""
    """Digest of the agent's instructions, if they are not the domain's own."""

    run: RunPlace | None = None
    """The session's place in a headless run, if it belongs to one."""

    memory: MemoryUsed | None = None
    """The memory that the agent could read from; None if it had none."""


class SessionResumed(Event):
    """Another run of the program resumed the conversation."""

    type: Literal["session_resumed"] = "session_resumed"
    program: str


class SessionForked(Event):
    """This session is a copy of another session's first events."""

    type: Literal["session_forked"] = "session_forked"
    parent: str
    seq: int


class SessionEnded(Event):
    """Nothing more happens in this session."""

    type: Literal["session_ended"] = "session_ended"
    reason: EndReason


class SafeguardsChanged(Event):
    """The person changed a safeguard during the session."""

    type: Literal["safeguards_changed"] = "safeguards_changed"
    safeguards: Safeguards


class ModelChanged(Event):
    """Another model plays the agent from here on."""

    type: Literal["model_changed"] = "model_changed"
    model: str


class Noted(Event):
    """A remark for readers of the log; nothing depends on it."""

    type: Literal["noted"] = "noted"
    text: str
