"""Which fault an exception of litellm is, or of anything beneath it.

Exceptions are told apart by the names of their classes and by what their text says, so nothing
here imports litellm. The classes alone do not do: a refused connection arrives as an internal
server error, a stall as a broken stream, a bug as a failed connection.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent import faults
from agent.chat import ModelFault
from agent.faults import Origin


@dataclass(frozen=True, slots=True)
class _Failure:
    """An exception, looked through to what lies beneath it."""

    origin: Origin
    classes: frozenset[str]
    status: int | None
    text: str
    headers: Mapping[str, str]
    streaming: bool
    """Part of an answer had arrived."""

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text, re.IGNORECASE) is not None

    def is_a(self, *names: str) -> bool:
        return not self.classes.isdisjoint(names)

    @property
    def words(self) -> str:
        """The server's own words, without the names and the JSON that litellm has around them."""
        text = self.text.partition("Traceback (most recent call last)")[0]
        message = _MESSAGE.search(text)
        told = _NAMES.sub("", text) if message is None else _unescaped(message[1])
        return faults.quote(told, self.origin)

    @property
    def retry_after(self) -> float | None:
        """Seconds the provider asked to wait, by its headers or else its words."""
        for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
            value = self.headers.get(name, "")
            if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", value):
                return float(value) * unit
        said = _SAID_WAIT.search(self.text)
        if said is None:
            return None
        return int(said[1] or 0) * 60 + float(said[2]) * (0.001 if said[3] == "ms" else 1.0)


def fault_of(error: BaseException, origin: Origin) -> ModelFault:
    """The fault that an exception amounts to; one that nobody foresaw is quoted."""
    if isinstance(error, ModelFault):
        return error
    failure = _look_at(error, origin)
    tell = next((tell for applies, tell in _TABLE if applies(failure)), None)
    return tell(failure) if tell else faults.impossible(origin, failure.words)


def blames(error: BaseException, parameters: Mapping[str, Any]) -> str | None:
    """Which of the parameters a refused request is refused for, or None."""
    if getattr(error, "status_code", None) not in (400, 422):
        return None
    return next((name for name in parameters if name in str(error)), None)


def _look_at(error: BaseException, origin: Origin) -> _Failure:
    """Gather what is known; of a broken stream, what broke it."""
    inner = getattr(error, "original_exception", None)
    seen = inner if isinstance(inner, BaseException) else error
    status = str(getattr(seen, "status_code", ""))
    return _Failure(
        origin=origin,
        classes=frozenset(each.__name__ for each in type(seen).__mro__),
        status=int(status) if status.isdigit() else None,
        text=str(seen),
        headers=_headers(seen),
        streaming=seen is not error,
    )


def _unescaped(text: str) -> str:
    """The text of a JSON string; as it stands where it was spoilt on the way."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.replace("\\", "")


def _headers(error: BaseException) -> dict[str, str]:
    """The response's headers; litellm keeps them in one of three places."""
    places = (
        getattr(error, "headers", None),
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
    )
    return {
        str(name).lower(): str(value)
        for place in places
        if isinstance(place, Mapping)
        for name, value in place.items()
    }


