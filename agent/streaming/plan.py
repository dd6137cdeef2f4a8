"""What a stream plays: tasks in a shuffled order, with sisters right after their parents.

(PolicyBank, section 5.1.) Each seed has its own order, which all its trials share. The plan depends
on the settings alone; what has already been done is in the session file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

from agent.headless.plan import ALL_MISTAKES, Arm, Place, Plan, RunError, seed_of
from agent.memory.feedback import Regime
from agent.memory.keeping import is_name
from agent.models.choosing import is_clerk
from domains.core.canonical import digest
from domains.core.domain import Scenario
from domains.core.gap import Variant
from sessions.events import RunPlace, StreamPlace
from sessions.events.memory import ReadBy

Kind = Literal["none", "policybank", "reasoningbank", "synapse"]
"""What an agent remembers: nothing; how the policy is to be understood; insights in sentences, from
successes and failures; successful conversations as examples."""

RULES = "rules"
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""A family in its order: the parent, then its sisters (PolicyBank, appendix A.4)."""


@dataclass(frozen=True, slots=True)
class Learning:
    """How the agents of one arm learn."""

    kind: Kind
    feedback: Regime | Literal[""] = ""
    """Empty if nothing is learned, or if only success counts."""

    read_by: ReadBy | Literal[""] = ""

    @property
    def name(self) -> str:
        """The arm's name."""
        if self.kind == "none":
            return "no memory"
        by = f" ({self.read_by})" if self.kind == "policybank" and self.read_by != "tool" else ""
        return f"{self.kind}{by}" + (f", {self.feedback}" if self.feedback else "")


def learnings(
    kinds: Iterable[Kind], feedback: Sequence[Regime], ways: Sequence[ReadBy]
) -> tuple[Learning, ...]:
    """The ways of learning to compare, each once; a baseline is read only in its own way."""
    found: list[Learning] = []
    for kind in kinds:
        match kind:
            case "none":
                found.append(Learning(kind))
            case "synapse":
                found.append(Learning(kind, "", "examples"))
            case "reasoningbank":
                found += [Learning(kind, each, "insights") for each in feedback]
            case "policybank":
                found += [Learning(kind, each, way) for each in feedback for way in ways]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Lane:
    """One stream: sessions in sequence, with a memory of their own."""

    learning: Learning
    seed: int
    trial: int
    places: tuple[Place, ...]
    bank: str
    """The name of its memory."""

    @property
    def keeper(self) -> str:
        """The run's name and settings, which identify this stream as the owner of its memory."""
        run = self.places[0].run
        return f"{run.name} {run.settings}"


