"""What every domain is made of: tools, records, consents, what a change does."""

from __future__ import annotations
