"""Keys never leave: whatever looks like one is taken out of text before a person or a log sees it.

Providers quote the key that they refuse, and gateways quote headers and addresses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

HIDDEN = "[redacted]"
"""What stands where a secret stood."""

SHORTEST = 8
"""Characters; a shorter value is a placeholder (``none``), and hiding it would garble words."""

_NAMES_A_SECRET = re.compile(
    r"(?:^|_)(?:API_?KEY|\w*KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)",
    re.IGNORECASE,
)
_SHAPES = re.compile(
    "|".join(
        (
            r"\b(?:sk|pk|rk|gsk|xai|pplx|csk|tgp_v1|key)[-_][\w*.…-]{6,}",
            r"\b(?:AKIA|ASIA)[0-9A-Z*]{8,}",
            r"\bAIza[\w*-]{10,}",
            r"\b(?:hf|ghp|gho|ghs|github_pat|glpat|r8)[-_][\w*-]{8,}",
            r"\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?",
        )
    )
)
_AFTER_A_LABEL = re.compile(
    r"""((?:\bbearer\s+|\bbasic\s+(?=\S*[\d=+/])"""
    r"""|[?&;](?:\w*key|\w*token|sig\w*)="""
    r"""|\b(?:authorization|(?:x-)?(?:goog-)?api[-_]?key|token|secret|password)["']?\s*[:=]\s*["']?"""
    r"""(?:bearer\s+|basic\s+)?))([^\s"'&,;<>{}]{8,})""",
    re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"(\w+://)[^\s/@]+@")


def redact(
    text: str, secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> str:
    """The text without any given secret, any secret of the environment, or anything shaped so."""
    for secret in _longest_first([*secrets, *environment_secrets(environment)]):
        for spelling in (secret, quote(secret, safe="")):
            text = text.replace(spelling, HIDDEN)
    text = _IN_ADDRESS.sub(rf"\1{HIDDEN}@", text)
    text = _AFTER_A_LABEL.sub(_hide_after_label, text)
    return _SHAPES.sub(HIDDEN, text)


def environment_secrets(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The values of all variables whose names say that they hold a secret."""
    return [value for name, value in environment.items() if _NAMES_A_SECRET.search(name)]


def _longest_first(secrets: Iterable[str]) -> list[str]:
    stripped = {secret.strip() for secret in secrets}
    return sorted((one for one in stripped if len(one) >= SHORTEST), key=len, reverse=True)


def _hide_after_label(found: re.Match[str]) -> str:
    return found[0] if HIDDEN in found[2] else f"{found[1]}{HIDDEN}"
