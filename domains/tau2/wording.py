"""What the installed τ²-bench tells an agent: its system prompt, its greeting, its tools in words.

They are read from the package in a separate process, because importing it would print on the screen
and change how models are called here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

from domains.core.domain import DomainError
from domains.core.wording import Wording
from domains.tau2.data import installed_folder

TOOLKITS = {"retail": "RetailTools", "airline": "AirlineTools"}
"""By domain, the class in τ²-bench that holds its tools."""

TIMEOUT_SECONDS = 120
"""Timeout in seconds; the process imports at least as much as this program does."""

_POLICY = "<<the policy>>"
"""Stands for the policy in the prompt that the package is asked for."""

_ASK = """
import json, sys
from importlib import import_module

toolkits, policy = json.loads(sys.argv[1]), sys.argv[2]
agent = import_module("tau2.agent.llm_agent")
first = import_module("tau2.orchestrator.orchestrator").DEFAULT_FIRST_AGENT_MESSAGE
prompt = agent.LLMAgent(tools=[], domain_policy=policy).system_prompt
told = {}
for domain, toolkit in toolkits.items():
    tools = getattr(import_module(f"tau2.domains.{domain}.tools"), toolkit)(None).get_tools()
    schemas = [tool.openai_schema for tool in tools.values()]
    told[domain] = {"prompt": prompt, "greeting": first.content, "tools": schemas}
print(json.dumps(told))
"""


def installed_wording(name: str, policy: str) -> Wording:
    """A domain in τ²-bench's wording, around ``policy``; raises DomainError if there is none."""
    if name not in TOOLKITS:
        raise DomainError(
            f"τ²-bench's own wording is available for {' and '.join(TOOLKITS)}, not for {name}."
        )
    found = _ask_installed()[name]
    return Wording(found["prompt"].replace(_POLICY, policy), found["greeting"], found["tools"])


@cache
def _ask_installed() -> dict[str, dict[str, Any]]:
    """The package's wording for all domains; nearly all of the time goes into importing it."""
    installed_folder()  # raises DomainError, which says what to do, if it is not installed
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    environment.pop("TAU2_DATA_DIR", None)  # the package would look there for its own files
    asked = subprocess.run(
        [sys.executable, "-c", _ASK, json.dumps(TOOLKITS), _POLICY],
        env=environment, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip
    try:
        found: dict[str, dict[str, Any]] = json.loads(asked.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        why = (asked.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise DomainError(
            f"The installed τ²-bench could not be asked for its prompt: {why}"
        ) from None
    return found
