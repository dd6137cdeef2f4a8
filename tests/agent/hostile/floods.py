"""Too much: pieces that mean nothing by the hundred thousand, and kilobytes that unpack to more."""

from __future__ import annotations

import asyncio
import gzip
import struct
import zlib
from collections.abc import Callable

from tests.agent.hostile.zoo import DONE, SSE, STOP, Answer, animal, body, call, chunk, event
from tests.agent.models.litellm.wire_protocol import Exchange

EMPTY = event({"choices": []})
LETTER = event(chunk({"reasoning_content": "x"}))
WORD = event(chunk({"content": "word "}))
BLOCK = 2_000
"""Events that are written at once."""


def later(make: Callable[[], Answer]) -> Answer:
    """An answer that is made when it is asked for: all of them at once are a gigabyte."""

    async def answer(exchange: Exchange) -> None:
        await make()(exchange)

    return answer


def flood(one: bytes, count: int, *after: bytes) -> Answer:
    """One event so many times, all at once, then the rest."""
    return later(lambda: body(one * count, *after))


def endless(one: bytes, pause: float = 0.0) -> Answer:
    """One event for as long as somebody listens."""

    async def answer(exchange: Exchange) -> None:
        await exchange.head(200, SSE)
        while True:
            await exchange.bytes(one * (1 if pause else BLOCK))
            await asyncio.sleep(pause)

    return answer


def bomb(part: bytes, count: int, encoding: str) -> bytes:
    """What a part comes to, so many times, when it is compressed.

    It is compressed once: after a full flush a block stands for itself, wherever it is.
    """
    packing = zlib.compressobj(9, wbits=-15)
    block = packing.compress(part) + packing.flush(zlib.Z_FULL_FLUSH)
    inside = block * count + packing.flush()
    summed, check = (zlib.crc32, 0) if encoding == "gzip" else (zlib.adler32, 1)
    for _ in range(count):
        check = summed(part, check)
    if encoding == "gzip":
        whole = (len(part) * count) % 2**32
        return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + inside + struct.pack("<LL", check, whole)
    return b"\x78\xda" + inside + struct.pack(">L", check)


def packed(data: Callable[[], bytes], encoding: str) -> Answer:
    """A body that says how it is compressed, whether it is or not."""
    return later(lambda: body(data(), headers=(f"content-encoding: {encoding}",)))


def events_bomb() -> bytes:
    """Half a gigabyte of events that say nothing."""
    return bomb(EMPTY * 10_000, 500, "gzip")


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
    animal(
        "after the end, a flood", later(lambda: body(WORD, STOP, DONE, EMPTY * 60_000)), quick=False
    )
    animal(
        "a megabyte of one letter, uncounted",
        later(lambda: whole_text("x" * 900_000)),
        quick=False,
    )
    animal("one line of two megabytes", later(lambda: body(b"data: " + b"x" * 2_000_000)))
    animal("half a megabyte of words in one event", later(lambda: whole_text("word " * 100_000)))
    animal("one byte at a time", one_byte_chunks, quick=False)
    animal("gzip bomb of events", packed(events_bomb, "gzip"))
    animal("gzip bomb of one line", packed(lambda: bomb(b"x" * 1_000_000, 500, "gzip"), "gzip"))
    animal(
        "deflate bomb of events",
        packed(lambda: bomb(WORD * 10_000, 500, "deflate"), "deflate"),
        quick=False,
    )
    animal("gzip within gzip", packed(lambda: gzip.compress(events_bomb()), "gzip, gzip"))
    said = WORD + STOP + DONE
    animal("gzip that is none", packed(lambda: said, "gzip"))
    animal("gzip cut in the middle", packed(lambda: gzip.compress(WORD * 900 + said)[:40], "gzip"))
    animal("gzip, well meant", packed(lambda: gzip.compress(said), "gzip"))
    animal("brotli", packed(lambda: b"\x0b\x02\x80hello\x03", "br"))
    animal(
        "an error of 100 megabytes",
        later(lambda: body(b"x" * 100_000_000, status=500)),
        quick=False,
    )


def whole_text(text: str) -> Answer:
    """Words in one event, and an end without a count of tokens."""
    size = 400_000
    parts = [event(chunk({"content": text[at : at + size]})) for at in range(0, len(text), size)]
    return body(*parts, STOP, event("[DONE]"))


_plant()
