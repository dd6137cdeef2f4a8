"""A secret in all the spellings that a model can be asked to give it in."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from functools import partial
from urllib.parse import quote

BETWEEN = (" ", "\n", "\r\n", "\t ", "\u200b", "\u2060", "\ufeff", "\u00ad", "\\n", "\\u200b")
"""What a secret may be broken up with; the last two are as JSON text has them."""


def _base64(secret: str, before: int) -> str:
    """The characters of a base64 text that the secret alone decides."""
    encoded = base64.b64encode(b"=" * before + secret.encode()).decode()
    return encoded[(before * 8 + 5) // 6 : (before + len(secret)) * 8 // 6]


def _broken(between: str, secret: str) -> str:
    return between.join(secret)


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper": str.upper,
    "lower": str.lower,
    "swapped": str.swapcase,
    "reversed": lambda secret: secret[::-1],
    "reversed upper": lambda secret: secret[::-1].upper(),
    "quoted": lambda secret: quote(secret, safe=""),
    "percent": lambda secret: "".join(f"%{ord(each):02X}" for each in secret),
    "percent lower": lambda secret: "".join(f"%{ord(each):02x}" for each in secret),
    "escaped": lambda secret: "".join(f"\\u{ord(each):04x}" for each in secret),
    "JSON": lambda secret: json.dumps(secret)[1:-1].replace("/", "\\/"),
    "hexadecimal": lambda secret: secret.encode().hex(),
    "base64": lambda secret: _base64(secret, 0),
    "base64 after one": lambda secret: _base64(secret, 1),
    "base64 after two": lambda secret: _base64(secret, 2),
    "base64 for addresses": lambda secret: _base64(secret, 0).replace("+", "-").replace("/", "_"),
    **{f"broken by {each!r}": partial(_broken, each) for each in BETWEEN},
    "reversed and broken": lambda secret: " ".join(secret[::-1]),
    "percent and broken": lambda secret: "\n".join(f"%{ord(each):02X}" for each in secret),
}
