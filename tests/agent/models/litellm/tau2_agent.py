"""τ²-bench's own agent, asking a model: ``python tau2_agent.py BASE JSON``.

The JSON lists conversations, each with its domain, its parameters, its seed and what the customer
says; calls that the model makes are carried out.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any


def main() -> None:
    """Hold each conversation; what is asked is heard by the server, and ``done`` ends it."""
    base, told = sys.argv[1:]
    for conversation in json.loads(told):
        hold(base, conversation)
    print("done")


def hold(base: str, asked: dict[str, Any]) -> None:
    """Take every turn of one conversation."""
    message = import_module("tau2.data_model.message")
    environment = import_module(f"tau2.domains.{asked['domain']}.environment").get_environment()
    first = import_module("tau2.orchestrator.orchestrator").DEFAULT_FIRST_AGENT_MESSAGE
    agent = import_module("tau2.agent.llm_agent").LLMAgent(
        tools=environment.get_tools(),
        domain_policy=environment.get_policy(),
        llm="openai/scripted",
        llm_args={**asked["parameters"], "api_base": base, "api_key": "none", "num_retries": 0},
    )
    agent.set_seed(asked["seed"])
    state = agent.get_init_state([first])
    for words in asked["says"]:
        heard: Any = message.UserMessage(role="user", content=words)
        while True:
            answer, state = agent.generate_next_message(heard, state)
            if not answer.tool_calls:
                break
            heard = environment.get_response(answer.tool_calls[0])


if __name__ == "__main__":
    main()
