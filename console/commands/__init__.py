"""The ``saber`` commands, one module for each, with the options and types that they share."""

from __future__ import annotations
