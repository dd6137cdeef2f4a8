"""Enforces the rules of the line on what litellm sends and receives.

litellm reaches every HTTP provider through one kind of transport, beneath the libraries that
interpret the answer. Here the transport is restricted: it reads no further than the line allows,
and follows no redirect that leaves the provider, because that would send the whole conversation to
another server.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx

from agent.models.litellm.line import LINE, MOST_HOPS, Failed, Line
from agent.models.litellm.line_reading import read

Handle = Callable[[httpx.Request], Awaitable[httpx.Response]]

_PACKING = ("content-encoding", "content-length")
"""Headers that are no longer true of an unpacked body."""


class _Body(httpx.AsyncByteStream):
    """A response's body within the line's limits; closing it closes the stream beneath."""

    def __init__(self, beneath: httpx.AsyncByteStream, encoding: str, line: Line) -> None:
        self._beneath = beneath
        self._pieces = read(aiter(beneath), encoding, line)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces

    async def aclose(self) -> None:
        await self._pieces.aclose()
        await self._beneath.aclose()


def guard(handler: Any) -> None:
    """Patch the class that creates litellm's transports so that it creates only guarded ones."""
    for name in ("create_async_transport", "_create_async_transport"):  # depends on the version
        make = getattr(handler, name, None)
        if make is not None:
            setattr(handler, name, staticmethod(_guarding(make)))


def _guarding(make: Callable[..., Any]) -> Callable[..., Any]:
    def make_guarded(*arguments: Any, **named: Any) -> Any:
        transport = make(*arguments, **named)
        if not isinstance(transport.handle_async_request, _Guard):
            transport.handle_async_request = _Guard(transport.handle_async_request)
        return transport

    return make_guarded


class _Guard:
    """Wraps one transport's request handler."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        """Request plain bytes, refuse foreign redirects, and count the response; raises Stopped."""
        line = LINE.get() or Line()
        request.headers["accept-encoding"] = "identity"
        try:
            response = await self._handle(request)
        except Exception as error:
            line.failed = _how(error)
            raise
        line.begin(response.status_code, response.headers.get("content-type", ""))
        if response.has_redirect_location:
            await _check_redirect(request, response, line)
        return _read_by(line, response)


def _how(error: Exception) -> Failed:
    """Why a request got no response."""
    if isinstance(error, httpx.TimeoutException):
        return "silent"
    if isinstance(error, httpx.ReadError | httpx.WriteError | httpx.CloseError):
        return "hung up"
    # A reply that httpx could not understand has no exception class of its own.
    return "unreadable" if type(error) is httpx.RequestError else "unreachable"


async def _check_redirect(request: httpx.Request, response: httpx.Response, line: Line) -> None:
    line.hops += 1
    target = _target(request, response)
    if target is not None and _origin(target) == _origin(request.url) and line.hops <= MOST_HOPS:
        return
    line.towards = "" if target is None else str(target.copy_with(userinfo=b"", query=None))
    await response.aclose()
    raise line.stop("redirects" if line.hops > MOST_HOPS else "redirect")


def _target(request: httpx.Request, response: httpx.Response) -> httpx.URL | None:
    """The address that a redirect points to; None if it is not a valid address."""
    try:
        return request.url.join(response.headers["location"])
    except (httpx.InvalidURL, ValueError):
        return None


def _origin(address: httpx.URL) -> tuple[str, str, int | None]:
    usual = {"http": 80, "https": 443}
    return address.scheme, address.host, address.port or usual.get(address.scheme)


def _read_by(line: Line, response: httpx.Response) -> httpx.Response:
    """The response with its body read within the line's limits."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    headers = [
        (name, value)
        for name, value in response.headers.raw
        if not encoding or name.lower().decode("latin-1") not in _PACKING
    ]
    stream = response.stream
    assert isinstance(stream, httpx.AsyncByteStream)
    return httpx.Response(
        response.status_code,
        headers=headers,
        stream=_Body(stream, encoding, line),
        extensions=response.extensions,
    )
