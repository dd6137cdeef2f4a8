"""Decides which fault an exception from litellm, or from a library beneath it, amounts to.

Exceptions are distinguished by their class names and by their text, so nothing here imports
litellm. The classes alone are not enough: a refused connection arrives as an internal server error,
a stall as a broken stream, and a bug as a failed connection.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.models import faults
from agent.models.faults import Origin
from agent.models.litellm.line import Failed, Line, Reason
from agent.models.protocol import ModelFault

LONGEST_TEXT = 6_000
"""Characters of an exception's text that are examined."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """An exception, together with the exception and the response beneath it."""

    origin: Origin
    classes: frozenset[str]
    status: int | None
    text: str
    headers: Mapping[str, str]
    streaming: bool
    """Whether part of an answer had arrived."""

    line: Line

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text, re.IGNORECASE) is not None

    def is_a(self, *names: str) -> bool:
        return not self.classes.isdisjoint(names)

    @property
    def words(self) -> str:
        """The server's own words; empty if the exception's text came from somewhere else."""
        unheard = self.line.status is None  # some providers are not reached over our own transport
        return self.plain_text if unheard or self.line.has_sent(self.plain_text) else ""

    @property
    def plain_text(self) -> str:
        """The exception's text without the class names and JSON that litellm wraps around it."""
        text = self.text.partition("Traceback (most recent call last)")[0]
        message = _MESSAGE.search(text)
        told = _NAMES.sub("", text) if message is None else _unescape(message[1])
        return faults.quote(_without_tags(told), self.origin)

    @property
    def retry_after(self) -> float | None:
        """Seconds the provider asked us to wait, from its headers or else from its words."""
        for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
            value = self.headers.get(name, "")
            if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", value):
                return float(value) * unit
        said = _SAID_WAIT.search(self.text)
        if said is None:
            return None
        return int(said[1] or 0) * 60 + float(said[2]) * (0.001 if said[3] == "ms" else 1.0)


def fault_of(error: BaseException, origin: Origin, line: Line | None = None) -> ModelFault:
    """The fault that an exception and the response before it amount to."""
    line = line or Line()
    if line.stopped is not None:
        return _why_stopped(line, line.stopped, origin)
    seen = _recognise(line, origin) if getattr(error, "kind", "garbled") == "garbled" else None
    if seen is not None:
        return seen
    if isinstance(error, ModelFault):
        return error
    if line.failed is not None and line.status is None:
        return _why_no_response(line.failed, origin)
    failure = _look_at(error, origin, line)
    tell = next((tell for applies, tell in _TABLE if applies(failure)), None)
    if tell is None and line.status is not None:
        return faults.no_answer(origin)
    return tell(failure) if tell else faults.impossible(origin, failure.plain_text)


def _why_stopped(line: Line, why: Reason, origin: Origin) -> ModelFault:
    """The fault for a response that was stopped on the way."""
    match why:
        case "redirect":
            return faults.redirect_fault(origin, line.towards)
        case "redirects":
            return faults.redirect_loop_fault(origin)
        case "packed":
            return faults.compression_fault(origin)
        case "empty":
            return faults.too_much(origin, "thousands of empty pieces")
        case "crowded piece":
            return faults.too_much(origin, "a piece that holds more than any answer")
        case "long piece":
            return faults.too_much(origin, "a piece that is longer than any answer")
        case "bytes" | "pieces":
            return faults.too_much(origin, "more than any answer needs")


def _why_no_response(failed: Failed, origin: Origin) -> ModelFault:
    """The fault for a request without a response."""
    match failed:
        case "silent":
            return faults.silent(origin)
        case "unreachable":
            return faults.unreachable(origin)
        case "hung up":
            return faults.hung_up(origin)
        case "unreadable":
            return faults.no_stream(origin, "")


def _recognise(line: Line, origin: Origin) -> ModelFault | None:
    """The fault for a response that is not a stream, recognised by its first bytes; else None."""
    opening = line.opening.lower()
    if line.status is None or not opening:
        return None
    if line.status < 300 and opening.startswith(b"<"):
        return faults.web_page(origin)
    if line.status >= 300 or _STREAMS.match(opening):
        return None
    if "ndjson" in line.kind or "eventstream" in line.kind:
        return None
    if not opening.startswith((b"{", b"[")):
        return faults.no_stream(origin, line.kind)
    said = _MESSAGE.search(line.opening.decode("utf-8", "replace"))
    if b'"error"' in opening and said:
        return faults.server(origin, faults.quote(_unescape(said[1]), origin), None)
    return faults.json_for_stream(origin)


