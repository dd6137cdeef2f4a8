"""Garbage collection that keeps out of the way of typing.

A full collection looks at every container in the process. With the engine and litellm imported
that is over a million of them, and 300 to 400 ms in which no key shows; at Python's own pace one
came every two seconds while a model streamed. Nearly all of those containers are modules, which
never go. So what has been imported is set aside (``gc.freeze``), where no collection looks at it,
full collections come seldom by themselves, and one is made when a turn is over and nobody waits.
What is left to look at then is what the conversation itself made: a few milliseconds.

Things that were set aside are not collected, even when they become garbage. That is why a
conversation that is left is brought back among the rest and collected (`let_go`).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (2_000, 20, 100)
"""A full collection by itself only after some four million new containers: a safety net."""

MANY = 50
"""Modules that make a difference: litellm brings a thousand, a lazy import in our code a few."""

_modules = 0


def put_off() -> None:
    """No collections until the first frame is on the screen; for before the first import."""
    gc.disable()


@contextmanager
def seldom() -> Iterator[None]:
    """Few collections within the block, none of which looks at what there is now."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def begin() -> None:
    """Collect from here on, but seldom; nothing of what there is now is looked at again."""
    global _modules
    gc.freeze()
    _modules = len(sys.modules)
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


def set_aside() -> None:
    """Take all there is now out of what collections look at.

    Only the youngest are looked through first: the rest is a few thousand containers of garbage
    at most, once, against a pause of the length that this is here to avoid.
    """
    global _modules
    gc.collect(1)
    gc.freeze()
    _modules = len(sys.modules)


def tidy() -> None:
    """Collect what a turn left behind; what was imported during it is set aside instead."""
    if len(sys.modules) - _modules >= MANY:
        set_aside()
    else:
        gc.collect()


def let_go() -> None:
    """Collect among everything, also what was set aside; the one long pause, between sessions."""
    gc.unfreeze()
    gc.collect()
    set_aside()
