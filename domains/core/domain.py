"""A domain is what can be done: a policy, tools, records, and scenarios to role-play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from domains.core.canonical import digest
from domains.core.draft import Draft
from domains.core.facts import Facts
from domains.core.gap import PolicyGap, Variant
from domains.core.personal import Kinds
from domains.core.records import Base, Preview, Records
from domains.core.routing import Routing, general
from domains.core.tool import Arguments, ToolCall, ToolResult, Toolset
from domains.core.topics import Topic
from domains.text.naming import Naming


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
    """How to behave while talking; where it is more than one thing, each has a line."""


@dataclass(frozen=True, slots=True)
class Action:
    """A call that a task expects of the agent, look-ups included, as τ²-bench's checks have it."""

    call: ToolCall
    compare: tuple[str, ...] | None = None
    """The arguments that must be equal; None where all of the expected call's must."""


@dataclass(frozen=True)
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
    """What the reward is made of, in τ²-bench's terms: DB, COMMUNICATE, ACTION, NL_ASSERTION.

    Empty where a task is not scored at all: then every session earns the whole reward.
    """

    source: str = "saber"
    """Whose task it is: ``saber``, ``tau2`` or ``verified``."""

    splits: tuple[str, ...] = ()
    """The parts of its set that a task belongs to: ``train``, ``test``, ``base``."""

    ends_from: str = ""
    """Where the acceptable ends beyond the task's own come from, in a sentence."""

    gap: str = ""
    """The id of the gap of the policy that it stands in; empty where it is about none."""

    parent: str = ""
    """The id of the scenario that it is a sister of (PolicyBank, appendix A.4)."""

    variant: Variant = ""
    """How it differs from its parent."""

    explanation: str = ""
    """What the agent should have done, as somebody who judged the conversation would say it."""

    @cached_property
    def digest(self) -> str:
        """Digest of what is played and of what is scored, by which a changed task is told."""
        about_gap = (self.gap, self.parent, self.variant, self.explanation)
        return digest(
            [self.id, asdict(self.role), [_plain(end) for end in self.ends], self.communicate,
             self.transfer, _plain(each.call for each in self.actions),
             [each.compare for each in self.actions], self.assertions, self.basis,
             *([about_gap] if any(about_gap) else [])]
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is known to be wrong with a policy, and the scenarios that show it."""

    gaps: tuple[PolicyGap, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    """The parents, each with its sisters after it."""


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


def _plain(calls: Iterable[ToolCall]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, dict(call.arguments)) for call in calls]


def _nobody(records: Records, arguments: Arguments) -> None:
    """In a domain that does not say, records belong to nobody in particular."""


def _no_facts(draft: Draft, preview: Preview) -> None:
    """Of a domain that does not say, there is nothing to be compared."""


def _no_script(domain: Domain) -> tuple[Scenario, ...]:
    """In a domain that does not say, there is only free play."""
    return ()


def _no_gaps(domain: Domain) -> Gaps:
    """Of a domain that does not say, no gap of its policy is known."""
    return Gaps()


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

    customers: str = ""
    """The collection whose ids are customers' ids; empty where a domain does not say."""

    identifies: frozenset[str] = frozenset()
    """The look-ups by which the policy lets a customer be identified."""

    read_scenarios: Callable[[Domain], tuple[Scenario, ...]] = field(repr=False, default=_no_script)
    """Reads what there is to role-play, when that is first asked for; may raise DomainError."""

    read_gaps: Callable[[Domain], Gaps] = field(repr=False, default=_no_gaps)
    """Reads what is known of its policy's gaps, when first asked for; may raise DomainError."""

    naming: Naming = field(repr=False, default=Naming())
    """What records and their values are called where a difference is told field by field."""

    facts: Callable[[Draft, Preview], Facts | None] = field(repr=False, default=_no_facts)
    """What a call that was tried would do, as values, from the records before it and the trial."""

    topics: tuple[Topic, ...] = ()
    """What one may ask about a change, to be answered from its trial."""

    personal: Kinds = field(repr=False, default_factory=dict)
    """The fields of its records that are about a person; empty where it does not say."""

    routing: Routing = field(repr=False, default_factory=general)
    """How its routine sessions are told from those whose requests hang together."""

    greeting: str = "Hi! How can I help you today?"

    @cached_property
    def scenarios(self) -> tuple[Scenario, ...]:
        """What there is to role-play; raises DomainError where that cannot be read."""
        return self.read_scenarios(self)

    @cached_property
    def _gaps(self) -> Gaps:
        return self.read_gaps(self)

    @property
    def gaps(self) -> tuple[PolicyGap, ...]:
        """What is known to be wrong with the policy; DomainError where that cannot be read."""
        return self._gaps.gaps

    @property
    def gap_scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios that stand in a gap of the policy: each parent, then its sisters.

        They are none of `scenarios`, but are found by their ids like those.
        """
        return self._gaps.scenarios

    @cached_property
    def customer_ids(self) -> dict[str, str]:
        """Every customer's id by how it reads in small letters."""
        return {each.casefold(): each for each in self.base.collections.get(self.customers, ())}

    def customer_identified_by(self, call: ToolCall, result: ToolResult) -> str | None:
        """The customer whom a look-up identified, where the policy lets it be one that does."""
        allowed = call.name in self.identifies and not result.error
        return self.customer_of(call, result.text) if allowed else None

    def records(self) -> Records:
        """Records for a new session, untouched."""
        return Records(self.base, self.tools)

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario of that id; DomainError names some of those there are."""
        for scenario in self._one_by_one():
            if scenario.id == scenario_id:
                return scenario
        if not self.scenarios:
            raise DomainError(
                f"There is no scenario {scenario_id!r}: {self.name} has none on these records."
            )
        some = ", ".join(scenario.id for scenario in self.scenarios[:20])
        more = f", and {len(self.scenarios) - 20} more" if len(self.scenarios) > 20 else ""
        raise DomainError(
            f"There is no scenario {scenario_id!r} in {self.name}. There are: {some}{more}."
        )

    @property
    def all_scenarios(self) -> tuple[Scenario, ...]:
        """What there is to role-play, and after it what stands in a gap of the policy."""
        return tuple(self._one_by_one())

    def _one_by_one(self) -> Iterator[Scenario]:
        """Those that stand in a gap are read once all others were passed over."""
        yield from self.scenarios
        yield from self.gap_scenarios

    @cached_property
    def policy_digest(self) -> str:
        """Digest of the policy text."""
        return digest(self.policy)

    @cached_property
    def tools_digest(self) -> str:
        """Digest of the tools' schemas."""
        return digest(self.tools.schemas)
