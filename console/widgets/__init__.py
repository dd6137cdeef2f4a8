"""The widgets that the screens are composed of.

The largest groups: ``card`` and ``card_*`` for the confirmation card, ``guarded``, ``key_guard``
and ``presses`` for deciding which key presses count on it, ``transcript`` and ``rows`` for the
conversation, and ``session_*`` and ``role_*`` for lists. ``plain`` is the base of everything that
shows text the program did not write itself.
"""

from __future__ import annotations
