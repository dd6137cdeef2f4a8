"""Redaction: keys, and text that looks like one, are removed before anything is logged.

Providers quote the key that they reject, gateways quote headers and addresses, and a model repeats
whatever it was told, in any spelling. So there are two functions: :func:`without_secrets` removes
the keys that are known, in every spelling (``secret_forms``), and is meant for conversation text;
:func:`redact` also removes everything that is shaped like a key, and is meant for errors.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlsplit

from agent.models.secret_forms import SearchableText, forms_of
from sessions.json_strings import map_strings

HIDDEN = "[redacted]"
"""The placeholder that replaces a secret."""

SHORTEST = 8
"""Characters. A shorter value is a placeholder (``none``), and hiding it would garble other
words."""

_kept: set[str] = set()
"""Secrets in use that may not be in the environment."""

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
_IN_ADDRESS = re.compile(r"\b(\w{1,20}://)[^\s/@]{1,1000}@")


def register_secret(key: str | None, address: str | None = None) -> None:
    """Register a key, and the password in an address, to be redacted everywhere from now on."""
    try:
        password = urlsplit(address or "").password
    except ValueError:
        password = None
    _kept.update(each for each in (key, password) if each)


def redact(
    text: str, secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> str:
    """The text without any known secret, and without anything that is shaped like one."""
    text = without_secrets(text, secrets, environment)
    text = _IN_ADDRESS.sub(rf"\1{HIDDEN}@", text)
    text = _AFTER_A_LABEL.sub(_hide_after_label, text)
    return _SHAPES.sub(HIDDEN, text)


def known_secrets(
    secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> tuple[str, ...]:
    """The given secrets, those in use, and those of the environment, longest first.

    The environment is read on every call, so a caller with many texts to check should call this
    once and pass the result to :func:`hide`.
    """
    stripped = {one.strip() for one in (*secrets, *_kept, *environment_secrets(environment))}
    return tuple(sorted((one for one in stripped if len(one) >= SHORTEST), key=len, reverse=True))


def without_secrets(
    text: str, secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> str:
    """The text without any known secret, in any spelling."""
    return text if len(text) < SHORTEST else hide_secrets(known_secrets(secrets, environment), text)


def hide_secrets(known: tuple[str, ...], text: str) -> str:
    """The text without the given secrets (see :func:`known_secrets`), in any spelling."""
    if not known or len(text) < SHORTEST:
        return text
    found = SearchableText(text)
    for secret in known:
        for form in forms_of(secret):
            if found.may_hold(form):
                text = form.pattern.sub(HIDDEN, text)
                found = SearchableText(text)
    return text


def without_secrets_json(value: Any, known: tuple[str, ...] | None = None) -> Any:
    """A JSON value with the secrets removed from every string in it, keys included."""
    return map_strings(value, partial(hide_secrets, known_secrets() if known is None else known))


def environment_secrets(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The values of all variables whose names suggest that they hold a secret."""
    return [environment[name] for name in environment if _names_a_secret(name)]


@lru_cache(maxsize=1024)
def _names_a_secret(name: str) -> bool:
    return _NAMES_A_SECRET.search(name) is not None


def _hide_after_label(found: re.Match[str]) -> str:
    return found[0] if HIDDEN in found[2] else f"{found[1]}{HIDDEN}"
