from __future__ import annotations

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from console.widgets.key_line import KeyLine
from console.widgets.pane_keys import PaneKeys


class Host(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "note('help')", "Help"),
        Binding("f3", "note('three')", "Third"),
        Binding("f2,alt+r", "note('two')", "Second"),
        Binding("f4", "note('never')", "Off"),
        Binding("f5", "note('hidden')", "Hidden", show=False),
    ]

    def __init__(self, line: type[KeyLine]) -> None:
        super().__init__()
        self._line = line
        self.noted: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input()
        yield self._line()

    def action_note(self, what: str) -> None:
        self.noted.append(what)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if parameters == ("never",) else True

    @property
    def drawn(self) -> str:
        return str(self.query_one(KeyLine).render())


@pytest.mark.parametrize("size", [(60, 10), (130, 10)])
async def test_every_key_is_pressed_by_a_click_where_it_stands(size: tuple[int, int]) -> None:
    app = Host(PaneKeys)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert app.drawn.index("Second") < app.drawn.index("Third") < app.drawn.index("Help")
        assert "Hidden" not in app.drawn
        assert ("palette" in app.drawn) == (size[0] > 100)
        for name in ("Second", "Third", "Off", "Help"):
            await pilot.click(KeyLine, offset=(app.drawn.index(name), 0))
        await pilot.click(KeyLine, offset=(app.drawn.index("Help") + 6, 0))
        await pilot.pause()
        assert app.noted == ["two", "three", "help"]


async def test_what_does_not_fit_is_cut_and_the_way_to_all_commands_stays() -> None:
    app = Host(KeyLine)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert len(app.drawn) == 40
        assert app.drawn.rstrip().endswith("palette")
        await pilot.click(KeyLine, offset=(36, 0))
        await pilot.pause()
        assert app.screen_stack[1:]


async def test_it_is_drawn_anew_only_where_other_keys_work(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Host(KeyLine)
    async with app.run_test() as pilot:
        await pilot.pause()
        drawings: list[None] = []
        line = app.query_one(KeyLine)
        monkeypatch.setattr(line, "refresh", lambda *_, **__: drawings.append(None))
        app.refresh_bindings()
        app.set_focus(None)
        await pilot.pause()
        assert not drawings
        app.bind("f7", "note('new')", description="New")
        app.refresh_bindings()
        await pilot.pause()
        assert drawings
        assert "New" in app.drawn
