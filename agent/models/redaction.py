"""Keys never leave: whatever is one, or looks like one, is taken out of text before a log sees it.

Providers quote the key that they refuse, gateways quote headers and addresses, and a model repeats
whatever it was told, in any spelling. So there are two ways to look: :func:`without_secrets` takes
out the keys that there are, however they are spelled (``secret_forms``), and is for words that are
a conversation's; :func:`redact` takes out all that is shaped like a key as well, and is for
errors.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlsplit

from agent.models.secret_forms import Forms, forms_of
from sessions.json_strings import map_strings

HIDDEN = "[redacted]"
"""What stands where a secret stood."""

SHORTEST = 8
"""Characters; a shorter value is a placeholder (``none``), and hiding it would garble words."""

_kept: set[str] = set()
"""Secrets that are in use and that the environment may not hold."""

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


def keep_secret(key: str | None, address: str | None = None) -> None:
    """From here on a key, and the password in an address, are taken out wherever they turn up."""
    try:
        password = urlsplit(address or "").password
    except ValueError:
        password = None
    _kept.update(each for each in (key, password) if each)


def redact(
    text: str, secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> str:
    """The text without any secret there is, and without anything shaped so."""
    text = without_secrets(text, secrets, environment)
    text = _IN_ADDRESS.sub(rf"\1{HIDDEN}@", text)
    text = _AFTER_A_LABEL.sub(_hide_after_label, text)
    return _SHAPES.sub(HIDDEN, text)


def known_secrets(
    secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> tuple[str, ...]:
    """Every given secret, those in use, and those of the environment, the longest first.

    The environment is read anew: whoever looks at many pieces of a text reads it once for all.
    """
    stripped = {one.strip() for one in (*secrets, *_kept, *environment_secrets(environment))}
    return tuple(sorted((one for one in stripped if len(one) >= SHORTEST), key=len, reverse=True))


def without_secrets(
    text: str, secrets: Iterable[str] = (), environment: Mapping[str, str] = os.environ
) -> str:
    """The text without any given secret, one in use, or one of the environment, in any form."""
    return text if len(text) < SHORTEST else hide(known_secrets(secrets, environment), text)


def hide(known: tuple[str, ...], text: str) -> str:
    """The text without the secrets of :func:`known_secrets`, in any form."""
    if not known or len(text) < SHORTEST:
        return text
    found = Forms(text)
    for secret in known:
        for form in forms_of(secret):
            if found.may_hold(form):
                text = form.pattern.sub(HIDDEN, text)
                found = Forms(text)
    return text


def without_secrets_json(value: Any, known: tuple[str, ...] | None = None) -> Any:
    """A JSON value with every string in it, keys included, without any secret."""
    return map_strings(value, partial(hide, known_secrets() if known is None else known))


def environment_secrets(environment: Mapping[str, str] = os.environ) -> list[str]:
    """The values of all variables whose names say that they hold a secret."""
    return [environment[name] for name in environment if _names_a_secret(name)]


@lru_cache(maxsize=1024)
def _names_a_secret(name: str) -> bool:
    return _NAMES_A_SECRET.search(name) is not None


def _hide_after_label(found: re.Match[str]) -> str:
    return found[0] if HIDDEN in found[2] else f"{found[1]}{HIDDEN}"
