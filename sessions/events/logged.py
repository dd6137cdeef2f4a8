"""The union of all event types, and an event with its place in the log."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from sessions.events.attention import (
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
)
from sessions.events.cards import CardAnswered, CardShown, ConsentUsed, DecisionMade, WriteApplied
from sessions.events.control import AgentNudged, GuardFired, RouteDecided, WriteVerified
from sessions.events.imports import Imported, ResultDiffered
from sessions.events.judgements import Labelled, Reviewed
from sessions.events.models import ModelAnswered, ModelFailed, ModelRequested
from sessions.events.others import OtherModelAsked
from sessions.events.scores import Scored
from sessions.events.session import (
    ModelChanged,
    Noted,
    SafeguardsChanged,
    SessionEnded,
    SessionForked,
    SessionResumed,
    SessionStarted,
)
from sessions.events.tools import ToolCalled, ToolJudged, ToolReturned
from sessions.events.words import (
    AgentSaid,
    BlockSummarised,
    ContextAssembled,
    CustomerSaid,
    ReflectionWritten,
)

AnyEvent = Annotated[
    SessionStarted
    | SessionResumed
    | SessionForked
    | SessionEnded
    | CustomerSaid
    | ContextAssembled
    | RouteDecided
    | GuardFired
    | AgentNudged
    | WriteVerified
    | BlockSummarised
    | ReflectionWritten
    | ModelRequested
    | ModelAnswered
    | ModelFailed
    | OtherModelAsked
    | AgentSaid
    | ToolCalled
    | ToolReturned
    | ToolJudged
    | AttentionCheckShown
    | AttentionCheckAsked
    | AttentionCheckDecided
    | CardShown
    | DecisionMade
    | CardAnswered
    | ConsentUsed
    | WriteApplied
    | SafeguardsChanged
    | ModelChanged
    | Noted
    | Labelled
    | Reviewed
    | Scored
    | Imported
    | ResultDiffered,
    Field(discriminator="type"),
]


EVENT: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)
"""Parses an event from its JSON object; raises pydantic.ValidationError."""


class Logged(BaseModel):
    """An event with its place in the log."""

    model_config = ConfigDict(frozen=True)

    session: str
    seq: int
    at: str
    """Time in UTC, ISO 8601 with microseconds."""

    event: AnyEvent
    hash: str
    """SHA-256 over this event and the previous event's hash."""
