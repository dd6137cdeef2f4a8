"""Too much: pieces that mean nothing by the hundred thousand, and kilobytes that unpack to more."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Iterable
from itertools import repeat

from tests.agent.hostile.zoo import DONE, SSE, STOP, Answer, animal, body, call, chunk, event
from tests.agent.models.litellm.wire_protocol import Exchange

EMPTY = event({"choices": []})
LETTER = event(chunk({"reasoning_content": "x"}))
WORD = event(chunk({"content": "word "}))
BLOCK = 2_000
"""Events that are written at once."""


def flood(one: bytes, count: int, *after: bytes) -> Answer:
    """One event so many times, all at once, then the rest."""
    return body(one * count, *after)


def endless(one: bytes, pause: float = 0.0) -> Answer:
    """One event for as long as somebody listens."""

    async def answer(exchange: Exchange) -> None:
        await exchange.head(200, SSE)
        while True:
            await exchange.bytes(one * (1 if pause else BLOCK))
            await asyncio.sleep(pause)

    return answer


def bomb(parts: Iterable[bytes], encoding: str) -> bytes:
    """What the parts come to when they are compressed."""
    packing = zlib.compressobj(9, wbits=31 if encoding == "gzip" else 15)
    return b"".join([*(packing.compress(part) for part in parts), packing.flush()])


def packed(data: bytes, encoding: str) -> Answer:
    """A body that says how it is compressed, whether it is or not."""
    return body(data, headers=(f"content-encoding: {encoding}",))


async def one_byte_chunks(exchange: Exchange) -> None:
    """Every byte in an HTTP chunk of its own."""
    await exchange.head(200, SSE, "transfer-encoding: chunked")
    data = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in WORD * 400)
    await exchange.bytes(data * 4 + b"0\r\n\r\n")


async def comments(exchange: Exchange) -> None:
    """Signs of life and nothing else, without end."""
    await exchange.head(200, SSE)
    while True:
        await exchange.bytes(b": still working\n\n" * BLOCK)
        await asyncio.sleep(0)


def _plant() -> None:
    for number, (name, one) in enumerate(
        {
            "no choices": EMPTY,
            "empty content": event(chunk({"content": ""})),
            "empty deltas": event(chunk({})),
            "null content": event(chunk({"content": None, "tool_calls": None})),
            "letters of reasoning": LETTER,
            "the same word": WORD,
            "empty calls": event(chunk({"tool_calls": []})),
            "usage": event(chunk(None, usage={"prompt_tokens": 1, "completion_tokens": 1})),
        }.items()
    ):
        animal(f"100,000 times {name}", flood(one, 100_000, STOP, DONE), quick=number in (0, 4))
        animal(f"endless {name}", endless(one), quick=False)
    animal(
        "30,000 letters of reasoning, then an end", flood(LETTER, 30_000, STOP, DONE), quick=False
    )
    animal("an argument in 100,000 pieces", flood(call(None, "1", None), 100_000), quick=False)
    animal("a name in 100,000 pieces", flood(call("x", "", None), 100_000), quick=False)
    animal("one call said 30,000 times", flood(call("take", "{}", "c1"), 30_000, STOP), quick=False)
    animal("comments without end", comments, quick=False)
    animal("blank lines", flood(b"\n", 2_000_000), quick=False)
    animal("carriage returns", flood(EMPTY.replace(b"\n", b"\r"), 30_000), quick=False)
    animal(
        "events named and numbered", flood(b"event: x\nid: 1\nretry: 9\n\n", 50_000), quick=False
    )
    animal("after the end, a flood", body(WORD, STOP, DONE, EMPTY * 60_000), quick=False)
    animal("a megabyte of one letter, uncounted", whole_text("x" * 900_000), quick=False)
    animal("one line of two megabytes", body(b"data: " + b"x" * 2_000_000))
    animal("half a megabyte of words in one event", whole_text("word " * 100_000))
    animal("one byte at a time", one_byte_chunks, quick=False)
    events = bomb(repeat(EMPTY * 1_000, 5_000), "gzip")
    animal("gzip bomb of events", packed(events, "gzip"))
    animal("gzip bomb of one line", packed(bomb(repeat(b"x" * 1_000_000, 500), "gzip"), "gzip"))
    animal(
        "deflate bomb of events",
        packed(bomb(repeat(WORD * 1_000, 5_000), "z"), "deflate"),
        quick=False,
    )
    animal("gzip within gzip", packed(gzip.compress(events), "gzip, gzip"))
    animal("gzip that is none", packed(WORD + STOP + DONE, "gzip"))
    animal("gzip cut in the middle", packed(gzip.compress(WORD * 900 + STOP + DONE)[:40], "gzip"))
    animal("gzip, well meant", packed(gzip.compress(WORD + STOP + DONE), "gzip"))
    animal("brotli", packed(b"\x0b\x02\x80hello\x03", "br"))
    animal("an error of 100 megabytes", body(b"x" * 100_000_000, status=500), quick=False)


def whole_text(text: str) -> Answer:
    """Words in one event, and an end without a count of tokens."""
    size = 400_000
    parts = [event(chunk({"content": text[at : at + size]})) for at in range(0, len(text), size)]
    return body(*parts, STOP, event("[DONE]"))


_plant()
