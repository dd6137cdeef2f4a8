"""Which models there are to choose from here, and making the one that was chosen.

The list is part of the first frame, so whatever is heavy waits until a model is made.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.models.providers import PROVIDERS, Provider, public_address

if TYPE_CHECKING:
    from agent.models.protocol import ChatModel

CLERK = "clerk"
STYLES = ("+tools", "+react", "+act")
"""What may stand after a model's name: how it is to call tools."""

LONGEST_NAME = 200
"""Characters."""

_NAME = re.compile(r"[A-Za-z0-9][\w.:/@+-]*")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One line of the list to choose from."""

    name: str
    """What :func:`make_model` takes."""

    title: str
    """Who answers, in words."""

    offline: bool = False
    """Needs no key and no network."""


def available(environment: Mapping[str, str] = os.environ) -> list[ModelChoice]:
    """The clerk, then a few models of each provider whose key is in the environment.

    Any other name that litellm knows can be typed as well.
    """
    clerk = ModelChoice(CLERK, "the built-in clerk: rules, not a language model", offline=True)
    return [clerk, *(choice for each in PROVIDERS for choice in _choices(each, environment))]


def make_model(name: str, *, api_base: str | None = None) -> ChatModel:
    """The model of that name: ``clerk``, ``clerk+MISTAKE``, or any name of litellm's.

    ``+react`` or ``+act`` after a name has the model write its calls as text, ``+tools`` never;
    without any it does so where its server turns out to take no tools.

    ``api_base`` is the address of a server that speaks OpenAI's protocol. Raises ModelFault
    ``unknown_model`` for what cannot be a name; whether a provider knows it shows when it is asked.
    """
    name = name.strip()
    if is_clerk(name):
        return _clerk(name.partition("+")[2])
    from agent.models.protocol import ModelFault

    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name) or name.endswith("/"):
        raise ModelFault(
            "unknown_model",
            "That is not a model's name. Give one like clerk, gpt-4o or groq/openai/gpt-oss-120b.",
        )
    from agent.models.litellm.model import LiteLLMModel

    name, _, style = name.partition("+") if name.endswith(STYLES) else (name, "", "")
    return _in_style(LiteLLMModel(name, api_base=api_base), style)


def is_clerk(name: str) -> bool:
    """Whether a model of that name is the clerk, with a mistake or without."""
    return name.partition("+")[0] == CLERK


def _in_style(model: ChatModel, style: str) -> ChatModel:
    from agent.models.text_calls import FallingBack, WritingModel

    match style:
        case "react" | "act":
            return WritingModel(model, style)
        case "tools":
            return model
        case _:
            return FallingBack(model)


def _choices(provider: Provider, environment: Mapping[str, str]) -> list[ModelChoice]:
    base = provider.base(environment)
    if not provider.key(environment) and (provider.keys or base is None):
        return []
    title = (
        provider.title if base is None else f"{provider.title}'s protocol at {public_address(base)}"
    )
    return [ModelChoice(name, title) for name in provider.suggestions]


def _clerk(mistake: str) -> ChatModel:
    """The clerk, told to make a named mistake or none."""
    from agent.clerk.clerk import Clerk
    from agent.models.protocol import ModelFault

    try:
        return Clerk(mistake=mistake or None)
    except ValueError as error:
        raise ModelFault("unknown_model", str(error)) from None
