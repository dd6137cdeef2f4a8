"""Lists the models that can be chosen here, and creates the chosen one.

The list is part of the first frame, so heavy imports wait until a model is created.
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
"""The suffixes a model's name may have; they say how it calls tools."""

LONGEST_NAME = 200
"""Characters of a model's name."""

_NAME = re.compile(r"[A-Za-z0-9][\w.:/@+-]*")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """One line of the list of models."""

    name: str
    """The name to pass to :func:`make_model`."""

    title: str
    """Which provider or server answers, in words."""

    offline: bool = False
    """Whether it needs neither a key nor a network."""


def available_models(environment: Mapping[str, str] = os.environ) -> list[ModelChoice]:
    """The clerk, then a few models of each provider whose key is in the environment.

    Any other name that litellm knows can be typed as well.
    """
    clerk = ModelChoice(CLERK, "the built-in clerk: rules, not a language model", offline=True)
    return [clerk, *(choice for each in PROVIDERS for choice in _choices(each, environment))]


def make_model(name: str, *, api_base: str | None = None) -> ChatModel:
    """The model with that name: ``clerk``, ``clerk+MISTAKE``, or any litellm name.

    The suffix ``+react`` or ``+act`` makes the model write its calls as text; ``+tools`` forbids
    that. Without a suffix it does so only if its server turns out to accept no tools.

    ``api_base`` is the address of a server that speaks OpenAI's protocol. Raises ModelFault
    ``unknown_model`` for text that cannot be a model's name; whether a provider knows the model
    only shows when it is asked.
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
    """Whether the name is the clerk's, with or without a deliberate mistake."""
    return name.partition("+")[0] == CLERK


def _in_style(model: ChatModel, style: str) -> ChatModel:
    from agent.models.text_calls import TextCallModel, ToolFallbackModel

    match style:
        case "react" | "act":
            return TextCallModel(model, style)
        case "tools":
            return model
        case _:
            return ToolFallbackModel(model)


def _choices(provider: Provider, environment: Mapping[str, str]) -> list[ModelChoice]:
    base = provider.base(environment)
    if not provider.key(environment) and (provider.keys or base is None):
        return []
    title = (
        provider.title if base is None else f"{provider.title}'s protocol at {public_address(base)}"
    )
    return [ModelChoice(name, title) for name in provider.suggestions]


def _clerk(mistake: str) -> ChatModel:
    """The clerk, with the named deliberate mistake or none."""
    from agent.clerk.clerk import Clerk
    from agent.models.protocol import ModelFault

    try:
        return Clerk(mistake=mistake or None)
    except ValueError as error:
        raise ModelFault("unknown_model", str(error)) from None
