"""The retail store: look orders up, cancel, modify, return and exchange them."""

from __future__ import annotations

from domains.retail.load import load

__all__ = ["load"]
