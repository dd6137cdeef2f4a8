"""Every way a model can fail to answer, as a sentence that says what happened and what to do.

:mod:`agent.models.litellm.fault_recognition` decides which of them an exception is.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.models.protocol import ModelFault
from agent.models.providers import Provider, provider_of, public_address
from agent.models.redaction import redact
from sessions.cleaning import clean

LONGEST_QUOTE = 240
"""Characters of a server's own words that a sentence may quote."""

OR_CHANGE = "or change the model."
_SET_KEY = "and start saber again (the conversation is kept)"


@dataclass(frozen=True, slots=True)
class Origin:
    """Which model was asked and where, and the secrets that must not be quoted."""

    model: str
    provider: str
    base: str | None = None
    """The server's address, if it is not the provider's own."""

    secrets: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """What a sentence calls the provider."""
        return f"the server at {public_address(self.base)}" if self.base else self._provider.title

    @property
    def key_variable(self) -> str:
        """The environment variable that its key is most likely read from."""
        return next(iter(self._provider.keys), "its credentials")

    @property
    def base_variable(self) -> str:
        """The environment variable for its address: the one that is set, else the one to set."""
        return self._provider.base_variable() or "its address"

    @property
    def _provider(self) -> Provider:
        return provider_of(self.provider)

    def fault(
        self,
        kind: str,
        sentence: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> ModelFault:
        """A fault whose sentence starts with a capital and contains no key."""
        plain = redact(clean(sentence), self.secrets)
        plain = plain[:1].upper() + plain[1:]
        return ModelFault(kind, plain, retryable=retryable, retry_after=retry_after)


def quote(words: str, origin: Origin) -> str:
    """A server's words, ready to be quoted in a sentence: one line, short, and without a key."""
    line = " ".join(redact(clean(words), origin.secrets).split()).strip(" .")
    return line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE]}…"


def _quotation(words: str) -> str:
    return f": “{words}”" if words.strip() else ""


def no_key(origin: Origin) -> ModelFault:
    """No key is set for the provider."""
    return origin.fault(
        "no_key",
        f"there is no key for {origin.who}. Set {origin.key_variable} {_SET_KEY}, {OR_CHANGE}",
    )


def bad_key(origin: Origin) -> ModelFault:
    """The provider rejects the key as unknown."""
    return origin.fault(
        "bad_key",
        f"{origin.who} says the key is not valid. Set {origin.key_variable} to a working key "
        f"{_SET_KEY}, {OR_CHANGE}",
    )


def forbidden(origin: Origin, words: str) -> ModelFault:
    """The provider knows the key but does not allow it to do this."""
    return origin.fault(
        "bad_key",
        f"{origin.who} does not let this key use {origin.model}{_quotation(words)}. "
        f"Use another key, {OR_CHANGE}",
    )


def no_credit(origin: Origin, words: str) -> ModelFault:
    """The account has no credit, so waiting does not help."""
    return origin.fault(
        "rate_limit",
        f"{origin.who} says this account has no credit left{_quotation(words)}. "
        f"Add credit or use another key, {OR_CHANGE}",
    )


def rate_limit(origin: Origin, seconds: float | None) -> ModelFault:
    """Too many requests; ``seconds`` is how long the provider asked us to wait."""
    wait = "a little" if seconds is None or seconds < 1 else f"{seconds:.0f} seconds"
    return origin.fault(
        "rate_limit",
        f"{origin.who} is getting more requests than it allows. Wait {wait} and retry, {OR_CHANGE}",
        retryable=True,
        retry_after=seconds,
    )


def too_long(origin: Origin, words: str) -> ModelFault:
    """The conversation exceeds what the model can read."""
    return origin.fault(
        "too_long",
        f"this conversation is longer than {origin.model} can read{_quotation(words)}. "
        "Send fewer context blocks, or change to a model that reads more.",
    )


