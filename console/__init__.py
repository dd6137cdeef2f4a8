"""What the person sees and types: the commands, the app and its screens."""

from __future__ import annotations
