"""τ²-bench's data: records, tasks, and the ends that are right for them."""

from __future__ import annotations
