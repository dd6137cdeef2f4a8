"""The retail domain: look up, cancel, modify, return and exchange orders.

Each write has its own module, with the tool and what its card says (``addresses`` has two);
``look_ups`` has the tools that only read. ``quirks`` lists the defects of τ²-bench's tools that are
reproduced on its records. ``load`` puts the domain together.
"""

from __future__ import annotations

from domains.retail.load import load

__all__ = ["load"]
