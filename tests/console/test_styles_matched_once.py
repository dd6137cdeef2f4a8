"""Nodes have the styles that Textual itself would give them, whatever was styled before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widgets import Label

from tests.agent.scripted import call
from tests.console.stage import FIND, SMALL, stage
from tests.console.styles_matched_once import GIVE, MATCH

THREE = call("take", jar="red", coins=3)
FLAGS = ("_has_hover_style", "_has_focus_within", "_has_order_style", "_has_odd_or_even")


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many nodes of each kind were styled our way, and then no differently by Textual's."""
    counted, ours = Counter[str](), Stylesheet.apply

    def apply(sheet: Stylesheet, node: DOMNode, *, animate: bool = False, **more: Any) -> None:
        ours(sheet, node, animate=animate, **more)
        if animate and node.styles.base.has_rule("transitions"):
            return  # it is on its way
        before = _styles(node)
        with monkeypatch.context() as patched:
            patched.setattr(Stylesheet, "apply", MATCH)
            patched.setattr(Stylesheet, "replace_rules", staticmethod(GIVE))
            MATCH(sheet, node)
        assert before == _styles(node), node
        counted[type(node).__name__] += 1

    monkeypatch.setattr(Stylesheet, "apply", apply)
    return counted


def _styles(node: DOMNode) -> object:
    parts = node._component_styles
    return (
        _rules(node.styles.base._rules),
        {name: _rules(part.base._rules) for name, part in parts.items()},
        [getattr(node, flag) for flag in FLAGS],
    )


def _rules(rules: Any) -> dict[str, Any]:
    return {**rules, "layout": str(rules.get("layout"))}


class Box(Vertical, can_focus=True):
    pass


class Kennel(App[None]):
    """Rules of every kind: they look at a node, at those above it, and at those beside it."""

    CSS = """
    Box { width: 20; &:focus { background: red; } &.-open { layout: horizontal; } }
    Box:focus > Label { color: yellow; }
    Box:disabled Label.-loud { text-style: bold; }
    #first.-open Label { margin: 1; }
    #first Label:odd { width: 3; }
    Box Label:last-child { color: green; }
    Box:focus-within { border: round blue; }
    Box:hover Label { offset: 1 0; }
    Box.-open:focus Box:enabled Label { height: 2; }
    """

    def compose(self) -> ComposeResult:
        for name in ("first", "second"):
            with Box(id=name):
                yield Label("one")
                with Box():
                    yield Label("two", classes="-loud")
                    yield Label("three")


def _acts(box: Box) -> list[Callable[[], Any]]:
    return [
        box.focus,
        partial(box.add_class, "-open"),
        partial(setattr, box, "disabled", True),
        partial(box.mount, Label("four", classes="-loud")),
        partial(box.remove_class, "-open"),
        partial(setattr, box, "disabled", False),
        partial(box.query(Label).toggle_class, "-loud"),
    ]


async def test_nodes_that_a_rule_tells_apart_are_not_styled_alike(compared: Counter[str]) -> None:
    for _ in range(2):  # the second finds everything matched
        app = Kennel()
        async with app.run_test() as pilot:
            for box in (*app.query(Box), *app.query(Box)):
                for act in _acts(box):
                    act()
                    await pilot.pause()
                await pilot.hover(box)
    assert compared["Box"] > 100
    assert compared["Label"] > 100


def _assert_no_one_shares_a_layout_or_shows_what_is_hidden(app: App[Any]) -> None:
    nodes = [node for screen in app.screen_stack for node in screen.walk_children(with_self=True)]
    layouts = [node.styles.layout for node in nodes if node.styles.base.has_rule("layout")]
    assert len({id(layout) for layout in layouts}) == len(layouts) > 10
    for node in nodes:
        assert list(node._nodes.displayed) == [child for child in node._nodes if child.display]


async def test_a_conversation_is_styled_as_textual_styles_it(
    tmp_path: Path, compared: Counter[str]
) -> None:
    for _ in range(2):
        async with stage(tmp_path, *FIND, THREE, "Done.", size=SMALL) as held:
            await held.say("three coins")
            await held.ready_card()
            await held.press("tab", "shift+tab", "tab", "c", "escape", "f2", "f7", "f7")
            await held.pilot.hover("#approve")
            await held.pilot.resize_terminal(120, 30)
            held.app.action_command_palette()
            await held.rest()
            _assert_no_one_shares_a_layout_or_shows_what_is_hidden(held.app)
    assert compared["Button"] > 20
    assert compared["DOMNode"] > 20, "components"
