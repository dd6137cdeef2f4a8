"""Simulated customers: played by a script, by rules, or by a model that knows the role.

``customer`` defines what a customer hears and answers, and ``making`` creates one by its name.
"""

from __future__ import annotations
