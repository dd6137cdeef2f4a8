"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.effort import WHOLE

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=not WHOLE,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("suite")
"""No deadline: how fast something is belongs to the benchmarks; a busy machine fails no law. The
same examples at every run, so that a run tells of the change alone; a whole run tries new ones."""
