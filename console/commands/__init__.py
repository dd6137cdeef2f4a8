"""The ``saber`` command, a module for each verb."""

from __future__ import annotations
