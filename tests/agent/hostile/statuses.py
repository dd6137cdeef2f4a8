"""Answers that are none: errors, pages, redirects, and responses that never were a stream."""

from __future__ import annotations

import json
import os

from tests.agent.hostile.zoo import DONE, STOP, WORDS, Answer, animal, body
from tests.agent.models.litellm.wire_protocol import Exchange

JSON = "content-type: application/json"
HTML = "content-type: text/html"
PAGE = b"<!doctype html><html><title>Sign in</title><body>Welcome to the hotel wifi</body></html>"
STATUSES = (
    *(
        400,
        401,
        402,
        403,
        404,
        405,
        408,
        409,
        410,
        413,
        415,
        418,
        421,
        422,
        425,
        426,
        431,
        451,
        499,
    ),
    *(500, 501, 502, 503, 504, 505, 507, 511, 520, 529, 599),
)
ELSEWHERE = "http://localhost:{port}/v1/x"
"""The same server under a name that is another origin."""

LEAKED = "the conversation was sent elsewhere"


def error(status: int, message: object = "I would rather not.") -> Answer:
    """An error in the usual form."""
    told = json.dumps({"error": {"message": message, "type": "x", "code": "x"}})
    return body(told.encode(), kind=JSON, status=status)


def redirect(status: int, where: str) -> Answer:
    """A redirect; `{port}` in it is the server's own."""

    async def answer(exchange: Exchange) -> None:
        host = exchange.request.headers.get("host", "")
        if host.startswith("localhost"):
            await exchange.chunk({"content": LEAKED})
            await exchange.finish()
            return
        address = where.replace("{port}", host.rpartition(":")[2])
        await exchange.head(status, f"location: {address}", "content-length: 0")

    return answer


async def redirected_once(exchange: Exchange) -> None:
    """Sent on to another path of the same server, which answers."""
    if exchange.hit % 2:
        await exchange.head(307, "location: /v1/other/chat/completions", "content-length: 0")
    else:
        await body(WORDS, STOP, DONE)(exchange)


def _plant() -> None:
    for status in STATUSES:
        animal(f"HTTP {status}", error(status), quick=status in (400, 404, 418, 500))
    for status in (300, 304, 204, 206, 999):
        animal(f"HTTP {status} with nothing", body(status=status, kind=JSON), quick=status == 204)
    for status in (301, 302, 303, 307, 308):
        animal(f"{status} to another host", redirect(status, ELSEWHERE), quick=status == 307)
    animal("307 to another scheme", redirect(307, "https://127.0.0.1:{port}/v1/x"))
    animal("307 to another port", redirect(307, "http://127.0.0.1:1/v1/x"))
    animal("307 to nowhere", redirect(307, "http://[::bad"))
    animal("307 to a file", redirect(307, "file:///etc/passwd"))
    animal("307 to itself for ever", redirect(307, "/v1/chat/completions"))
    animal("307 to another path", redirected_once)
    animal("a web page with 200", body(PAGE, kind=HTML))
    animal("a web page called a stream", body(PAGE))
    animal("a web page with 502", body(PAGE, kind=HTML, status=502))
    answer = {"id": "x", "choices": [{"message": {"role": "assistant", "content": "Hello."}}]}
    animal("JSON in one piece", body(json.dumps(answer).encode(), kind=JSON))
    animal("JSON in one piece, called a stream", body(json.dumps(answer, indent=1).encode()))
    animal("an error with 200", body(b'{"error": {"message": "No GPU is free."}}', kind=JSON))
    animal("null with 200", body(b"null", kind=JSON))
    animal("nothing with 200", body())
    animal("noise with 200", body(os.urandom(50_000), kind="content-type: image/png"))
    animal("an error that is a list", body(b'[{"error": 1}]', kind=JSON, status=400))
    animal("an error that is a number", error(400, 7))
    animal("an error that is deep", body(b"[" * 100_000, kind=JSON, status=400))
    animal("an error with escapes", error(400, "\x1b[31m\u202edone\x07 [bold]x[/nope]"))
    animal("a Python error as the message", error(500, "'NoneType' object has no attribute 'x'"))
    animal("a message of a megabyte", error(400, "x" * 1_000_000))
    animal(
        "come back in a million years",
        body(b"{}", kind=JSON, status=429, headers=("retry-after: 99999999999999",)),
    )


_plant()
