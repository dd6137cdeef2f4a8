from __future__ import annotations

from typing import Any

from agent.clerk.by_schema import answer
from agent.clerk.steps import Answer, Call
from agent.models.protocol import Message


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
