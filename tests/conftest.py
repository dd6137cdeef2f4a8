"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("suite")
"""No deadline: how fast something is belongs to the benchmarks; a busy machine fails no law."""
