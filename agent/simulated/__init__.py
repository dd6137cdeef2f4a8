"""Customers that nobody plays: by a script, or by a model that knows the role."""

from __future__ import annotations
