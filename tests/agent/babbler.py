"""A model that writes anything at all: text, reasoning, calls that are none, and calls that are."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable

from agent.models.protocol import (
    CallPiece,
    Finish,
    ModelFault,
    ModelRequest,
    Piece,
    ReasoningPiece,
    TextPiece,
)
from domains.core.domain import Domain
from sessions.events.memory import RETRIEVE
from tests.agent.scripted import is_second_thought

_GARBAGE = "\x00\x1b[31m\u202eabc{}[]\"'\\/:,0123456789eE+-.  \n\té💥\ud800nulltrue<tool_call>"


class Babbler:
    """A model that writes anything at all."""

    name = "babbler"

    def __init__(self, domain: Domain, seed: int) -> None:
        self._random = random.Random(seed)
        self._tools = [tool.name for tool in domain.tools]
        orders = domain.base.collections["orders"]
        self.pending = [key for key, order in orders.items() if order["status"] == "pending"]
        self._ids = [key for records in domain.base.collections.values() for key in records]
        self.answers = 0
        self._proposed: list[Piece] = []
        """The calls that it proposed last."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Piece]:
        self.answers += 1
        pick = self._random
        if request.tools and pick.random() < (0.7 if is_second_thought(request) else 0.25):
            for piece in self._proposed:
                yield piece
            yield Finish("tool_calls")
            return
        if pick.random() < 0.02:
            raise ModelFault("garbled", "Noise.")
        if pick.random() < 0.5:
            yield TextPiece(self._text(200))
        if pick.random() < 0.2:
            yield ReasoningPiece(self._text(200))
        if request.tools and pick.random() < 0.55:
            self._proposed = self._calls()
            for piece in self._proposed:
                yield piece
        if pick.random() < 0.98:  # else the stream is cut
            yield Finish(pick.choice(["stop", "tool_calls", "length", self._text(9)]))

    def _calls(self) -> list[Piece]:
        pick = self._random
        count = pick.choice([1, 1, 1, 2, 3, 50, 70])
        return [
            piece
            for index in range(count)
            for piece in self._call(pick.choice([index, index, 0, 10**9]))
        ]

    def _call(self, index: int) -> list[Piece]:
        pick = self._random
        if pick.random() < 0.15:
            reason = pick.choice(["no longer needed", "ordered by mistake"])
            right = {"order_id": pick.choice(self.pending), "reason": reason}
            return [
                CallPiece(index, f"c{pick.random()}", "cancel_pending_order", json.dumps(right))
            ]
        if pick.random() < 0.08:
            wanted = pick.choice([{}, {"capabilities": pick.sample(self._tools, 1)}])
            return [CallPiece(index, f"c{pick.random()}", RETRIEVE, json.dumps(wanted))]
        name = pick.choice([*self._tools * 3, "", "drop_tables", self._text(12), None])
        id = pick.choice([None, "", "same", f"c{pick.random()}"])
        text = pick.choice([self._plausible, self._plausible, self._half, self._strange])()
        cut = pick.randrange(len(text) + 1)
        return [CallPiece(index, id, name, text[:cut]), CallPiece(index, None, None, text[cut:])]

    def _plausible(self) -> str:
        """Arguments of the kind that tools take, with ids that exist."""
        pick, some = self._random, self._ids
        values: list[Callable[[], object]] = [
            lambda: pick.choice(some),
            lambda: [pick.choice(some) for _ in range(pick.randrange(3))],
            lambda: pick.choice(["no longer needed", "paypal_1", "economy", "yes", ""]),
            lambda: pick.randrange(-5, 99),
        ]
        names = [
            "order_id", "user_id", "reason", "item_ids", "new_item_ids", "payment_method_id",
            "product_id", "email", "address1", "city", "zip", "expression", "summary", "item_id",
        ]  # fmt: skip
        chosen = pick.sample(names, pick.randrange(5))
        return json.dumps({name: pick.choice(values)() for name in chosen})

    def _half(self) -> str:
        whole = self._plausible()
        return whole[: self._random.randrange(len(whole))]

    def _strange(self) -> str:
        pick = self._random
        return pick.choice(
            [
                "[" * pick.randrange(1, 3_000),
                '{"a":' * 40 + "1" + "}" * 40,
                '{"order_id": NaN}',
                f'{{"expression": "{"9**" * 30}9"}}',
                f'{{"zip": {"9" * 5_000}}}',
                f'{{"reason": "{"x" * pick.choice([10, 20_000, 200_000])}"}}',
                '{"order_id": "a", "order_id": "b"}',
                self._text(300),
            ]
        )

    def _text(self, most: int) -> str:
        return "".join(self._random.choices(_GARBAGE, k=self._random.randrange(most)))