def unknown_model(origin: Origin) -> ModelFault:
    """The provider has no model of that name."""
    return origin.fault(
        "unknown_model",
        f"{origin.who} does not know a model named {origin.model}. Check the name, {OR_CHANGE}",
    )


def no_tools(origin: Origin) -> ModelFault:
    """The model accepts no tools; it can still be asked to write its calls as text."""
    return origin.fault(
        "no_tools",
        f"{origin.model} does not support tools at {origin.who}. Choose {origin.model}+react to "
        f"have it write its calls as text, {OR_CHANGE}",
    )


def unknown_provider(origin: Origin) -> ModelFault:
    """The name does not say which provider the model belongs to."""
    return origin.fault(
        "unknown_model",
        f"it is not clear which provider {origin.model} is from. Write it as provider/model, as in "
        f"openai/{origin.model.rpartition('/')[2]}, {OR_CHANGE}",
    )


def refusal(origin: Origin, words: str = "") -> ModelFault:
    """The model, or a content filter in front of it, declined to answer."""
    return origin.fault(
        "refused",
        f"{origin.who} declined to answer this{_quotation(words)}. "
        f"Rephrase your message, {OR_CHANGE}",
    )


def silent(origin: Origin, seconds: float | None = None, *, empty: bool = False) -> ModelFault:
    """Nothing arrived for too long, or, with ``empty``, only pieces without content did."""
    how_long = "in time" if seconds is None else f"for {seconds:g} seconds"
    what = "nothing but empty pieces" if empty else "nothing"
    return origin.fault(
        "timeout", f"{origin.who} sent {what} {how_long}. Retry, {OR_CHANGE}", retryable=True
    )


def too_slow(origin: Origin, seconds: float) -> ModelFault:
    """The answer took longer than the deadline for a whole answer."""
    return origin.fault(
        "timeout",
        f"{origin.who} had not finished its answer after {seconds:g} seconds. Retry, {OR_CHANGE}",
        retryable=True,
    )


def unreachable(origin: Origin) -> ModelFault:
    """No connection could be made."""
    remedy = "Check the network and retry, "
    if origin.base:
        remedy = f"Start it, or correct the address ({origin.base_variable}), and retry, "
    return origin.fault(
        "connection", f"{origin.who} cannot be reached. {remedy}{OR_CHANGE}", retryable=True
    )


def hung_up(origin: Origin) -> ModelFault:
    """The server closed the connection before it began an answer."""
    return origin.fault(
        "connection",
        f"{origin.who} closed the connection without an answer. Retry, {OR_CHANGE}",
        retryable=True,
    )


def cut(origin: Origin) -> ModelFault:
    """The stream ended before the answer did."""
    return origin.fault(
        "cut",
        f"the answer from {origin.who} broke off in the middle, and nothing in it was carried "
        f"out. Retry, {OR_CHANGE}",
        retryable=True,
    )


def no_answer(origin: Origin) -> ModelFault:
    """The response cannot be read as an answer."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent something that cannot be read as an answer. Retry, {OR_CHANGE}",
        retryable=True,
    )


def web_page(origin: Origin) -> ModelFault:
    """An HTML page arrived, from a sign-in portal, a proxy or some other server."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent a web page instead of an answer. Check the network's sign-in page"
        f"{_and_the_address(origin)}, {OR_CHANGE}",
    )


