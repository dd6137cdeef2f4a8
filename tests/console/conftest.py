"""What holds for every test of the console."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack

from agent.headless.late_embedder import LateEmbedder
from console import garbage_collection
from console.conversation.engine import Engine
from console.widgets import key_guard, press_log
from tests.console.cheaper_textual import (
    read_style_sheets_once,
    sort_rules_once,
    wait_for_the_busy,
)
from tests.console.styles_matched_once import match_rules_once
from tests.effort import WHOLE

QUICKER = 5
SPANS = {
    key_guard: (
        "GRACE",
        "ALONE_SECONDS",
        "HESITATION",
        "WORD_SECONDS",
        "LONGEST",
        "WATCHED_SECONDS",
        "DOUBLE_SECONDS",
    ),
    press_log: ("PAUSE",),
}


@pytest.fixture(autouse=True, scope="session")
def textual_is_cheaper() -> Iterator[None]:
    """What Textual does anew for every app of every test is done once, with the same result."""
    with pytest.MonkeyPatch.context() as patched:
        for cheaper in (
            read_style_sheets_once,
            sort_rules_once,
            wait_for_the_busy,
        ):
            cheaper(patched)
        if not WHOLE:  # which has every style worked out where it is needed
            match_rules_once(patched)
        yield


@pytest.fixture(autouse=True, scope="session")
def nothing_is_painted() -> Iterator[None]:
    """Every widget draws itself, but what it drew is not cut up for a terminal that is not there.

    Who looks at the screen has it composed whole then; so have pictures, which ask for all of it.
    """
    painted = Compositor.render_update

    def drawn(here: Compositor, full: bool = False, *asked: Any, **more: Any) -> Any:
        if full:
            return painted(here, full, *asked, **more)
        visible_screen_stack.set(more.get("screen_stack") or [])
        changed, here._dirty_regions = here._dirty_regions, set()
        for widget, (place, clip) in here.visible_widgets.items():
            seen = place.intersection(clip)
            if seen and any(map(seen.overlaps, changed)):
                widget.render_lines(seen.translate(-place.offset))
        return None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Compositor, "render_update", drawn)
        yield


@pytest.fixture(autouse=True)
def quicker_keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards wait a fifth as long for a key to stand alone; these tests press hundreds of keys.

    Those that are about the waiting itself are marked `real_spans`.
    """
    if request.node.get_closest_marker("real_spans") is None:
        for module, names in SPANS.items():
            for name in names:
                monkeypatch.setattr(module, name, getattr(module, name) / QUICKER)


@pytest.fixture(autouse=True)
def no_tidying(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full collection takes long where hundreds of tests have left their modules and pictures.

    Those that are about it are marked `collects`.
    """
    if request.node.get_closest_marker("collects") is None:
        for name in ("collect_after_turn", "unfreeze_and_collect"):
            monkeypatch.setattr(garbage_collection, name, lambda: None)


@pytest.fixture(autouse=True)
def no_embedder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second process reads a model of language for each app that holds a conversation.

    Those that are about what is known in it are marked `embeds`.
    """
    if request.node.get_closest_marker("embeds") is None:
        monkeypatch.setattr(Engine, "ranker", lambda self: None)
        monkeypatch.setattr(LateEmbedder, "start", lambda self: None)
