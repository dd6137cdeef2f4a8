"""The event types that make up a session's log, shared by all four packages of the program.

An event is appended to its session's log before anything acts on it or shows it (law 1). Event
names are in the past tense, payloads are small and plain JSON, and each type carries a version. Old
payloads are upgraded when they are read and never rewritten.
"""

from __future__ import annotations

from sessions.events.attention import (
    AttentionCheckAsked,
    AttentionCheckDecided,
    AttentionCheckShown,
)
from sessions.events.base import (
    Event,
)
from sessions.events.cards import (
    Answerer,
    Card,
    CardAnswered,
    CardShown,
    Choice,
    ConsentUsed,
    DecisionMade,
    Disagreement,
    Precondition,
    WriteApplied,
)
from sessions.events.control import (
    PERSON,
    RULES,
    AgentNudged,
    GuardFired,
    Route,
    RouteDecided,
    Verification,
    WriteVerified,
)
from sessions.events.imports import (
    Imported,
    RecordedChecks,
    ResultDiffered,
)
from sessions.events.judgements import (
    Form,
    Labelled,
    Reviewed,
    Verdict,
)
from sessions.events.logged import (
    EVENT,
    AnyEvent,
    Logged,
)
from sessions.events.models import (
    AGENT_PURPOSES,
    SPOKEN_PURPOSES,
    ModelAnswered,
    ModelFailed,
    ModelRequested,
    ProposedCall,
    Purpose,
    ReminderWay,
    Usage,
)
from sessions.events.others import (
    OtherModelAsked,
    OtherPurpose,
    Record,
)
from sessions.events.requests import (
    RequestSettings,
)
from sessions.events.scores import (
    ActionCheck,
    AssertionCheck,
    SaidCheck,
    Scored,
)
from sessions.events.session import (
    EndReason,
    ModelChanged,
    Noted,
    SafeguardsChanged,
    SessionEnded,
    SessionForked,
    SessionResumed,
    SessionStarted,
)
from sessions.events.settings import (
    Limits,
    RunPlace,
    Safeguards,
    StreamPlace,
)
from sessions.events.tools import (
    ToolCalled,
    ToolJudged,
    ToolReturned,
)
from sessions.events.words import (
    AgentSaid,
    BlockSummarised,
    ContextAssembled,
    CustomerSaid,
    ReflectionWritten,
)

__all__ = [
    "AGENT_PURPOSES",
    "EVENT",
    "PERSON",
    "RULES",
    "SPOKEN_PURPOSES",
    "ActionCheck",
    "AgentNudged",
    "AgentSaid",
    "Answerer",
    "AnyEvent",
    "AssertionCheck",
    "AttentionCheckAsked",
    "AttentionCheckDecided",
    "AttentionCheckShown",
    "BlockSummarised",
    "Card",
    "CardAnswered",
    "CardShown",
    "Choice",
    "ConsentUsed",
    "ContextAssembled",
    "CustomerSaid",
    "DecisionMade",
    "Disagreement",
    "EndReason",
    "Event",
    "Form",
    "GuardFired",
    "Imported",
    "Labelled",
    "Limits",
    "Logged",
    "ModelAnswered",
    "ModelChanged",
    "ModelFailed",
    "ModelRequested",
    "Noted",
    "OtherModelAsked",
    "OtherPurpose",
    "Precondition",
    "ProposedCall",
    "Purpose",
    "Record",
    "RecordedChecks",
    "ReflectionWritten",
    "ReminderWay",
    "RequestSettings",
    "ResultDiffered",
    "Reviewed",
    "Route",
    "RouteDecided",
    "RunPlace",
    "Safeguards",
    "SafeguardsChanged",
    "SaidCheck",
    "Scored",
    "SessionEnded",
    "SessionForked",
    "SessionResumed",
    "SessionStarted",
    "StreamPlace",
    "ToolCalled",
    "ToolJudged",
    "ToolReturned",
    "Usage",
    "Verdict",
    "Verification",
    "WriteApplied",
    "WriteVerified",
]
