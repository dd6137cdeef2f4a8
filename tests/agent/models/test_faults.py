from __future__ import annotations

import contextlib
import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.faults import LONGEST_QUOTE, Origin
from agent.models.litellm.fault_recognition import blamed_parameter, fault_of
from agent.models.litellm.setup import import_litellm
from agent.models.protocol import ModelFault

KINDS = {
    "rate_limit",
    "server",
    "connection",
    "timeout",
    "cut",
    "no_key",
    "bad_key",
    "unknown_model",
    "bad_request",
    "too_long",
    "garbled",
    "refused",
}
STATUS = {"PermissionDeniedError": 403, "UnprocessableEntityError": 422}
ORIGIN = Origin("gpt-4o", "openai", secrets=("not-shaped-like-a-key",))


def raised(name: str, message: str = "it went wrong", **more: Any) -> BaseException:
    """An exception of litellm's, with whatever else its class insists on."""
    import httpx

    kind = getattr(import_litellm().exceptions, name)
    asked = httpx.Request("POST", "https://example.com")
    offered: dict[str, Any] = {
        "message": message,
        "model": "gpt-4o",
        "llm_provider": "openai",
        "status_code": 500,
        "request": asked,
        **more,
    }
    wanted = inspect.signature(kind.__init__).parameters
    if "response" in wanted and wanted["response"].default is inspect.Parameter.empty:
        offered.setdefault("response", httpx.Response(STATUS.get(name, 500), request=asked))
    error: BaseException = kind(**{key: offered[key] for key in offered if key in wanted})
    return error


@pytest.mark.parametrize(
    ("name", "kind", "retryable"),
    [
        ("AuthenticationError", "bad_key", False),
        ("PermissionDeniedError", "bad_key", False),
        ("NotFoundError", "unknown_model", False),
        ("BadRequestError", "bad_request", False),
        ("UnprocessableEntityError", "bad_request", False),
        ("UnsupportedParamsError", "bad_request", False),
        ("ContextWindowExceededError", "too_long", False),
        ("ContentPolicyViolationError", "refused", False),
        ("PaymentRequiredError", "rate_limit", False),
        ("RateLimitError", "rate_limit", True),
        ("Timeout", "timeout", True),
        ("InternalServerError", "server", True),
        ("ServiceUnavailableError", "server", True),
        ("BadGatewayError", "server", True),
        ("APIConnectionError", "bad_request", False),
        ("LiteLLMUnknownProvider", "unknown_model", False),
    ],
)
def test_each_exception_is_its_kind_of_fault(name: str, kind: str, retryable: bool) -> None:
    fault = fault_of(raised(name), ORIGIN)
    assert (fault.kind, fault.retryable) == (kind, retryable)


def test_every_exception_that_litellm_has_is_some_fault_with_a_next_step() -> None:
    exceptions = import_litellm().exceptions
    names = [
        name
        for name, kind in vars(exceptions).items()
        if inspect.isclass(kind) and issubclass(kind, Exception)
    ]
    made = 0
    for name in names:
        with contextlib.suppress(TypeError):  # a class with arguments of its own
            error = raised(name)
            made += 1
            fault = fault_of(error, ORIGIN)
            assert fault.kind in KINDS
            assert "hange" in fault.sentence, "the next step"
    assert made > 20


