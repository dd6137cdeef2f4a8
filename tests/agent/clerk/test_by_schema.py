from __future__ import annotations

import json
from typing import Any

import pytest

from agent.clerk.by_schema import answer
from agent.clerk.state.steps import Answer, Call
from agent.models.protocol import Message
from sessions.events.memory import RETRIEVE


def tool(name: str, about: str, **properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {
        "type": "function",
        "function": {"name": name, "description": about, "parameters": schema},
    }


TOOLS = [
    tool("find_book", "Find a book by its title.", title={"type": "string"}),
    tool(
        "lend_book",
        "Lend a book to a reader.",
        book_id={"type": "string", "description": "Such as B12."},
        days={"type": "integer"},
        kind={"type": "string", "enum": ["reading room", "home"]},
    ),
    tool("transfer_to_human_agents", "Hand over.", summary={"type": "string"}),
]


def said(*lines: str) -> list[Message]:
    messages: list[Message] = []
    for line in lines:
        messages.append({"role": "user", "content": line})
        step = answer(messages, TOOLS)
        if isinstance(step, Answer):
            messages.append({"role": "assistant", "content": step.text})
    return messages


def test_a_tool_is_offered_and_its_arguments_are_asked_for_one_by_one() -> None:
    messages = said("good morning", "2", "B12", "many", "14", "the second")
    assert "2. lend book" in messages[1]["content"]
    assert "book id" in messages[3]["content"]
    assert "days" in messages[7]["content"]
    step = answer(messages, TOOLS)
    assert isinstance(step, Call)
    assert (step.name, step.arguments) == (
        "lend_book",
        {"book_id": "B12", "days": 14, "kind": "home"},
    )


def test_what_leads_nowhere_twice_ends_in_a_way_out() -> None:
    messages = said("blah", "blub")
    assert "human agent" in messages[-1]["content"]
    step = answer([*messages, {"role": "user", "content": "a human then"}], TOOLS)
    assert isinstance(step, Call)
    assert step.name == "transfer_to_human_agents"


def entry(effect: str, condition: str, tool: str = "lend_book") -> dict[str, Any]:
    check = {"name": "It is not lent", "effect": effect, "condition": condition}
    return {"capability": f"{tool}_{effect}", "tool": tool, "trigger": "asked", "check": check}


ENTRIES = [
    entry("relaxes", "Readers in mourning may have it longer."),
    entry("tightens", "Atlases stay here."),
    entry("tightens", "Of another tool.", "find_book"),
]
MEMORY = tool(RETRIEVE, "Read it.", capabilities={"type": "array", "items": {"type": "string"}})


def remembering(*lines: str) -> tuple[list[Message], list[Call]]:
    """A conversation with a memory, and the calls that were made."""
    messages: list[Message] = []
    made: list[Call] = []
    for line in lines:
        messages.append({"role": "user", "content": line})
        while isinstance(step := answer(messages, [*TOOLS, MEMORY]), Call):
            made.append(step)
            if step.name != RETRIEVE:
                return messages, made
            named = step.arguments.get("capabilities")
            told = [each for each in ENTRIES if named is None or each["capability"] in named]
            function = {"name": step.name, "arguments": json.dumps(step.arguments)}
            call = {"id": f"c{len(made)}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            text = json.dumps(told)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
        messages.append({"role": "assistant", "content": step.text})
    return messages, made


LEND = ("good morning", "2", "B12", "14", "the second")


@pytest.mark.parametrize(
    ("answers", "lends"),
    [(["no"], True), (["hm", "no, it is not"], True), (["yes"], False), (["hm", "hm"], False)],
)
def test_what_was_learned_is_read_before_and_told_and_what_forbids_is_asked_about(
    answers: list[str], lends: bool
) -> None:
    messages, made = remembering(*LEND, *answers)
    read = [each.arguments for each in made if each.name == RETRIEVE]
    assert read == [{}, {"capabilities": ["lend_book_relaxes", "lend_book_tightens"]}]
    said = "\n".join(str(each["content"]) for each in messages if each["role"] == "assistant")
    assert RETRIEVE not in said
    assert "retrieve policy" not in said
    assert "Readers in mourning" in said
    assert said.count("Atlases stay here") >= 1
    assert [each.name for each in made if each.name != RETRIEVE] == ["lend_book"] * lends
    assert "Of another tool" not in said
