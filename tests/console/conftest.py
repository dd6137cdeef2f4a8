"""What holds for every test of the console."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.geometry import Region

from console import garbage
from console.conversation.engine import Engine
from console.widgets import key_guard, presses

QUICKER = 5
SPANS = {
    key_guard: ("GRACE", "ALONE", "HESITATION", "WORD", "LONGEST", "WATCHED", "DOUBLE"),
    presses: ("PAUSE",),
}


@pytest.fixture(autouse=True, scope="session")
def style_sheets_read_once() -> Iterator[None]:
    """Every app reads the same style sheets; they come to the same rules where the theme is one.

    A rule's hash is that of the object, as Textual has it, and is not worked out in Python.
    """
    read, known = Stylesheet._parse_rules, dict[object, Any]()

    def remembered(sheet: Stylesheet, *asked: Any, **more: Any) -> Any:
        key = (asked, tuple(more.items()), frozenset(sheet._variables.items()))
        if key not in known:
            known[key] = read(sheet, *asked, **more)
        return known[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Stylesheet, "_parse_rules", remembered)
        patched.setattr(RuleSet, "__hash__", object.__hash__)
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
        for _ in here._get_renders(Region.from_union(list(changed))) if changed else ():
            pass
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
        for name in ("tidy", "let_go"):
            monkeypatch.setattr(garbage, name, lambda: None)


@pytest.fixture(autouse=True)
def no_embedder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second process reads a model of language for each app that holds a conversation.

    Those that are about what is known in it are marked `embeds`.
    """
    if request.node.get_closest_marker("embeds") is None:
        monkeypatch.setattr(Engine, "ranker", lambda self: None)
