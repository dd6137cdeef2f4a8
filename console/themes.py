"""The program's own two themes; all of Textual's can be chosen as well."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="saber-dark",
    primary="#7aa2c8",
    secondary="#8f9bb3",
    accent="#d8a657",
    foreground="#d7dce2",
    background="#14171c",
    surface="#1a1e25",
    panel="#232833",
    success="#89b482",
    warning="#d8a657",
    error="#e06c6c",
    dark=True,
)
LIGHT = Theme(
    name="saber-light",
    primary="#2f5d8a",
    secondary="#5b6678",
    accent="#96600a",
    foreground="#20252c",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e7e4dc",
    success="#3c7a3a",
    warning="#96600a",
    error="#b3362f",
    dark=False,
)
