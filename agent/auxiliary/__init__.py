"""Models beside the agent: one phrases cards and reminders, the other judges conversations.

What the first one writes is checked against the facts.
"""

from __future__ import annotations
