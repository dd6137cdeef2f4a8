"""Garbage collection that does not get in the way of typing.

A full collection visits every container in the process. With the engine and litellm imported, that
is over a million containers, and 300 to 400 ms in which no key shows; at Python's own pace one came
every two seconds while a model streamed. Nearly all of those containers belong to modules, which
are never freed. So whatever has been imported is frozen (``gc.freeze``), which exempts it from
collection; full collections rarely start by themselves, and one is made when a turn is over and the
user is not waiting. It then visits only what the conversation itself made, which takes a few
milliseconds.

Frozen objects are not collected, even when they become garbage. That is why leaving a conversation
unfreezes everything and collects it (`unfreeze_and_collect`).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (2_000, 20, 100)
"""A full collection starts by itself only after some four million new containers: a safety net."""

MANY = 50
"""New modules that make freezing worthwhile: litellm has a thousand, our own lazy imports a few."""

_modules = 0


def disable_until_first_frame() -> None:
    """Stop collecting until the first frame is on the screen; call this before the first import."""
    gc.disable()


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect rarely within the block, and never what exists when it begins."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def enable_and_freeze() -> None:
    """Collect from here on, but rarely; whatever exists now is frozen."""
    global _modules
    gc.freeze()
    _modules = len(sys.modules)
    gc.set_threshold(*THRESHOLDS)
    gc.enable()


def freeze_everything() -> None:
    """Freeze everything that exists now.

    Only the young generations are collected first. The garbage that this leaves behind is at most a
    few thousand containers, once; a full collection would be the long pause that this module
    avoids.
    """
    global _modules
    gc.collect(1)
    gc.freeze()
    _modules = len(sys.modules)


def collect_after_turn() -> None:
    """Collect what a turn left behind, or freeze what it imported instead."""
    if len(sys.modules) - _modules >= MANY:
        freeze_everything()
    else:
        gc.collect()


def unfreeze_and_collect() -> None:
    """Unfreeze and collect everything: the one long pause, made between sessions."""
    gc.unfreeze()
    gc.collect()
    freeze_everything()
