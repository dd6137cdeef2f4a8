"""An agent that makes no mistake: it plays the calls that each task expects, in their order."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import takewhile

from agent.models.protocol import CallPiece, Finish, ModelRequest, Piece, TextPiece
from agent.simulated.scripts import script_for
from domains.core.domain import Domain, Scenario
from domains.core.tool import ToolCall

TRANSFER = "transfer_to_human_agents"


class Oracle:
    """Plays one session by its task's own list; which task it is, it knows by the first words.

    It looks up and changes what the list says, says what has to be said, and proposes a call
    again for as long as nothing came back of it. ``asks`` makes it ask for a yes in words before
    every change as well, as τ²-bench's policies have it.
    """

    def __init__(
        self, domain: Domain, scenarios: Iterable[Scenario], asks: bool, name: str = "oracle"
    ) -> None:
        """``scenarios`` are those that may be played; each begins with other words."""
        self.name = name
        self._domain = domain
        self._asks = asks
        self._openings = {script_for(each).lines[0]: each for each in scenarios}
        self._proposed: dict[str, int] = {}
        """Which call of the list, by the id it was proposed under."""

        self._asked: set[int] = set()
        self._done: set[int] = set()

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        """The next calls of the list, up to the first change; or words where none is left."""
        scenario = self._scenario(request)
        calls = [action.call for action in scenario.actions] or list(scenario.ends[0])
        self._note(request)
        places = [place for place in range(len(calls)) if place not in self._done]
        said = f"Here is what I can tell you: {'; '.join(scenario.communicate)}."
        if not places:
            yield TextPiece(f"That is done. {said if scenario.communicate else ''}")
            yield Finish("stop")
            return
        now = self._next(calls, places)
        first = calls[now[0]]
        if self._asks and self._domain.tools.mutates(first.name) and now[0] not in self._asked:
            self._asked.add(now[0])
            yield TextPiece(f"I will now do {first.name}. Do you confirm (yes/no)?")
            yield Finish("stop")
            return
        if scenario.communicate and any(calls[place].name == TRANSFER for place in now):
            yield TextPiece(said)
        for index, place in enumerate(now):
            call_id = f"call-{len(self._proposed)}"
            self._proposed[call_id] = place
            yield CallPiece(index, call_id, calls[place].name, json.dumps(calls[place].arguments))
        yield Finish("tool_calls")

    def _next(self, calls: Sequence[ToolCall], places: Sequence[int]) -> list[int]:
        """The look-ups that come next, or the one change, or the one hand-over."""
        plain = list(takewhile(lambda place: self._is_plain(calls[place]), places))
        return plain or list(places[:1])

    def _is_plain(self, call: ToolCall) -> bool:
        return call.name != TRANSFER and not self._domain.tools.mutates(call.name)

    def _note(self, request: ModelRequest) -> None:
        """Take in of which calls something came back."""
        for message in request.messages:
            if message["role"] == "tool" and message["tool_call_id"] in self._proposed:
                self._done.add(self._proposed[message["tool_call_id"]])

    def _scenario(self, request: ModelRequest) -> Scenario:
        for text in _customers(request):
            if text in self._openings:
                return self._openings[text]
        raise AssertionError("the customer began with the words of no task")


def _customers(request: ModelRequest) -> Iterator[str]:
    for message in request.messages:
        if message["role"] == "user":
            yield str(message["content"])


def told_apart(scenarios: Iterable[Scenario]) -> list[list[Scenario]]:
    """The scenarios in groups in which no two begin with the same words."""
    groups: list[dict[str, Scenario]] = []
    for each in scenarios:
        opening = script_for(each).lines[0]
        group = next((group for group in groups if opening not in group), None)
        if group is None:
            groups.append(group := {})
        group[opening] = each
    return [list(group.values()) for group in groups]
