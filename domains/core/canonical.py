"""The canonical JSON of a value and its digest, to which consents and the log are bound."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode


def canonical(value: Any) -> str:
    """JSON with sorted keys, no spaces and only ASCII; equal values give equal text."""
    return _encode(value)


def digest(value: Any) -> str:
    """The SHA-256 of the value's canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()
