"""The parts of a domain: a policy, tools, records, and scenarios to role-play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from domains.core.canonical import digest
from domains.core.draft import Draft
from domains.core.facts import Facts
from domains.core.gap import PolicyGap, Variant
from domains.core.personal import PersonalFields
from domains.core.records import Base, Preview, Records
from domains.core.routing import Routing, default_routing
from domains.core.tool import Arguments, ToolCall, ToolResult, Toolset
from domains.core.topics import Topic
from domains.text.naming import Naming


class DomainError(Exception):
    """Records, tasks or a domain that cannot be used; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Role:
    """The customer whom a person plays, described so that it can be read while talking."""

    who: str
    knows: tuple[str, ...] = ()
    does_not_know: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    manner: str = ""
    """How to behave while talking, with one line for each instruction."""


@dataclass(frozen=True, slots=True)
class Action:
    """A call that a task expects of the agent, look-ups included, as in τ²-bench's checks."""

    call: ToolCall
    compare: tuple[str, ...] | None = None
    """The names of the arguments that must be equal; None if all of the expected call's must be."""


@dataclass(frozen=True)
class Scenario:
    """One customer's story to role-play, and the states in which the records may acceptably end."""

    id: str
    title: str
    role: Role
    ends: tuple[tuple[ToolCall, ...], ...]
    """Acceptable lists of calls; a session is right if its records equal the end of any of them.

    For a published task, the first is the one that the task itself gives.
    """

    communicate: tuple[str, ...] = ()
    """What the agent must have said: each text must occur in one of its messages."""

    transfer: bool = False
    """Whether the right end is a transfer to a human agent."""

    tags: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    """The calls that a task of the τ²-bench family lists; empty for our own scenarios."""

    assertions: tuple[str, ...] = ()
    """Statements that should be true of the conversation and that only a reader can judge."""

    basis: tuple[str, ...] = ("DB", "COMMUNICATE")
    """The parts of the reward, in τ²-bench's terms: DB, COMMUNICATE, ACTION, NL_ASSERTION.

    Empty for a task that is not scored at all: every session then earns the whole reward.
    """

    source: str = "saber"
    """Where the scenario comes from: ``saber``, ``tau2`` or ``verified``."""

    splits: tuple[str, ...] = ()
    """The splits that the scenario belongs to, such as ``train``, ``test`` and ``base``."""

    ends_from: str = ""
    """Where the acceptable ends other than the task's own come from, in a sentence."""

    gap: str = ""
    """The id of the policy gap that the scenario is about; empty if there is none."""

    parent: str = ""
    """The id of the scenario that this one is a sister of (PolicyBank, appendix A.4)."""

    variant: Variant = ""
    """How it differs from its parent."""

    explanation: str = ""
    """What the agent should have done, as a judge of the conversation would say it."""

    @cached_property
    def digest(self) -> str:
        """Digest of all that is played or scored, by which a changed scenario is recognized."""
        about_gap = (self.gap, self.parent, self.variant, self.explanation)
        return digest(
            [self.id, asdict(self.role), [_plain(end) for end in self.ends], self.communicate,
             self.transfer, _plain(each.call for each in self.actions),
             [each.compare for each in self.actions], self.assertions, self.basis,
             *([about_gap] if any(about_gap) else [])]
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gaps:
    """The known gaps in a policy, and the scenarios that show them."""

    gaps: tuple[PolicyGap, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    """The parents, each followed by its sisters."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the Record pane: a label, a value, and the record path that it shows."""

    label: str
    value: str
    path: str
    """The path as ``collection/key/field.path``.

    The line is highlighted when a change has that path or one below it.
    """


@dataclass(frozen=True, slots=True)
class Sheet:
    """One record as the person reads it: a heading and its lines."""

    heading: str
    fields: tuple[Field, ...]


def _plain(calls: Iterable[ToolCall]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, dict(call.arguments)) for call in calls]


def _no_owner(records: Records, arguments: Arguments) -> None:
    """The owner of records in a domain that declares none: always None."""


def _no_facts(draft: Draft, preview: Preview) -> None:
    """The facts of a change in a domain that declares none: always None."""


def _no_scenarios(domain: Domain) -> tuple[Scenario, ...]:
    """The scenarios of a domain that declares none: there is only free play."""
    return ()


def _no_gaps(domain: Domain) -> Gaps:
    """The policy gaps of a domain that declares none."""
    return Gaps()


@dataclass(frozen=True)
class Domain:
    """Everything that a conversation needs of a domain, shared by all sessions in the process."""

    name: str
    title: str
    policy: str
    """The policy in Markdown, as it is sent to the model."""

    tools: Toolset
    base: Base
    sheets: Callable[[Draft | Records, str], list[Sheet]] = field(repr=False)
    """Returns a customer's records for the Record pane, by customer id."""

    customer_of: Callable[[ToolCall, str], str | None] = field(repr=False)
    """Returns the customer id that a successful look-up (call, result text) reveals, or None."""

    owner_of: Callable[[Records, Arguments], str | None] = field(repr=False, default=_no_owner)
    """Returns the id of the customer whose records a write touches, by its arguments, or None."""

    customers: str = ""
    """The collection whose keys are customer ids; empty if the domain does not say."""

    identifies: frozenset[str] = frozenset()
    """The look-ups by which the policy allows a customer to be identified."""

    read_scenarios: Callable[[Domain], tuple[Scenario, ...]] = field(
        repr=False, default=_no_scenarios
    )
    """Reads the scenarios when they are first needed; may raise DomainError."""

    read_gaps: Callable[[Domain], Gaps] = field(repr=False, default=_no_gaps)
    """Reads the known gaps in the policy when they are first needed; may raise DomainError."""

    naming: Naming = field(repr=False, default=Naming())
    """What records and their values are called when differences are listed field by field."""

    facts: Callable[[Draft, Preview], Facts | None] = field(repr=False, default=_no_facts)
    """Returns what a call would do, as values, from the records before it and its preview."""

    topics: tuple[Topic, ...] = ()
    """What a customer may ask about a change; the answers come from its trial."""

    personal: PersonalFields = field(repr=False, default_factory=dict)
    """The fields of its records that are personal data; empty if the domain does not say."""

    routing: Routing = field(repr=False, default_factory=default_routing)
    """What the router needs to tell this domain's simple sessions from its complex ones."""

    greeting: str = "Hi! How can I help you today?"

    @cached_property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios to role-play; raises DomainError if they cannot be read."""
        return self.read_scenarios(self)

    @cached_property
    def _gaps(self) -> Gaps:
        return self.read_gaps(self)

    @property
    def gaps(self) -> tuple[PolicyGap, ...]:
        """The known gaps in the policy; raises DomainError if they cannot be read."""
        return self._gaps.gaps

    @property
    def gap_scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios that are about a gap in the policy: each parent, then its sisters.

        They are not among :attr:`scenarios`, but :meth:`scenario` finds them by id too.
        """
        return self._gaps.scenarios

    @cached_property
    def customer_ids(self) -> dict[str, str]:
        """Every customer id by its casefolded form."""
        return {each.casefold(): each for each in self.base.collections.get(self.customers, ())}

    def customer_identified_by(self, call: ToolCall, result: ToolResult) -> str | None:
        """The customer whom a look-up identified, or None.

        None also if the policy does not allow that look-up to identify a customer.
        """
        allowed = call.name in self.identifies and not result.error
        return self.customer_of(call, result.text) if allowed else None

    def records(self) -> Records:
        """The records for a new session, unchanged."""
        return Records(self.base, self.tools)

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario with that id; raises DomainError, which names some of the existing ones."""
        for scenario in self._iterate_scenarios():
            if scenario.id == scenario_id:
                return scenario
        if not self.scenarios:
            raise DomainError(
                f"There is no scenario {scenario_id!r}: {self.name} has none for these records."
            )
        some = ", ".join(scenario.id for scenario in self.scenarios[:20])
        more = f", and {len(self.scenarios) - 20} more" if len(self.scenarios) > 20 else ""
        raise DomainError(
            f"There is no scenario {scenario_id!r} in {self.name}. There are: {some}{more}."
        )

    @property
    def all_scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios to role-play, followed by those that are about a gap in the policy."""
        return tuple(self._iterate_scenarios())

    def _iterate_scenarios(self) -> Iterator[Scenario]:
        """Yield all scenarios; those about gaps are not read before they are reached."""
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
