"""The keys of the conversation screen, and the help that describes them."""

from __future__ import annotations

from textual.binding import Binding, BindingType

HELP = """\
# The conversation

You are the customer. Write as a customer would; the agent looks things up on its own, and whatever
it wants to change waits for your decision on a card.

- **esc** or **ctrl+c** stop the agent; nothing that was recorded is lost
- **F2** to **F7** show a side pane (or **alt+** **r**eflection, **c**ontext, recor**d**,
  **t**race, **p**olicy, **s**cenario), and **F8** (**alt+m**) the memory of a session that has one;
  **esc** goes back
- **ctrl+o** opens the latest look-up or decided card, **page up / down** scroll
- **ctrl+r** continues after a fault or a stop, and returns to a card that you left
- **ctrl+e** ends the session; a scenario is then scored
- **ctrl+p** everything else: model, safeguards, theme, screenshot
- **ctrl+q** quits; `saber` offers to resume
"""

KEYS: list[BindingType] = [
    Binding("escape", "stop", "Stop", show=False),
    Binding("ctrl+e", "end", "End", priority=True),
    Binding("ctrl+r", "retry", "Go on", show=False, priority=True),
    Binding("ctrl+l", "model", "Model", show=False, priority=True),
    Binding("ctrl+n", "leave", "New session", show=False, priority=True),
    Binding("ctrl+o", "open_latest", "Open line", show=False, priority=True),
    Binding("pageup", "page(-1)", "Page up", show=False, priority=True),
    Binding("pagedown", "page(1)", "Page down", show=False, priority=True),
    *(
        Binding(keys, f"pane('{name}')", name.capitalize(), show=show, priority=True)
        for keys, name, show in (
            ("f2,alt+r", "reflection", True),
            ("f3,alt+c", "context", True),
            ("f4,alt+d", "record", True),
            ("f5,alt+t", "trace", True),
            ("f6,alt+p", "policy", True),
            ("f7,alt+s", "scenario", True),
            ("f8,alt+m", "memory", True),
        )
    ),
]
