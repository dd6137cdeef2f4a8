"""Every way a model can fail to answer, as a sentence: what happened, and what to do next.

``litellm_faults`` tells which of them an exception is.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.models.protocol import ModelFault
from agent.models.providers import Provider, provider_of, public_address
from agent.models.redaction import redact
from sessions.cleaning import clean

LONGEST_QUOTE = 240
"""Characters of a server's own words in a sentence."""

OR_CHANGE = "or change the model."
_SET_KEY = "and start saber again (the conversation is kept)"


@dataclass(frozen=True, slots=True)
class Origin:
    """Which model was asked, where, and what must not be quoted back."""

    model: str
    provider: str
    base: str | None = None
    """The server's address, where it is not the provider's own."""

    secrets: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """The provider as a sentence names it."""
        return f"the server at {public_address(self.base)}" if self.base else self._provider.title

    @property
    def key_variable(self) -> str:
        """The environment variable that its key is read from, most likely."""
        return next(iter(self._provider.keys), "its credentials")

    @property
    def base_variable(self) -> str:
        """Where its address is given: the variable that is set, else the one to set."""
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
        """A fault whose sentence begins with a capital and holds no key."""
        plain = redact(clean(sentence), self.secrets)
        plain = plain[:1].upper() + plain[1:]
        return ModelFault(kind, plain, retryable=retryable, retry_after=retry_after)


def quote(words: str, origin: Origin) -> str:
    """A server's words as they may stand in a sentence: on one line, short, without a key."""
    line = " ".join(redact(clean(words), origin.secrets).split()).strip(" .")
    return line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE]}…"


def _quotation(words: str) -> str:
    return f": “{words}”" if words.strip() else ""


def no_key(origin: Origin) -> ModelFault:
    """There is no key to ask the provider with."""
    return origin.fault(
        "no_key",
        f"there is no key for {origin.who}. Set {origin.key_variable} {_SET_KEY}, {OR_CHANGE}",
    )


def bad_key(origin: Origin) -> ModelFault:
    """The provider does not know the key."""
    return origin.fault(
        "bad_key",
        f"{origin.who} says the key is not valid. Set {origin.key_variable} to a working key "
        f"{_SET_KEY}, {OR_CHANGE}",
    )


def forbidden(origin: Origin, words: str) -> ModelFault:
    """The provider knows the key and does not let it do this."""
    return origin.fault(
        "bad_key",
        f"{origin.who} does not let this key use {origin.model}{_quotation(words)}. "
        f"Use another key, {OR_CHANGE}",
    )


def no_credit(origin: Origin, words: str) -> ModelFault:
    """The account cannot pay; waiting does not help."""
    return origin.fault(
        "rate_limit",
        f"{origin.who} says this account has no credit left{_quotation(words)}. "
        f"Add credit or use another key, {OR_CHANGE}",
    )


def rate_limit(origin: Origin, seconds: float | None) -> ModelFault:
    """Too many requests; ``seconds`` is how long the provider asked to wait."""
    wait = "a little" if seconds is None or seconds < 1 else f"{seconds:.0f} seconds"
    return origin.fault(
        "rate_limit",
        f"{origin.who} is getting more requests than it allows. Wait {wait} and retry, {OR_CHANGE}",
        retryable=True,
        retry_after=seconds,
    )


def too_long(origin: Origin, words: str) -> ModelFault:
    """The conversation does not fit."""
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
    """The model cannot be handed tools; it can still be asked to write its calls as text."""
    return origin.fault(
        "no_tools",
        f"{origin.model} takes no tools at {origin.who}. Choose {origin.model}+react to have it "
        f"write its calls as text, {OR_CHANGE}",
    )


def unknown_provider(origin: Origin) -> ModelFault:
    """Nobody can tell whom to ask for a model of that name."""
    return origin.fault(
        "unknown_model",
        f"it cannot be told whose model {origin.model} is. Write it as provider/model, as in "
        f"openai/{origin.model.rpartition('/')[2]}, {OR_CHANGE}",
    )


def refusal(origin: Origin, words: str = "") -> ModelFault:
    """The model, or a filter before it, declined to answer."""
    return origin.fault(
        "refused",
        f"{origin.who} declined to answer this{_quotation(words)}. "
        f"Say it in other words, {OR_CHANGE}",
    )


def silent(origin: Origin, seconds: float | None = None, *, empty: bool = False) -> ModelFault:
    """Nothing came for too long, or nothing but what is ``empty``."""
    how_long = "in time" if seconds is None else f"for {seconds:g} seconds"
    what = "pieces with nothing in them" if empty else "nothing"
    return origin.fault(
        "timeout", f"{origin.who} sent {what} {how_long}. Retry, {OR_CHANGE}", retryable=True
    )


