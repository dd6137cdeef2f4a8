"""What Textual does for every app of every test, done once or only where it is of use.

What comes of it is the same: the same rules for every widget, the same moment at which a pilot has
waited long enough.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot, WaitForScreenTimeout

SPARED = 0.012
"""Seconds that waking all widgets took. Two keys stay so far apart: by that cards judge them."""


def read_style_sheets_once(patched: pytest.MonkeyPatch) -> None:
    """Every app reads the same style sheets; they come to the same rules where the theme is one.

    A rule's hash is that of the object, as Textual has it, and is not worked out in Python.
    """
    read, known = Stylesheet._parse_rules, dict[object, Any]()
    themes = dict[frozenset[Any], frozenset[Any]]()

    def theme(sheet: Stylesheet) -> object:
        """Its variables, worked out once for a sheet, and the same object where they are alike."""
        variables, theme = vars(sheet).get("theme", (None, None))
        if variables is not sheet._variables:
            found = frozenset(sheet._variables.items())
            theme = themes.setdefault(found, found)
            vars(sheet)["theme"] = (sheet._variables, theme)
        return theme

    def remembered(sheet: Stylesheet, *asked: Any, **more: Any) -> Any:
        key = (asked, tuple(more.items()), theme(sheet))
        if key not in known:
            known[key] = read(sheet, *asked, **more)
        return known[key]

    patched.setattr(Stylesheet, "_parse_rules", remembered)
    patched.setattr(RuleSet, "__hash__", object.__hash__)


def sort_rules_once(patched: pytest.MonkeyPatch) -> None:
    """The same rules in the same order have the same selectors, whichever app's they are."""
    sort: Callable[[Stylesheet], dict[str, list[RuleSet]]] = vars(Stylesheet)["rules_map"].fget
    known = dict[tuple[RuleSet, ...], dict[str, list[RuleSet]]]()

    def rules_map(sheet: Stylesheet) -> dict[str, list[RuleSet]]:
        if sheet._rules_map is None:
            rules = tuple(sheet.rules)
            if rules not in known:
                known[rules] = sort(sheet)
            sheet._rules_map = known[rules]
        return sheet._rules_map

    patched.setattr(Stylesheet, "rules_map", property(rules_map))


def wait_for_the_busy(patched: pytest.MonkeyPatch) -> None:
    """A pilot waits for those that have something to do, and wakes no others to ask them."""
    patched.setattr(Pilot, "_wait_for_screen", _wait_for_screen)


async def _wait_for_screen(pilot: Pilot[Any], timeout: float = 30.0) -> bool:  # noqa: ASYNC109
    """As Textual has it, but for those that rest: True once all have done, False at an error."""
    app = pilot.app
    await asyncio.sleep(SPARED)
    waited_for = {app, app.screen, *filter(_is_busy, app.screen.walk_children())}
    done = asyncio.Event()

    def hear(pump: MessagePump) -> None:
        waited_for.discard(pump)
        if not waited_for:
            done.set()

    for pump in tuple(waited_for):
        if not pump.call_later(hear, pump):
            hear(pump)
    waits = [asyncio.create_task(event.wait()) for event in (done, app._exception_event)]
    _, pending = await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    if len(pending) == len(waits):
        raise WaitForScreenTimeout("Widgets have not done with what was sent to them.")
    return not waited_for


def _is_busy(pump: MessagePump) -> bool:
    """Whether it has something to do, rather than waits for what it is sent next."""
    ready: asyncio.Event = pump._message_queue.ready_event
    return ready.is_set() or not ready._waiters
