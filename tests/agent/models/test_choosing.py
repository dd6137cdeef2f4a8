from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent.models.choosing import available_models, make_model
from agent.models.litellm.model import LiteLLMModel
from agent.models.protocol import ModelFault
from agent.models.providers import PROVIDERS, Provider, public_address
from agent.models.text_calls import TextCallModel, ToolFallbackModel

ROOT = Path(__file__).resolve().parents[3]


def test_without_keys_there_is_the_clerk_alone() -> None:
    (only,) = available_models({})
    assert (only.name, only.offline) == ("clerk", True)
    assert "not a language model" in only.title


@pytest.mark.parametrize("provider", PROVIDERS, ids=[each.id for each in PROVIDERS])
def test_a_provider_is_offered_where_its_key_or_address_is_set(provider: Provider) -> None:
    for variable in provider.keys or provider.bases:
        offered = available_models({variable: "localhost:1234"})
        assert offered[0].name == "clerk"
        assert [choice.name for choice in offered[1:]] == list(provider.suggestions)
        assert all(provider.title in choice.title for choice in offered[1:])
        assert available_models({variable: " "}) == offered[:1]


def test_an_address_of_ones_own_is_named_without_what_is_secret_in_it() -> None:
    environment = {"OPENAI_API_KEY": "k", "OPENAI_API_BASE": "http://me:pw@host:8000/v1?key=x"}
    assert available_models(environment)[1].title == "OpenAI's protocol at http://host:8000/v1"
    assert public_address("http://[broken") == "the address that was given"


def test_every_suggestion_is_a_name_that_litellm_can_place() -> None:
    from agent.models.litellm.setup import import_litellm

    litellm = import_litellm()
    for provider in PROVIDERS:
        for name in provider.suggestions:
            assert litellm.get_llm_provider(name)[1] == provider.id
            supported = litellm.get_supported_openai_params(
                litellm.get_llm_provider(name)[0], custom_llm_provider=provider.id
            )
            assert "tools" in supported
            if provider.id not in ("ollama_chat", "openrouter"):
                assert litellm.model_cost[name]["supports_function_calling"]


@pytest.mark.parametrize("name", ["gpt-4o", " groq/openai/gpt-oss-120b ", "ollama_chat/qwen3:8b"])
def test_any_other_name_is_a_model_of_litellms(name: str) -> None:
    assert make_model(name).name == name.strip()


def test_how_a_model_calls_tools_can_be_said_after_its_name() -> None:
    assert isinstance(make_model("gpt-4o"), ToolFallbackModel)
    assert isinstance(make_model("gpt-4o+tools"), LiteLLMModel)
    assert isinstance(make_model("gpt-4o+act"), TextCallModel)
    assert make_model("ollama_chat/gemma+react").name == "ollama_chat/gemma+react"


@pytest.mark.parametrize(
    "name", ["", "  ", "two words", "openai/", "/x", "a\x1b[31m", "x" * 201, "--help", "[bold]"]
)
def test_what_cannot_be_a_name_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ModelFault, match="not a model's name") as raised:
        make_model(name)
    assert raised.value.kind == "unknown_model"


def test_the_clerk_is_made_with_or_without_a_mistake_that_it_knows() -> None:
    from agent.clerk.mistakes import MISTAKES

    assert make_model(" clerk ").name == "clerk"
    assert make_model(f"clerk+{next(iter(MISTAKES))}").name.startswith("clerk+")
    with pytest.raises(ModelFault, match="no such mistake") as raised:
        make_model("clerk+nonsense")
    assert raised.value.kind == "unknown_model"


def test_a_model_does_not_show_its_key() -> None:
    assert "secret" not in repr(LiteLLMModel("openai/x", api_key="secret-secret"))


EVERYTHING = """
import importlib, pkgutil, socket, sys

def deny(*arguments, **named):
    raise AssertionError(f"looked up {arguments}")

socket.getaddrinfo = socket.create_connection = socket.socket.connect = deny
socket.gethostbyname = deny
import agent, console, domains, sessions
for package in (agent, console, domains, sessions):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
heavy = {"litellm", "torch", "faiss", "sentence_transformers"} & sys.modules.keys()
assert not heavy, heavy
"""


@pytest.mark.heavy
def test_importing_everything_calls_nobody_prints_nothing_and_loads_nothing_heavy() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", EVERYTHING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
