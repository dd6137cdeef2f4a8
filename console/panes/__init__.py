"""The side panes: reflection, context, record, trace, policy, scenario."""

from __future__ import annotations
