from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.models.redaction import HIDDEN, redact, without_secrets, without_secrets_json
from tests.agent.canaries import SPELLINGS
from tests.effort import EXAMPLES

ENVIRONMENT = {
    "OPENAI_API_KEY": "env-key-12345678",
    "AWS_SECRET_ACCESS_KEY": "abcd/efgh+ijkl==",
    "GH_TOKEN": "token-in-env",
    "DB_PASSWORD": "hunter2hunter2",
    "TOKENIZERS_PARALLELISM": "harmless-value",
    "HOME": "/home/someone",
    "SHORT_KEY": "none",
}


@pytest.mark.parametrize(
    "secret",
    [
        "env-key-12345678",
        "abcd/efgh+ijkl==",
        "abcd%2Fefgh%2Bijkl%3D%3D",
        "token-in-env",
        "hunter2hunter2",
    ],
)
def test_what_the_environment_calls_a_secret_is_hidden(secret: str) -> None:
    assert redact(f"You sent «{secret}».", environment=ENVIRONMENT) == f"You sent «{HIDDEN}»."


def test_what_the_environment_does_not_call_a_secret_stays() -> None:
    text = "harmless-value in /home/someone, key none"
    assert redact(text, environment=ENVIRONMENT) == text


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcDEF123456_-x",
        "sk-ant-api03-AAAAAAAAAAAA",
        "sk-cana***********cdef",
        "gsk_abcdefgh12345678",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA-1234567890abcdef",
        "hf_abcdefghijklmnop",
        "ghp_abcdefghijklmnop",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    ],
)
def test_what_is_shaped_like_a_key_is_hidden(secret: str) -> None:
    told = redact(f"Incorrect API key provided: {secret}. See the docs.", environment={})
    assert secret not in told
    assert told.startswith("Incorrect API key provided: [redacted]")
    assert told.endswith("See the docs.")


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abc.def-ghi~jkl",
        '{"authorization": "abc.def-ghi~jkl"}',
        "x-api-key: abc.def-ghi~jkl",
        "GET /v1?alt=sse&key=abc.def-ghi~jkl failed",
        "api_key='abc.def-ghi~jkl'",
        "https://me:abc.def-ghi~jkl@host/v1",
        "password=abc.def-ghi~jkl",
    ],
)
def test_what_stands_where_a_key_stands_is_hidden(text: str) -> None:
    told = redact(text, environment={})
    assert "abc.def" not in told
    assert "ghi~jkl" not in told
    assert HIDDEN in told


@given(st.text("abcXYZ019-_./+=", min_size=8, max_size=40), st.text(), st.text())
def test_a_given_secret_is_never_in_what_is_left(secret: str, before: str, after: str) -> None:
    told = redact(f"{before} {secret} {after}", [secret], environment={})
    assert secret not in told.replace(HIDDEN, "")


def test_ordinary_words_are_left_alone() -> None:
    text = "This model's maximum context length is 8192 tokens; risk-free keyboard: #W1234567."
    assert redact(text, environment={}) == text


SHORT, LONG = "Xk9-planted-0001", "Xk9-planted-0001-and-more"
SECRETS = st.text("abcXYZ019-_./+=:", min_size=12, max_size=60).filter(
    lambda secret: len(set(secret)) > 5
)
AROUND = st.text("abc \n{}\"':,%\\u0", max_size=20)


@pytest.mark.parametrize("spelling", SPELLINGS)
@settings(max_examples=EXAMPLES // 4)
@given(secret=SECRETS, before=AROUND, after=AROUND)
def test_a_secret_is_hidden_however_it_is_spelled(
    spelling: str, secret: str, before: str, after: str
) -> None:
    spelled = SPELLINGS[spelling](secret)
    told = without_secrets(f"{before}«{spelled}»{after}", [secret], {})
    assert spelled not in told
    assert HIDDEN in told


ESCAPES = ["", "\\", "\\\\", "\\n", "\\r\\n", "%", "100%0a", "\\u00", "\\u000a", "\n", "%20"]


@given(
    secret=st.text("nrtbfu0a1%\\xy", min_size=8, max_size=20).filter(lambda key: len(set(key)) > 4),
    before=st.sampled_from(ESCAPES),
    between=st.sampled_from(["", "\n", "\\n", "%0a", "\\u000a"]),
    place=st.integers(1, 7),
)
def test_no_escape_before_or_within_a_secret_keeps_it(
    secret: str, before: str, between: str, place: int
) -> None:
    spelled = f"{secret[:place]}{between}{secret[place:]}"
    told = without_secrets(f"C:{before}{spelled} and on", [secret], {})
    assert spelled not in told
    assert HIDDEN in told


@given(st.text("abcdef ghij\n", max_size=300))
def test_words_without_a_secret_stay_as_they_are(text: str) -> None:
    assert without_secrets(text, ["Xk9-planted-0001-key"], {}) == text


def test_a_conversation_about_keys_and_switches_stays_as_it_is() -> None:
    text = "The keyboard with key-switches: token: something-else, password=letmein-please"
    assert without_secrets(text, ["Xk9-planted-0001-key"], {}) == text


@pytest.mark.parametrize("secrets", [(SHORT, LONG), (LONG, SHORT)])
def test_of_a_secret_that_begins_with_another_nothing_is_left(secrets: tuple[str, str]) -> None:
    assert without_secrets(f"«{LONG}» and «{SHORT}»", secrets, {}) == f"«{HIDDEN}» and «{HIDDEN}»"


def test_secrets_are_hidden_in_keys_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "Xk9-planted-0001-key")
    kept = {"Xk9-planted-0001-key": [{"a": "x Xk9-planted-0001-key y"}, 7, None]}
    assert without_secrets_json(kept) == {HIDDEN: [{"a": f"x {HIDDEN} y"}, 7, None]}
