"""A conversation with the clerk on real tools: customer lines in, messages and writes out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from agent.clerk.clerk import Clerk
from agent.models.protocol import CallPiece, Finish, Message, ModelRequest, TextPiece
from domains.core.consent import Consent, call_digest
from domains.core.domain import Domain
from domains.core.records import Records
from domains.core.tool import ToolCall

DECLINED = "Not carried out: the customer declined."
CHANGE = "Not carried out: the customer asked for a change."
LIMIT = 40


@cache
def _loop() -> asyncio.Runner:
    """One for all steps: a loop's end waits for its threads, a new one starts them again."""
    return asyncio.Runner()


class Asked(NamedTuple):
    """A call that the clerk asks for, with what it says before it."""

    id: str
    call: ToolCall
    words: str = ""


@dataclass
class Driver:
    """Plays the loop's part: runs look-ups, approves writes unless the script says otherwise."""

    domain: Domain
    clerk: Clerk = field(default_factory=Clerk)
    records: Records = field(init=False)
    messages: list[Message] = field(init=False)
    decisions: list[str] = field(default_factory=list)
    """For the writes to come: ``approve``, ``reject``, ``reject: words``, ``change: words``."""

    writes: list[ToolCall] = field(default_factory=list)
    proposed: list[ToolCall] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    """Checks that did not hold when a write was proposed, each with what was read."""

    reminding: bool = False
    """Whether a reminder is put before each write, as reflection does."""

    def __post_init__(self) -> None:
        self.records = self.domain.records()
        self.messages = [
            {"role": "system", "content": self.domain.policy},
            {"role": "assistant", "content": self.domain.greeting},
        ]

    def say(self, line: str) -> str:
        """One turn: the customer's line to the clerk's words."""
        self.messages.append({"role": "user", "content": line})
        told: list[str] = []
        for _ in range(LIMIT):
            answer = self.ask()
            if isinstance(answer, str):
                self.messages.append({"role": "assistant", "content": answer})
                return "\n\n".join([*told, answer])
            told += [answer.words] if answer.words else []
            words = self._act(answer)
            if words is not None:
                return words
        raise AssertionError("the clerk goes on calling tools without an answer")

    def ask(self, extra: Iterable[Message] = ()) -> str | Asked:
        """The clerk's next step: words, or a call."""
        request = ModelRequest([*self.messages, *extra], self.domain.tools.schemas)
        return _loop().run(_step(self.clerk, request))

    def _act(self, asked: Asked) -> str | None:
        """Run or propose a call; gives words where a reminder turned it into an answer."""
        call = asked.call
        if not self.domain.tools.mutates(call.name):
            self._note(asked, self.records.look_up(call).text)
            return None
        if self.reminding:
            reminder = {
                "role": "user",
                "content": "Reminder before this change: a different option.",
            }
            again = self.ask([reminder])
            if isinstance(again, str):
                self.messages.append({"role": "assistant", "content": again})
                return again
            asked, call = again, again.call
        preview = self.records.preview(call)
        if preview.result.error:
            self._note(asked, preview.result.text)
            return None
        self.proposed.append(call)
        self.failing += self._failing(call)
        self._decide(asked, preview.state)
        return None

    def _failing(self, call: ToolCall) -> Iterator[str]:
        tool = self.domain.tools.get(call.name)
        assert tool is not None
        assert tool.notes is not None
        draft = self.records.draft()
        for check in tool.notes.checks:
            finding = check.run(draft, call.arguments)
            if not finding.holds:
                yield f"{call.name}: {check.name}: {finding.value}"

    def _decide(self, asked: Asked, state: str) -> None:
        call = asked.call
        decision, _, words = (self.decisions.pop(0) if self.decisions else "approve").partition(":")
        if decision != "approve":
            self._note(asked, DECLINED if decision == "reject" else CHANGE)
            if words.strip():
                self.messages.append({"role": "user", "content": words.strip()})
            return
        consent = Consent(card_id=asked.id, call=call_digest(call), state=state, words="")
        self._note(asked, self.records.apply(call, consent).result.text)
        self.writes.append(call)

    def _note(self, asked: Asked, text: str) -> None:
        function = {"name": asked.call.name, "arguments": json.dumps(asked.call.arguments)}
        call: dict[str, Any] = {"id": asked.id, "type": "function", "function": function}
        words = asked.words or None
        self.messages.append({"role": "assistant", "content": words, "tool_calls": [call]})
        self.messages.append({"role": "tool", "tool_call_id": asked.id, "content": text})

    @property
    def said(self) -> Iterator[str]:
        """Everything that the clerk said."""
        return (m["content"] for m in self.messages if m["role"] == "assistant" and m["content"])


async def _step(clerk: Clerk, request: ModelRequest) -> str | Asked:
    words: list[str] = []
    calls: list[CallPiece] = []
    finished: list[str] = []
    async for piece in clerk.stream(request):
        assert not finished, "nothing may follow the last piece"
        if isinstance(piece, TextPiece):
            words.append(piece.text)
        elif isinstance(piece, CallPiece):
            calls.append(piece)
        elif isinstance(piece, Finish):
            finished.append(piece.reason)
    assert len(finished) == 1
    if calls:
        (call,) = calls
        assert call.id
        assert call.name
        return Asked(call.id, ToolCall(call.name, json.loads(call.arguments)), "".join(words))
    return "".join(words)
