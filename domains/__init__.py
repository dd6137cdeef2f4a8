"""The domains that a conversation can be about, by name.

A domain brings records, tools that read and change them, a policy, and scenarios to role-play.
``core`` defines what a domain consists of; ``retail`` and ``airline`` are the two that come with
the program; ``tau2`` reads τ²-bench's data and tasks; ``scenarios`` reads our own scenario files;
``text`` puts records into words. ``registry`` knows the domains by name.
"""

from __future__ import annotations

from domains.registry import GROUP, load, names, plugin_names

__all__ = ["GROUP", "load", "names", "plugin_names"]
