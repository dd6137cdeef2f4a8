"""The screens, one module for each."""

from __future__ import annotations