def blamed_parameter(error: BaseException, parameters: Mapping[str, Any]) -> str | None:
    """The parameter that a refused request was refused for, or None."""
    if getattr(error, "status_code", None) not in (400, 422):
        return None
    named = [name for name in parameters if re.search(rf"\b{name}\b", str(error))]
    if not named and re.search(_ROOM, str(error), re.IGNORECASE):
        named = [name for name in parameters if name.endswith("_tokens")]
    return next(iter(named), None)


def _look_at(error: BaseException, origin: Origin, line: Line) -> _Failure:
    """Gather what is known about an exception; for a broken stream, about what broke it."""
    inner = getattr(error, "original_exception", None)
    seen = inner if isinstance(inner, BaseException) else error
    status = str(getattr(seen, "status_code", ""))
    return _Failure(
        origin=origin,
        classes=frozenset(each.__name__ for each in type(seen).__mro__),
        status=line.status
        if (line.status or 0) >= 300
        else int(status)
        if status.isdigit()
        else None,
        text=str(seen)[:LONGEST_TEXT],
        headers=_headers(seen),
        streaming=seen is not error,
        line=line,
    )


def _unescape(text: str) -> str:
    """The decoded text of a JSON string; if that fails, the text without its backslashes."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.replace("\\", "")


def _without_tags(text: str) -> str:
    """The text of an HTML page; any other text is returned unchanged."""
    if not text.lstrip().startswith("<"):
        return text
    return re.sub(r"<[^<>]{0,500}>", " ", re.sub(r"(?is)<(style|script)\b.*?</\1>", " ", text))


def _headers(error: BaseException) -> dict[str, str]:
    """The response's headers, which litellm keeps in one of three places."""
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


_STREAMS = re.compile(rb"(?:data|event|id|retry)?:|(?:data|event|id|retry)\s*[\r\n]")
"""How server-sent events begin."""

_NAMES = re.compile(
    r"^(?:\s*(?:litellm\.)?(?:\w*(?:Error|Timeout)\s*[:-]|\w+Exception(?: \w+)? -)\s*)+"
)
_MESSAGE = re.compile(r'"message"\s*:\s*"((?:[^"\\]|\\.){1,2000})"')
_SAID_WAIT = re.compile(
    r"(?:retry|try again) in (?:(\d{1,6})m)?(\d{1,9}(?:\.\d{1,9})?)(ms|s)\b", re.IGNORECASE
)
_ROOM = r"in the completion|tokens for the (?:completion|output)|reduce .{0,40}completion"
"""Errors of servers that count the requested maximum answer toward the context window."""

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

_UNFORESEEN = frozenset({*range(300, 600)}) - {400, 413, 422, *range(500, 600)}
"""Statuses that model servers have no reason to send, except those handled separately."""

_TABLE: tuple[tuple[Callable[[_Failure], bool], Callable[[_Failure], ModelFault]], ...] = (
    (
        lambda f: f.is_a("ImportError"),
        lambda f: faults.impossible(f.origin, f.plain_text),
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
        lambda f: faults.refusal(f.origin, f.words),
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
        lambda f: f.status == 413 or (f.status in (400, 422) and f.says(_TOO_LONG)),
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
        lambda f: faults.no_answer(f.origin),
    ),
    (
        lambda f: f.line.status == 200 and not f.words and f.says(f"{_CUT}|{_UNREACHABLE}"),
        lambda f: faults.cut(f.origin),
    ),
    (
        lambda f: f.line.status is None and (f.status or 500) >= 500 and f.says(_UNREACHABLE),
        lambda f: faults.unreachable(f.origin),
    ),
    (
        lambda f: f.line.status is not None and f.line.status < 300 and not f.words,
        lambda f: faults.no_answer(f.origin),
    ),
    (
        lambda f: (f.line.status or 0) in _UNFORESEEN,
        lambda f: faults.unforeseen(f.origin, f.line.status or 0, f.words),
    ),
    (
        lambda f: f.is_a("BadRequestError", "UnprocessableEntityError"),
        lambda f: faults.bad_request(f.origin, f.words),
    ),
    (
        lambda f: f.is_a("APIConnectionError") and not f.streaming,
        lambda f: faults.impossible(f.origin, f.plain_text),
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
"""Conditions and the fault for each; the first condition that is true decides."""
