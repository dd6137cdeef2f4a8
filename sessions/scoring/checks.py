"""τ²-bench's individual checks, and the rewards that are products of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domains.core.domain import Action, Scenario
from domains.core.tool import Arguments, ToolCall
from sessions.cleaning import clean, clean_json
from sessions.events import ActionCheck, AssertionCheck, SaidCheck

OURS = "saber"
"""The source of our own scenarios, as opposed to the tasks of a benchmark."""

CLASSIC = ("DB", "COMMUNICATE")
"""τ²-bench's original reward basis, which it still uses for a task that names none."""


def said_checks(scenario: Scenario, said: Sequence[str]) -> tuple[SaidCheck, ...]:
    """Check for each required text whether it occurs in one of the agent's messages.

    Case is ignored, and so are commas in the messages. In our own scenarios, commas in the required
    text are ignored too. τ²-bench keeps those, so a text with a comma can never be found there.
    """
    messages = [_plain(message) for message in said]
    ours = scenario.source == OURS
    wanted = [(text, _plain(text) if ours else text.lower()) for text in scenario.communicate]
    return tuple(
        SaidCheck(text=clean(text), said=any(part in message for message in messages))
        for text, part in wanted
    )


def action_checks(scenario: Scenario, calls: Sequence[ToolCall]) -> tuple[ActionCheck, ...]:
    """Check for each call that the task lists whether the agent made a matching call."""
    return tuple(
        ActionCheck(
            name=action.call.name,
            arguments=clean_json(dict(action.call.arguments)),
            made=any(matches_action(action, call) for call in calls),
        )
        for action in scenario.actions
    )


def matches_action(action: Action, call: ToolCall) -> bool:
    """Whether a call matches the expected one by τ²-bench's rules.

    If the action does not name the arguments to compare, those of the call that was made are
    compared. A call with fewer arguments than expected therefore matches too.
    """
    if action.call.name != call.name:
        return False
    names = tuple(call.arguments) if action.compare is None else action.compare
    return _only(names, call.arguments) == _only(names, action.call.arguments)


@dataclass(frozen=True, slots=True)
class RewardParts:
    """The results of the checks that a reward can consist of."""

    records: bool
    """Whether the records are in the state of the task's own end."""

    said: tuple[SaidCheck, ...]
    actions: tuple[ActionCheck, ...]
    assertions: tuple[AssertionCheck, ...]

    def reward(self, basis: Iterable[str], cut_short: str) -> float | None:
        """The product of the checks in a basis: 1 or 0; None if none fails but some are unknown.

        The reward is 0 if ``cut_short`` is not empty.
        """
        if cut_short:
            return 0.0
        found = {self._part(name) for name in basis}
        if False in found:
            return 0.0
        return None if None in found else 1.0

    def _part(self, name: str) -> bool | None:
        match name:
            case "DB":
                return self.records
            case "COMMUNICATE":
                return all(each.said for each in self.said)
            case "ACTION":
                return all(each.made for each in self.actions)
            case "NL_ASSERTION":
                return self._assertions
            case _:
                return None

    @property
    def _assertions(self) -> bool | None:
        verdicts = {each.verdict for each in self.assertions}
        if "unmet" in verdicts:
            return False
        return None if "not judged" in verdicts else True


def _only(names: Iterable[str], arguments: Arguments) -> dict[str, object]:
    return {name: arguments[name] for name in names if name in arguments}


def _plain(text: str) -> str:
    """The text in lower case and without commas, which people write in different ways."""
    return text.lower().replace(",", "")
