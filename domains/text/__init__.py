"""Wording for records, and reading of prose, shared by all domains.

``wording``, ``quantity`` and ``paying`` word names, amounts and payment methods; ``naming`` names
fields; ``one_line`` makes foreign text safe on a card. ``payment_ways``, ``phrasing`` and
``sentences`` are for understanding what people write.
"""

from __future__ import annotations
