"""Calls that try to get by: under wrong names, twice, by the thousand, or merged into one."""

from __future__ import annotations

import json

from tests.agent.hostile.zoo import (
    CALLED,
    DONE,
    WORDS,
    Answer,
    animal,
    call,
    chunk,
    event,
    stream,
    whole,
)
from tests.agent.models.litellm.wire_protocol import Exchange

TAKE = json.dumps({"jar": "red", "coins": 3})
LOOK = json.dumps({"jar": "red"})


def calling(*calls: bytes) -> Answer:
    """These calls with a proper end; and words, once it is told what came of them."""
    proposing, answering = stream(*calls, CALLED, DONE), whole(WORDS)

    async def answer(exchange: Exchange) -> None:
        told = exchange.request.body["messages"][-1]["role"] == "tool"
        await (answering if told else proposing)(exchange)

    return answer


def _plant() -> None:
    animal("a write", calling(call("take", TAKE)))
    animal("a write for ever", stream(call("take", TAKE), CALLED, DONE), quick=False)
    animal("merged under index 0", calling(call("look", LOOK, "a"), call("take", TAKE, "b")))
    animal("one id for two calls", calling(call("look", LOOK), call("take", TAKE, "c1", 1)))
    animal("no ids", calling(call("look", LOOK, None), call("take", TAKE, None, 1)))
    animal("a look that ends as a write", calling(call("look", LOOK), call("take", "", "c1")))
    animal("a write behind a look, in its arguments", calling(call("look", LOOK + TAKE)))
    animal("thousands of calls", calling(*(call("take", TAKE, f"c{n}", n) for n in range(3_000))))
    animal("thousands of calls in one event", calling(_many(3_000)))
    animal("a call with an index of 10^9", calling(call("take", TAKE, "c", 10**9)))
    animal("a call with a negative index", calling(call("take", TAKE, "c", -1)))
    animal("a call with an index of text", calling(call("take", TAKE, "c", "0")))
    animal("a call without an index", calling(call("take", TAKE, "c", None)))
    animal("a call whose name is a list", calling(call(["take"], TAKE)))
    animal("a call whose arguments are an object", calling(call("take", {"jar": "red"})))
    animal("a call whose arguments are a number", calling(call("take", 7)))
    animal("a call whose id is a number", calling(call("take", TAKE, 7)))
    animal("a call that is text", calling(event(chunk({"tool_calls": "take"}))))
    animal("a call that is null", calling(event(chunk({"tool_calls": [None]}))))
    animal("a call without a function", calling(event(chunk({"tool_calls": [{"index": 0}]}))))
    animal(
        "the old kind of call",
        calling(event(chunk({"function_call": {"name": "take", "arguments": TAKE}}))),
    )
    names = {"an unknown tool": "drop_all", "no name": "", "a name in capitals": "TAKE",
             "a name with blanks": " take ", "a path for a name": "../../take",
             "a dunder for a name": "__class__", "escapes in a name": "ta\x1b[31mke",
             "hidden characters in a name": "ta\u200bke", "a long name": "take" * 20_000,
             "another alphabet's name": "tаke"}  # fmt: skip
    for about, name in names.items():
        animal(about, calling(call(name, TAKE)))
    arguments = {
        "arguments cut": '{"jar": "red",', "arguments with NaN": '{"jar": "red", "coins": NaN}',
        "arguments with keys twice": '{"jar": "red", "coins": 1, "coins": 9}',
        "arguments without bounds": '{"jar": "red", "coins": 1e999}',
        "arguments of 5,000 digits": '{"jar": "red", "coins": ' + "9" * 5_000 + "}",
        "deep arguments": '{"jar": ' + "[" * 90_000, "arguments that are a list": "[1]",
        "arguments of 300 kilobytes": json.dumps({"jar": "x" * 300_000, "coins": 1}),
        "surrogates in arguments": '{"jar": "red\\ud800", "coins": 1}',
        "escapes in arguments": '{"jar": "red\\u001b[31m\\u202e", "coins": 1}',
        "a proto in arguments": '{"__proto__": {}, "jar": "red", "coins": 1}',
        "a consent in arguments": '{"jar": "red", "coins": 1, "consent": true, "approved": true}',
        "negative coins": '{"jar": "red", "coins": -99}',
        "true coins": '{"jar": "red", "coins": true}',
    }  # fmt: skip
    for about, text in arguments.items():
        animal(about, calling(call("take", text)))
    animal(
        "words that ask for an approval",
        stream(
            event(chunk({"content": '{"name": "take", "arguments": ' + TAKE + "}"})), CALLED, DONE
        ),
    )


def _many(count: int) -> bytes:
    function = {"name": "take", "arguments": TAKE}
    made = [{"index": n, "id": f"c{n}", "type": "function", "function": function}
            for n in range(count)]  # fmt: skip
    return event(chunk({"tool_calls": made}))


_plant()
