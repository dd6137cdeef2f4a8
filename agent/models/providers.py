"""The known providers: display name, environment variables for key and address, suggested models.

Read before the first frame, so nothing heavy is imported here. litellm reaches many more providers
than are listed; the others go by the name that litellm gives them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider, identified by its litellm name."""

    id: str
    title: str
    keys: tuple[str, ...] = ()
    """Environment variables that may hold its key, the usual one first."""

    bases: tuple[str, ...] = ()
    """Environment variables that point to another server speaking the same protocol."""

    suggestions: tuple[str, ...] = ()
    """A few current models that call tools, from the installed litellm's price list."""

    local: str | None = None
    """The default address if it runs on the user's own machine."""

    def key(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The key from the environment, or None."""
        return _first(self.keys, environment)

    def base(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The server's address from the environment, with a scheme; None for the usual one."""
        address = _first(self.bases, environment)
        if address is None or "://" in address:
            return address
        return f"http://{address.replace('0.0.0.0', '127.0.0.1')}"

    def base_variable(self, environment: Mapping[str, str] = os.environ) -> str | None:
        """The variable that points to another server: the one that is set, else the usual one."""
        given = [name for name in self.bases if environment.get(name, "").strip()]
        usual = [name for name in self.bases if name.endswith("_API_BASE")]
        return next(iter([*given, *usual, *self.bases]), None)


def _first(names: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    return next((environment[name] for name in names if environment.get(name, "").strip()), None)


PROVIDERS: tuple[Provider, ...] = (
    Provider(
        "openai",
        "OpenAI",
        ("OPENAI_API_KEY",),
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        ("gpt-5.6", "gpt-5.4-mini", "gpt-4.1", "gpt-4o"),
    ),
    Provider(
        "anthropic",
        "Anthropic",
        ("ANTHROPIC_API_KEY",),
        ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
        ("claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-4-5"),
    ),
    Provider(
        "gemini",
        "Google Gemini",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        (),
        ("gemini/gemini-3.8-flash", "gemini/gemini-pro-latest", "gemini/gemini-flash-latest"),
    ),
    Provider(
        "groq",
        "Groq",
        ("GROQ_API_KEY",),
        (),
        ("groq/openai/gpt-oss-120b", "groq/qwen/qwen3.8-27b"),
    ),
    Provider(
        "mistral",
        "Mistral",
        ("MISTRAL_API_KEY",),
        (),
        ("mistral/mistral-large-latest", "mistral/mistral-medium-latest"),
    ),
    Provider(
        "openrouter",
        "OpenRouter",
        ("OPENROUTER_API_KEY",),
        (),
        ("openrouter/anthropic/claude-sonnet-4.5", "openrouter/openai/gpt-4.1"),
    ),
    Provider(
        "deepseek",
        "DeepSeek",
        ("DEEPSEEK_API_KEY",),
        (),
        ("deepseek/deepseek-v4-pro", "deepseek/deepseek-v4-flash"),
    ),
    Provider("xai", "xAI", ("XAI_API_KEY",), (), ("xai/grok-4.7",)),
    Provider(
        "together_ai",
        "Together AI",
        ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),
        (),
        ("together_ai/zai-org/GLM-5.3", "together_ai/moonshotai/Kimi-K3"),
    ),
    Provider("cohere_chat", "Cohere", ("COHERE_API_KEY", "CO_API_KEY"), (), ("command-a-03-2025",)),
    Provider("azure", "Azure OpenAI", ("AZURE_API_KEY",), ("AZURE_API_BASE",)),
    Provider("bedrock", "Amazon Bedrock"),
    Provider("vertex_ai", "Google Vertex AI"),
    Provider(
        "ollama_chat",
        "Ollama",
        (),
        ("OLLAMA_API_BASE", "OLLAMA_HOST"),
        ("ollama_chat/qwen3", "ollama_chat/llama3.3"),
        "http://localhost:11434",
    ),
)

_BY_ID = {provider.id: provider for provider in PROVIDERS}


def provider_of(id: str) -> Provider:
    """The provider with that litellm name; an unlisted one gets that name as its title."""
    return _BY_ID.get(id) or Provider(id, id.replace("_", " "), (f"{id.upper()}_API_KEY",))


def provider_named_in(model: str) -> Provider | None:
    """The provider that a model's name begins with, as in ``groq/…``; None if there is none."""
    head, slash, _ = model.partition("/")
    return _BY_ID.get(head) if slash else None


def public_address(address: str) -> str:
    """An address without the parts that can hold a secret: user, password and query."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address that was given"
    path = re.sub(r"[^\w./~-]", "", parts.path)
    return f"{parts.scheme}://{parts.hostname or ''}{port}{path}"