@pytest.mark.parametrize(
    ("name", "message", "kind", "says"),
    [
        (
            "InternalServerError",
            "OpenAIException - Connection error.",
            "connection",
            "OpenAI cannot be reached. Check the network",
        ),
        (
            "InternalServerError",
            "OpenAIException - Expecting value: line 1 column 1 (char 0)",
            "garbled",
            "cannot be read as an answer",
        ),
        (
            "APIConnectionError",
            "OpenAIException - No module named 'mcp'\nTraceback (most recent call last):\n /x/y.py",
            "bad_request",
            "could not be made: “No module named 'mcp'”. Change",
        ),
        (
            "AuthenticationError",
            "The api_key client option must be set either by passing api_key or by OPENAI_API_KEY",
            "no_key",
            "There is no key for OpenAI. Set OPENAI_API_KEY",
        ),
        (
            "BadRequestError",
            'GeminiException - {"error": {"code": 400, "message": "API key not valid. Pass one."}}',
            "bad_key",
            "says the key is not valid",
        ),
        (
            "BadRequestError",
            'AnthropicException - {"message": "Your credit balance is too low to go on."}',
            "rate_limit",
            "no credit left: “Your credit balance is too low to go on”",
        ),
        (
            "BadRequestError",
            'AnthropicException - {"message": "prompt is too long: 201 > 200"}',
            "too_long",
            "“prompt is too long: 201 > 200”",
        ),
        (
            "RateLimitError",
            "You exceeded your current quota, please check your plan and billing details.",
            "rate_limit",
            "Add credit",
        ),
        (
            "BadRequestError",
            "LLM Provider NOT provided. You passed model=gpt-4o",
            "unknown_model",
            "Write it as provider/model",
        ),
        (
            "ServiceUnavailableError",
            'OpenAIException - {"message": "caf\\u00e9 is\\nfull"}',
            "server",
            "“café is full”",
        ),
    ],
)
def test_what_an_exception_says_decides_where_its_class_does_not(
    name: str, message: str, kind: str, says: str
) -> None:
    fault = fault_of(raised(name, message), ORIGIN)
    assert fault.kind == kind
    assert says in fault.sentence


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please retry in 12.5s.", 12.5),
        ("Please try again in 1m30s.", 90),
        ("Please try again in 350ms.", 0.35),
        ("exceeded your current quota. Please retry in 3s.", 3),
        ("Try later.", None),
    ],
)
def test_a_wait_said_in_words_is_heard(text: str, seconds: float | None) -> None:
    fault = fault_of(raised("RateLimitError", text), ORIGIN)
    assert fault.retry_after == pytest.approx(seconds)
    assert fault.retryable


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "20"}, 20),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({"retry-after": "9" * 400}, None),
    ],
)
def test_a_wait_in_the_headers_is_heard(headers: dict[str, str], seconds: float | None) -> None:
    import httpx

    response = httpx.Response(
        429, headers=headers, request=httpx.Request("POST", "https://example.com")
    )
    fault = fault_of(raised("RateLimitError", response=response), ORIGIN)
    assert fault.retry_after == pytest.approx(seconds)


def test_a_broken_stream_is_told_by_what_broke_it() -> None:
    for message, kind in (
        ("Response payload is not completed", "cut"),
        ("Timeout on reading data from socket", "timeout"),
        ("Expecting value: line 1 column 1 (char 0)", "garbled"),
        ("Overloaded", "server"),
    ):
        inner = raised("APIConnectionError", f"OpenAIException - {message}")
        outer = raised("MidStreamFallbackError", "cut", original_exception=inner)
        assert fault_of(outer, ORIGIN).kind == kind


def test_a_fault_stays_the_fault_it_is() -> None:
    fault = ModelFault("refused", "No.")
    assert fault_of(fault, ORIGIN) is fault


@given(st.text(max_size=600))
def test_any_text_of_a_server_becomes_one_short_clean_sentence(text: str) -> None:
    secret = ORIGIN.secrets[0]
    fault = fault_of(RuntimeError(f"{text} {secret} {text}"), ORIGIN)
    assert secret not in fault.sentence
    assert "\x1b" not in fault.sentence
    assert "\n" not in fault.sentence
    assert len(fault.sentence) < LONGEST_QUOTE + 200


def test_an_address_in_a_sentence_has_no_password() -> None:
    origin = Origin("x", "openai", "http://me:hunter2@localhost:1234/v1?key=abc")
    fault = fault_of(raised("InternalServerError", "Connection error."), origin)
    assert "http://localhost:1234/v1 cannot be reached" in fault.sentence
    assert "OPENAI_API_BASE" in fault.sentence


def test_a_refused_parameter_is_found_in_the_words_of_the_refusal() -> None:
    error = raised("BadRequestError", "Unsupported value: 'temperature' does not support 0")
    assert (
        blamed_parameter(error, {"parallel_tool_calls": False, "temperature": 0}) == "temperature"
    )
    assert blamed_parameter(error, {"parallel_tool_calls": False}) is None
    assert blamed_parameter(raised("RateLimitError", "temperature"), {"temperature": 0}) is None
