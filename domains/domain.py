"""A domain is what can be done: a policy, tools, records, and scenarios to role-play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from domains.canonical import digest
from domains.records import Base, Draft, Records
from domains.tool import Arguments, ToolCall, Toolset


class DomainError(Exception):
    """Records, tasks or a domain that cannot be used; the message is a sentence for the person."""


@dataclass(frozen=True, slots=True)
class Role:
    """Whom the person plays, the way one wants to read it while talking."""

    who: str
    knows: tuple[str, ...] = ()
    does_not_know: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    manner: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """A call that a task expects of the agent, look-ups included, as τ²-bench's checks have it."""

    call: ToolCall
    compare: tuple[str, ...] | None = None
    """The arguments that must be equal; None where all of the expected call's must."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One thing to role-play, and where the records may rightly stand afterwards."""

    id: str
    title: str
    role: Role
    ends: tuple[tuple[ToolCall, ...], ...]
    """Acceptable lists of calls; the session is right when its records equal the end of any.

    The first is the one a task publishes as its own, where it is somebody else's task.
    """

    communicate: tuple[str, ...] = ()
    """What the agent must have said, each as text that must occur in one of its messages."""

    transfer: bool = False
    """True where the right end is a hand-over to a human agent."""

    tags: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    """The calls that a task of the τ²-bench family lists; in ours there are none."""

    assertions: tuple[str, ...] = ()
    """What should be true of the conversation, in words that only a reader can judge."""

    basis: tuple[str, ...] = ("DB", "COMMUNICATE")
    """What the reward is made of, in τ²-bench's terms: DB, COMMUNICATE, ACTION, NL_ASSERTION."""

    source: str = "saber"
    """Whose task it is: ``saber``, ``tau2`` or ``verified``."""

    splits: tuple[str, ...] = ()
    """The parts of its set that a task belongs to: ``train``, ``test``, ``base``."""

    ends_from: str = ""
    """Where the acceptable ends beyond the task's own come from, in a sentence."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the Record pane: a label, a value, and the record path it stands for."""

    label: str
    value: str
    path: str
    """``collection/key/field.path``: what is highlighted when a change has that path or one under
    it."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One record as the person reads it: a heading and its lines."""

    heading: str
    fields: tuple[Field, ...]


def _nobody(records: Records, arguments: Arguments) -> None:
    """In a domain that does not say, records belong to nobody in particular."""


@dataclass(frozen=True)
class Domain:
    """Everything a conversation needs of a domain; shared by all sessions of a process."""

    name: str
    title: str
    policy: str
    """Markdown, as the model is sent it."""

    tools: Toolset
    base: Base
    sheets: Callable[[Draft | Records, str], list[Sheet]] = field(repr=False)
    """A customer's records for the Record pane, by customer id."""

    customer_of: Callable[[ToolCall, str], str | None] = field(repr=False)
    """The customer id that a successful look-up (call, result text) reveals, or None."""

    owner_of: Callable[[Records, Arguments], str | None] = field(repr=False, default=_nobody)
    """The id of the customer whose records a write with these arguments touches, or None."""

    identifies: frozenset[str] = frozenset()
    """The look-ups by which the policy lets a customer be identified."""

    scenarios: tuple[Scenario, ...] = ()
    greeting: str = "Hi! How can I help you today?"

    def records(self) -> Records:
        """Records for a new session, untouched."""
        return Records(self.base, self.tools)

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario of that id; DomainError names the ones there are."""
        for scenario in self.scenarios:
            if scenario.id == scenario_id:
                return scenario
        some = ", ".join(scenario.id for scenario in self.scenarios[:20])
        raise DomainError(
            f"There is no scenario {scenario_id!r} in {self.name}. There are: {some}."
        )

    @property
    def policy_digest(self) -> str:
        """Digest of the policy text."""
        return digest(self.policy)

    @property
    def tools_digest(self) -> str:
        """Digest of the tools' schemas."""
        return digest(self.tools.schemas)
