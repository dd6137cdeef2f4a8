"""The user interface: the ``saber`` commands and the terminal app.

``commands`` holds the click commands, and ``reports`` makes what they print. ``screens``, ``panes``
and ``widgets`` are the app's Textual parts. ``conversation`` connects a running conversation with
its screen, and ``browser`` works on recorded sessions.
"""

from __future__ import annotations
