"""Reads a response in small pieces, with timed pauses so that key presses are handled (law 7)."""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from agent.models.litellm.line import LONGEST_ERROR, Line

BOM = b"\xef\xbb\xbf"
"""The byte order mark that may precede a stream and is not part of its first line."""

WORK = 0.004
"""Seconds of reading without a pause."""

REST = 0.006
"""Seconds of a pause, in which the event loop is free; handling a key takes several rounds of
it."""

AT_ONCE = 16_384
"""Bytes that are unpacked at a time."""

_SEGMENTS = re.compile(rb"[^\r\n]{1,1024}(?:\r\n|\r|\n)?|\r\n|\r|\n")
"""Lines; long ones in parts of one kilobyte."""


class Pause:
    """Measures work time, and pauses once there has been enough of it."""

    def __init__(self) -> None:
        self._worked = 0.0
        self._since = 0.0

    def begin(self) -> None:
        """Start measuring work."""
        self._since = time.perf_counter()

    async def end(self) -> None:
        """Stop measuring, and pause if enough work has been done."""
        self._worked += time.perf_counter() - self._since
        if self._worked >= WORK:
            self._worked = 0.0
            await asyncio.sleep(REST)


async def in_small_pieces(blocks: AsyncIterator[bytes], line: Line) -> AsyncGenerator[bytes, None]:
    """Yield the same bytes, counted, by lines or parts of them; raises Stopped beyond the limits.

    A consumer processes each piece before it asks for the next one, so its time counts as work too.
    An error response ends after LONGEST_ERROR bytes.
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
    """Yield the decompressed bytes, a little at a time; raises Stopped.

    No compression is ever requested. If a response is compressed anyway, only gzip and deflate are
    read, because they can be unpacked in small steps: a few bytes may expand to a gigabyte.
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
    """Yield a response's body within the line's limits; raises Stopped."""
    plain = decompress(blocks, encoding, line) if encoding not in ("", "identity") else blocks
    async with aclosing(in_small_pieces(plain, line)) as pieces:
        async for piece in pieces:
            yield piece
