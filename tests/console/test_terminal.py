from __future__ import annotations

import os
import selectors

import pytest

from console import terminal


def test_after_something_came_what_follows_is_waited_for_but_briefly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float | None] = []
    real = selectors.SelectSelector.select

    def select(
        self: selectors.SelectSelector, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        waited.append(timeout)
        return real(self, 0)

    monkeypatch.setattr(selectors.SelectSelector, "select", select)
    reading, writing = os.pipe()
    listening = terminal._Selector()
    listening.register(reading, selectors.EVENT_READ)
    assert not listening.select(0.1)
    os.write(writing, b"\x1b")
    assert listening.select(0.1)
    os.read(reading, 1)
    assert not listening.select(0.1)
    assert not listening.select(0.1)
    assert waited == [0.1, 0.1, pytest.approx(terminal.DELAY / 1000, abs=0.01), 0.1]


def test_textuals_driver_listens_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from textual.drivers import linux_driver

    monkeypatch.setattr(linux_driver, "selectors", selectors)
    terminal.listen_closely()
    assert vars(linux_driver)["selectors"].SelectSelector is terminal._Selector
