"""The airline domain: search flights; book, change and cancel reservations; compensate for delays.

Each write has its own module, with the tool and what its card says; ``look_ups`` has the tools that
only read. ``quirks`` lists the defects of τ²-bench's tools that are reproduced on its records.
``load`` puts the domain together.
"""

from __future__ import annotations

from domains.airline.load import load

__all__ = ["load"]
