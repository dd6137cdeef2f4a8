from __future__ import annotations

import os
import selectors

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual._xterm_parser import XTermParser
from textual.events import Key

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
    listening = terminal._QuickSelector()
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
    terminal.install_quick_selector()
    assert vars(linux_driver)["selectors"].SelectSelector is terminal._QuickSelector


KITTY = st.from_regex(r"\x1b\[[0-9:;]{0,12}[u~ABCDEFHPQRS]", fullmatch=True)


@example("\x1b[97;1:3u")
@example("\x1b[99999999999;1u")
@example("\x1b[97;1;99999999999u")
@given(KITTY)
def test_no_key_that_nobody_asked_for_ends_the_program(sequence: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(XTermParser, "_parse_extended_key", XTermParser._parse_extended_key)
        terminal.ignore_undecodable_keys()
        parser = XTermParser()
        heard = [*parser.feed(f"x{sequence}y"), *parser.tick(), *parser.feed("")]
    keys = [each.key for each in heard if isinstance(each, Key)]
    assert (keys[0], keys[-1]) == ("x", "y")