def too_slow(origin: Origin, seconds: float) -> ModelFault:
    """The answer took longer than any answer may."""
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
    """The connection was closed where an answer should have begun."""
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
    """What came is not an answer."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent something that cannot be read as an answer. Retry, {OR_CHANGE}",
        retryable=True,
    )


def web_page(origin: Origin) -> ModelFault:
    """A page for a browser came: a portal's, a proxy's, or another server's altogether."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent a web page instead of an answer. Check the network's sign-in page"
        f"{_and_the_address(origin)}, {OR_CHANGE}",
    )


def json_for_stream(origin: Origin) -> ModelFault:
    """JSON came where a stream was asked for."""
    return origin.fault(
        "garbled",
        f"{origin.who} answered in one piece, and not in the stream of pieces that was asked for. "
        f"Have it stream{_and_the_address(origin)}, {OR_CHANGE}",
    )


def no_stream(origin: Origin, kind: str) -> ModelFault:
    """Something came that is neither; ``kind`` is what the server calls it."""
    called = f" (it calls it {quote(kind, origin)})" if kind else ""
    return origin.fault(
        "garbled",
        f"{origin.who} sent something that is not an answer{called}. Check that it is a model's "
        f"server{_and_the_address(origin)}, {OR_CHANGE}",
    )


def _and_the_address(origin: Origin) -> str:
    return f", check the address ({origin.base_variable})" if origin.base else ""


def unforeseen(origin: Origin, status: int, words: str) -> ModelFault:
    """A status that a model's server has no use for."""
    return origin.fault(
        "bad_request",
        f"{origin.who} answered with HTTP status {status} instead of an answer{_quotation(words)}. "
        f"Check that it is a model's server{_and_the_address(origin)}, {OR_CHANGE}",
    )


def redirect_fault(origin: Origin, towards: str) -> ModelFault:
    """A redirect to somewhere else, which was not followed."""
    where = f" to {public_address(towards)}" if towards else ""
    return origin.fault(
        "connection",
        f"{origin.who} sent the request on{where}. It was not followed: the whole conversation "
        f"and the key would have gone there. If that is the right server, set its address"
        f"{f' ({origin.base_variable})' if origin.base else ''}, {OR_CHANGE}",
    )


def redirect_loop_fault(origin: Origin) -> ModelFault:
    """Redirect upon redirect."""
    return origin.fault(
        "connection",
        f"{origin.who} sent the request on again and again, and it was given up. "
        f"Check the address{f' ({origin.base_variable})' if origin.base else ''}, {OR_CHANGE}",
    )


def too_much(origin: Origin, what: str) -> ModelFault:
    """More came than any answer is made of; ``what`` says of what."""
    return origin.fault(
        "garbled",
        f"{origin.who} sent {what}, and was stopped. Nothing of it was carried out. "
        f"Say it in other words, {OR_CHANGE}",
    )


def compression_fault(origin: Origin) -> ModelFault:
    """A body that was compressed, though that was not asked for, and cannot be unpacked."""
    return origin.fault(
        "garbled",
        f"{origin.who} compressed its answer in a way that cannot be read, though none was asked "
        f"for. Retry, {OR_CHANGE}",
        retryable=True,
    )


def nothing_said(origin: Origin, reason: str | None) -> ModelFault:
    """The answer ended without a word or a call; ``reason`` is why, where that is known."""
    if reason == "length":
        return origin.fault(
            "garbled",
            f"{origin.model} reached its limit of length before it said anything. "
            f"Retry, {OR_CHANGE}",
        )
    return origin.fault(
        "garbled", f"{origin.who} answered with nothing. Retry, {OR_CHANGE}", retryable=True
    )


def server(origin: Origin, words: str, seconds: float | None) -> ModelFault:
    """The provider failed; ``seconds`` is how long it asked to wait."""
    return origin.fault(
        "server",
        f"{origin.who} had a failure of its own{_quotation(words)}. Retry, {OR_CHANGE}",
        retryable=True,
        retry_after=seconds,
    )


def bad_request(origin: Origin, words: str) -> ModelFault:
    """The provider would not take the request as it is."""
    return origin.fault(
        "bad_request",
        f"{origin.who} did not accept the request{_quotation(words)}. "
        "Change the model, or end the conversation.",
    )


def bad_setting(origin: Origin, parameter: str) -> ModelFault:
    """The provider would not take what was asked for beside the conversation."""
    option = "max-tokens" if parameter.endswith("_tokens") else parameter.replace("_", "-")
    return origin.fault(
        "bad_setting",
        f"{origin.who} does not take the {option.replace('-', ' ')} that was asked for. "
        f"Ask without --{option}, or change the model.",
    )


def no_reasoning(origin: Origin) -> ModelFault:
    """The server shows its model's reasoning, and refuses to be shown it."""
    return origin.fault(
        "no_reasoning",
        f"{origin.who} does not take its own reasoning back, and no reminder in it. "
        "Ask with --reflection-as message, or change the model.",
    )


def impossible(origin: Origin, words: str) -> ModelFault:
    """The request never left this machine."""
    return origin.fault(
        "bad_request",
        f"the request to {origin.who} could not be made: “{words}”. "
        "Change the model, or end the conversation.",
    )