@dataclass(frozen=True)
class StreamPlan:
    """The streams to compare: what all their sessions share, and how each one learns."""

    plan: Plan
    """The shared plan. Its arms are those of `learnings`, in order; its seed and trials are
    ignored."""

    learnings: tuple[Learning, ...]
    seeds: tuple[int, ...]
    trials: int
    policy_agent: str = RULES
    begun_by: str = RULES
    families: tuple[tuple[Scenario, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        if self.plan.model == ALL_MISTAKES:
            raise RunError("A stream is one agent that learns: name a mistake, not all of them.")
        if is_clerk(self.policy_agent) or is_clerk(self.begun_by):
            raise RunError(
                "The clerk is rules, not a language model: leave out --policy-agent and "
                "--begun-by to use rules."
            )
        object.__setattr__(self, "families", families_of(self.plan.scenarios))

    @cached_property
    def name(self) -> str:
        """The given name, or a name derived from the settings."""
        if self.plan.given_name is not None:
            return self.plan.given_name
        told = digest([self.settings[each] for each in self.learnings])[:8]
        return f"{self.plan.domain.name}-stream-{told}"

    @cached_property
    def settings(self) -> Mapping[Learning, str]:
        """A digest per arm of everything its sessions have in common, including the stream's tasks.

        Seeds and trials can be added later, but not tasks, because every session depends on those
        before it in the stream.
        """
        return {each: self._settings(each) for each in self.learnings}

    def _settings(self, learning: Learning) -> str:
        domain = self.plan.domain
        return digest(
            [
                replace(self.plan, seed=0).settings(self._arm(learning)),
                asdict(learning),
                *(self._learns(learning).values()),
                sorted((each.id, each.digest) for each in self.plan.scenarios),
                *([asdict(each) for each in domain.gaps] if learning.feedback == "oracle" else []),
            ]
        )

    def learns_by_code(self, learning: Learning) -> bool:
        """Whether no model contributes to what an arm's agents remember."""
        said = self._learns(learning)
        return {said["policy_agent"], said["begun_by"]} <= {"", RULES}

    def lanes(self) -> Iterator[Lane]:
        """Yield every stream, one of each arm before any arm has its next one."""
        for trial in range(1, self.trials + 1):
            for seed in self.seeds:
                for each in self.learnings:
                    yield self._lane(each, seed, trial)

    def _lane(self, learning: Learning, seed: int, trial: int) -> Lane:
        arm = self._arm(learning)
        places = tuple(
            Place(
                scenario, arm, self.plan.model,
                RunPlace(
                    name=self.name, settings=self.settings[learning], arm=arm.name, trial=trial,
                    seed=seed_of(seed, scenario.id, trial), customer=self.plan.customer,
                    run_seed=seed, agent=self.plan.model,
                    stream=StreamPlace(**self._learns(learning), position=position),
                ),
            )
            for position, scenario in enumerate(in_order(self.families, seed), 1)
        )  # fmt: skip
        return Lane(learning, seed, trial, places, bank_name(self.name, learning, seed, trial))

    def _arm(self, learning: Learning) -> Arm:
        return next(arm for arm in self.plan.arms if arm.name == learning.name)

    def _learns(self, learning: Learning) -> dict[str, str]:
        """Who learns and how, as recorded in each session."""
        by_agent = learning.kind in ("policybank", "reasoningbank")
        return {
            "memory": learning.kind,
            "feedback": learning.feedback,
            "read_by": learning.read_by,
            "policy_agent": self.policy_agent if by_agent else "",
            "begun_by": self.begun_by if learning.kind == "policybank" else "",
        }


def families_of(scenarios: Iterable[Scenario]) -> tuple[tuple[Scenario, ...], ...]:
    """Each parent followed by its sisters; any other scenario is a family of its own."""
    found: dict[str, list[Scenario]] = {}
    for each in scenarios:
        found.setdefault(each.parent or each.id, []).append(each)
    return tuple(
        tuple(sorted(family, key=lambda each: (VARIANTS.index(each.variant), each.id)))
        for family in found.values()
    )


def in_order(families: Iterable[Sequence[Scenario]], seed: int) -> Iterator[Scenario]:
    """Yield the families in a seed's order; adding a family does not reorder the others."""
    for family in sorted(families, key=lambda each: digest([seed, each[0].parent or each[0].id])):
        yield from family


def with_sisters(plan: Plan, *, every: bool) -> Plan:
    """The plan plus the sisters of its parents; with ``every``, plus all scenarios about gaps."""
    chosen = {each.id: each for each in plan.scenarios}
    for each in plan.domain.gap_scenarios:
        if every or each.parent in chosen:
            chosen.setdefault(each.id, each)
    return replace(plan, scenarios=tuple(chosen.values()))


def bank_name(run: str, learning: Learning, seed: int, trial: int) -> str:
    """The name of a stream's memory, valid whatever the run's name is."""
    way = learning.read_by if learning.kind == "policybank" else ""
    arm = "-".join(filter(None, (learning.kind, learning.feedback, way)))
    own = f"{run}.{arm}.{seed}.{trial}"
    return own if is_name(own) else f"{digest(run)[:12]}.{arm}.{seed}.{trial}"