_NAMES = re.compile(
    r"^(?:\s*(?:litellm\.)?(?:\w*(?:Error|Timeout)\s*[:-]|\w+Exception(?: \w+)? -)\s*)+"
)
_MESSAGE = re.compile(r'"message"\s*:\s*"((?:[^"\\]|\\.){1,2000})"')
_SAID_WAIT = re.compile(
    r"(?:retry|try again) in (?:(\d{1,6})m)?(\d{1,9}(?:\.\d{1,9})?)(ms|s)\b", re.IGNORECASE
)
_NO_CREDIT = (
    r"insufficient[_ ](?:quota|balance|credits?|funds)|credit balance|out of credits"
    r"|check your plan and billing|exceeded your current quota|payment required"
)
_TOO_LONG = (
    r"context[_ ](?:length|window)|maximum context|prompt is too long|too many (?:input )?tokens"
    r"|input token count"
)
_MISSING_KEY = (
    r"api_key client option must be set|missing (?:credentials|[\w ]{0,40}api[_ ]?key)"
    r"|no api[_ ]?key|api[_ ]key (?:is )?(?:required|not (?:set|provided|found))"
)
_WRONG_KEY = r"api[_ ]key not valid|invalid[_ ](?:x-)?api[-_ ]key|incorrect api key"
_NO_TOOLS = (
    r"(?:does not|doesn't|don't) support (?:tools|tool (?:use|call|choice)|function call)"
    r"|no endpoints found that support tool use|tool choice requires"
    r"|tools? (?:is|are) not supported"
)
_UNREACHABLE = (
    r"cannot connect|connection (?:refused|reset|error)|connect call failed|name or service"
    r"|name resolution|getaddrinfo|nodename nor servname|unreachable"
    r"|all connection attempts failed|certificate verify"
)
_CUT = (
    r"payload is not completed|not enough data|incomplete (?:chunked )?read|peer closed"
    r"|server disconnected|connection (?:reset|lost|closed)|premature"
)
_NOT_JSON = (
    r"expecting value|expecting property name|unterminated string|extra data: line"
    r"|jsondecodeerror|invalid json|invalid response object|validation error for"
)

_TABLE: tuple[tuple[Callable[[_Failure], bool], Callable[[_Failure], ModelFault]], ...] = (
    (
        lambda f: f.is_a("ImportError"),
        lambda f: faults.impossible(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("LiteLLMUnknownProvider") or f.says("LLM Provider NOT provided"),
        lambda f: faults.unknown_provider(f.origin),
    ),
    (
        lambda f: f.is_a("ContextWindowExceededError"),
        lambda f: faults.too_long(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("ContentPolicyViolationError", "RejectedRequestError"),
        lambda f: faults.refused(f.origin, f.words),
    ),
    (
        lambda f: f.says(_MISSING_KEY) and f.status in (None, 400, 401, 500),
        lambda f: faults.no_key(f.origin),
    ),
    (
        lambda f: (
            f.status == 402
            or (f.status in (400, 429) and f.says(_NO_CREDIT) and f.retry_after is None)
        ),
        lambda f: faults.no_credit(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("RateLimitError") or f.status == 429,
        lambda f: faults.rate_limit(f.origin, f.retry_after),
    ),
    (
        lambda f: f.is_a("PermissionDeniedError") or f.status == 403,
        lambda f: faults.forbidden(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("AuthenticationError") or (f.status == 400 and f.says(_WRONG_KEY)),
        lambda f: faults.bad_key(f.origin),
    ),
    (
        lambda f: f.status in (400, 404, 422, 500, 501) and f.says(_NO_TOOLS),
        lambda f: faults.no_tools(f.origin),
    ),
    (
        lambda f: f.is_a("NotFoundError") or f.status == 404,
        lambda f: faults.unknown_model(f.origin),
    ),
    (
        lambda f: f.status in (400, 413, 422) and f.says(_TOO_LONG),
        lambda f: faults.too_long(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("TimeoutError", "APITimeoutError") or f.status in (408, 504),
        lambda f: faults.silent(f.origin),
    ),
    (
        lambda f: f.streaming and f.says("timeout|timed out"),
        lambda f: faults.silent(f.origin),
    ),
    (
        lambda f: f.streaming and f.says(_CUT),
        lambda f: faults.cut(f.origin),
    ),
    (
        lambda f: (f.status or 500) >= 500 and f.says(_NOT_JSON),
        lambda f: faults.garbled(f.origin),
    ),
    (
        lambda f: (f.status or 500) >= 500 and f.says(_UNREACHABLE),
        lambda f: faults.unreachable(f.origin),
    ),
    (
        lambda f: f.is_a("BadRequestError", "UnprocessableEntityError"),
        lambda f: faults.bad_request(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("APIConnectionError") and not f.streaming,
        lambda f: faults.impossible(f.origin, f.words),
    ),
    (
        lambda f: f.streaming or (f.status or 0) >= 500,
        lambda f: faults.server(f.origin, f.words, f.retry_after),
    ),
    (
        lambda f: f.is_a("ConnectionError"),
        lambda f: faults.unreachable(f.origin),
    ),
)
"""Which failure is told how; the first that applies."""
