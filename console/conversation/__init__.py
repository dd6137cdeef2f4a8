"""A conversation in the app: everything between the agent's engine and the screen.

``engine`` opens conversations, ``turns`` runs them in a worker, ``event_router`` and ``display``
bring their events to the screen, ``card_slot`` asks for decisions, and ``remembering`` asks what
the agent may remember.
"""

from __future__ import annotations
