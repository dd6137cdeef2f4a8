"""τ²-bench's checks, one by one, and the rewards it multiplies from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domains.core.domain import Action, Scenario
from domains.core.tool import Arguments, ToolCall
from sessions.cleaning import clean, clean_json
from sessions.events import ActionCheck, AssertionCheck, SaidCheck

OURS = "saber"
"""The source of a scenario that is no task of somebody else's."""

CLASSIC = ("DB", "COMMUNICATE")
"""The basis that τ²-bench began with, and uses where a task names none."""


def said_checks(scenario: Scenario, said: Sequence[str]) -> tuple[SaidCheck, ...]:
    """For each text that must be said, whether it occurs in one of the agent's messages.

    Case does not count, nor do the commas of a message. In scenarios of ours the commas of the
    text to be said do not count either; in τ²-bench's they do, so that no message can have them.
    """
    messages = [_plain(message) for message in said]
    ours = scenario.source == OURS
    wanted = [(text, _plain(text) if ours else text.lower()) for text in scenario.communicate]
    return tuple(
        SaidCheck(text=clean(text), said=any(part in message for message in messages))
        for text, part in wanted
    )


def action_checks(scenario: Scenario, calls: Sequence[ToolCall]) -> tuple[ActionCheck, ...]:
    """For each call that the task lists, whether one that was made is like it."""
    return tuple(
        ActionCheck(
            name=action.call.name,
            arguments=clean_json(dict(action.call.arguments)),
            made=any(is_like(action, call) for call in calls),
        )
        for action in scenario.actions
    )


def is_like(action: Action, call: ToolCall) -> bool:
    """Whether a call is the expected one, as τ²-bench compares them.

    Where the action does not say which arguments count, those of the call made do: one with fewer
    arguments than were expected is like it, too.
    """
    if action.call.name != call.name:
        return False
    names = tuple(call.arguments) if action.compare is None else action.compare
    return _only(names, call.arguments) == _only(names, action.call.arguments)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a reward can be made of."""

    records: bool
    """The records stand at the task's own end."""

    said: tuple[SaidCheck, ...]
    actions: tuple[ActionCheck, ...]
    assertions: tuple[AssertionCheck, ...]

    def reward(self, basis: Iterable[str], cut_short: str) -> float | None:
        """The product over a basis: 1, 0, or None where none is wrong and some is not known."""
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
    """Without what people write in different ways: case, and the commas in numbers."""
    return text.lower().replace(",", "")