def json_for_stream(origin: Origin) -> ModelFault:
    """Plain JSON arrived although a stream was requested."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent its answer in one piece instead of streaming it. "
        f"Turn on streaming there{_and_the_address(origin)}, {OR_CHANGE}",
    )


def no_stream(origin: Origin, kind: str) -> ModelFault:
    """The response is neither a stream, JSON nor HTML; ``kind`` is its content type."""
    called = f" (it calls it {quote(kind, origin)})" if kind else ""
    return origin.fault(
        "garbled",
        f"{origin.who} sent something that is not an answer{called}. Check that it is a model's "
        f"server{_and_the_address(origin)}, {OR_CHANGE}",
    )


def _and_the_address(origin: Origin) -> str:
    return f", check the address ({origin.base_variable})" if origin.base else ""


def unforeseen(origin: Origin, status: int, words: str) -> ModelFault:
    """The server sent an HTTP status that model servers do not use."""
    return origin.fault(
        "bad_request",
        f"{origin.who} answered with HTTP status {status} instead of an answer{_quotation(words)}. "
        f"Check that it is a model's server{_and_the_address(origin)}, {OR_CHANGE}",
    )


def redirect_fault(origin: Origin, towards: str) -> ModelFault:
    """A redirect to another server, which was not followed."""
    where = f" to {public_address(towards)}" if towards else ""
    return origin.fault(
        "connection",
        f"{origin.who} redirected the request{where}. It was not followed: the whole "
        f"conversation and the key would have gone there. If that is the right server, set its "
        f"address"
        f"{f' ({origin.base_variable})' if origin.base else ''}, {OR_CHANGE}",
    )


def redirect_loop_fault(origin: Origin) -> ModelFault:
    """Too many redirects in a row."""
    return origin.fault(
        "connection",
        f"{origin.who} redirected the request again and again, so it was given up. "
        f"Check the address{f' ({origin.base_variable})' if origin.base else ''}, {OR_CHANGE}",
    )


def too_much(origin: Origin, what: str) -> ModelFault:
    """The response exceeds what any answer needs; ``what`` says in which way."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent {what}, and was stopped. None of it was carried out. "
        f"Rephrase your message, {OR_CHANGE}",
    )


def compression_fault(origin: Origin) -> ModelFault:
    """The body was compressed, although that was not requested, and cannot be unpacked."""
    return origin.fault(
        "garbled",
        f"{origin.who} compressed its answer in a way that cannot be read, although no "
        f"compression was requested. Retry, {OR_CHANGE}",
        retryable=True,
    )


def nothing_said(origin: Origin, reason: str | None) -> ModelFault:
    """The answer ended without a word or a call; ``reason`` says why, if known."""
    if reason == "length":
        return origin.fault(
            "garbled",
            f"{origin.model} reached its length limit before it said anything. Retry, {OR_CHANGE}",
        )
    return origin.fault(
        "garbled", f"{origin.who} answered with nothing. Retry, {OR_CHANGE}", retryable=True
    )


def server(origin: Origin, words: str, seconds: float | None) -> ModelFault:
    """The provider failed; ``seconds`` is how long it asked us to wait."""
    return origin.fault(
        "server",
        f"{origin.who} had an internal error{_quotation(words)}. Retry, {OR_CHANGE}",
        retryable=True,
        retry_after=seconds,
    )


def bad_request(origin: Origin, words: str) -> ModelFault:
    """The provider rejected the request as it is."""
    return origin.fault(
        "bad_request",
        f"{origin.who} did not accept the request{_quotation(words)}. "
        "Change the model, or end the conversation.",
    )


def bad_setting(origin: Origin, parameter: str) -> ModelFault:
    """The provider rejected a setting that the session asks for."""
    option = "max-tokens" if parameter.endswith("_tokens") else parameter.replace("_", "-")
    return origin.fault(
        "bad_setting",
        f"{origin.who} does not accept the requested {option.replace('-', ' ')}. "
        f"Leave out --{option}, or change the model.",
    )


def no_reasoning(origin: Origin) -> ModelFault:
    """The server shows its model's reasoning but rejects a request that contains it."""
    return origin.fault(
        "no_reasoning",
        f"{origin.who} does not take its own reasoning back, nor a reminder in it. "
        "Ask with --reflection-as message, or change the model.",
    )


def impossible(origin: Origin, words: str) -> ModelFault:
    """The request never left this machine."""
    return origin.fault(
        "bad_request",
        f"the request to {origin.who} could not be made: “{words}”. "
        "Change the model, or end the conversation.",
    )
