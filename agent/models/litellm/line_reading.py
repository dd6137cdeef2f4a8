"""Reading a response in small pieces, with pauses by the clock for the person's keys (law 7)."""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from agent.models.litellm.line import LONGEST_ERROR, Line

BOM = b"\xef\xbb\xbf"
"""What may begin a stream and is no part of its first line."""

WORK = 0.004
"""Seconds of reading at a stretch."""

REST = 0.006
"""Seconds in which the loop is everybody else's: it takes several rounds of it to act on a key."""

AT_ONCE = 16_384
"""Bytes that are unpacked at a time."""

_SEGMENTS = re.compile(rb"[^\r\n]{1,1024}(?:\r\n|\r|\n)?|\r\n|\r|\n")
"""Lines, and the kilobytes of long ones."""


class Pause:
    """Counts work at a stretch, and stands aside when there was enough of it."""

    def __init__(self) -> None:
        self._worked = 0.0
        self._since = 0.0

    def begin(self) -> None:
        """Work begins."""
        self._since = time.perf_counter()

    async def end(self) -> None:
        """Work ends, for now or for a rest."""
        self._worked += time.perf_counter() - self._since
        if self._worked >= WORK:
            self._worked = 0.0
            await asyncio.sleep(REST)


async def in_small_pieces(blocks: AsyncIterator[bytes], line: Line) -> AsyncGenerator[bytes, None]:
    """The same bytes, counted, by lines or less; raises Stopped where there are too many.

    Whatever is made of a piece is made before the next one is asked for: the time between the two
    is work, whoever does it. A response that is no answer ends where it has said enough.
    """
    pause, most = Pause(), None if line.status == 200 else LONGEST_ERROR
    async for block in blocks:
        begins = 0 if line.length or not block.startswith(BOM) else len(BOM)
        for found in _SEGMENTS.finditer(block, begins):
            pause.begin()
            line.count(found[0])
            yield found[0]
            await pause.end()
            if most is not None and line.length > most:
                return


async def decompress(
    blocks: AsyncIterator[bytes], encoding: str, line: Line
) -> AsyncGenerator[bytes, None]:
    """The bytes without their compression, a little at a time; raises Stopped.

    None is ever asked for. Of those that come nevertheless the two are read that can be unpacked
    by bits: a few bytes may stand for a gigabyte.
    """
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise line.stop("packed")
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
    async for block in blocks:
        packed = block
        while packed:
            try:
                plain = unpacking.decompress(packed, AT_ONCE)
            except zlib.error:
                raise line.stop("packed") from None
            packed = unpacking.unconsumed_tail
            yield plain


async def read(
    blocks: AsyncIterator[bytes], encoding: str, line: Line
) -> AsyncGenerator[bytes, None]:
    """A response's body as it may be read; raises Stopped."""
    plain = decompress(blocks, encoding, line) if encoding not in ("", "identity") else blocks
    async with aclosing(in_small_pieces(plain, line)) as pieces:
        async for piece in pieces:
            yield piece
