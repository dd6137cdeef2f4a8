"""A domain that the clerk has no skills for: it offers the tools and asks for their arguments.

What stands open is worked out from the messages each time: the tool that was picked last from the
offer, and what was answered for each of its arguments, in the order of the tool's schema. What was
learned of that tool is read first and told; what forbids something is asked about before the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.heeding import MOST_ASKED
from agent.clerk.learned import Learned
from agent.clerk.quoting import quote
from agent.clerk.reading_memory import read_so_far, without_look_ups
from agent.clerk.reading_messages import NOTE, REMINDER, calls_of, text_of, without_asides
from agent.clerk.steps import Answer, Call
from agent.clerk.understanding.picking import pick_place
from agent.clerk.understanding.tokens import alike, has, tokens
from agent.clerk.wording import TRANSFER, number_lines
from agent.models.protocol import Message
from sessions.events.memory import RETRIEVE

Json = dict[str, Any]
MOST = 5
SHOWN = 600
"""Characters of a result that are told."""

_FEW = 4
"""Words of an answer in which a yes or a no is looked for."""

_DOUBT = "Before I do that, please say yes or no: does this apply here?"
HAND_OVER = "transfer_to_human_agents"
_OFFER = "I know this store only by its tools. What would you like to do?"
_STUCK = "I still don't follow. Shall I leave it, or would you like a human agent?"


@dataclass
class _State:
    """Where the conversation stands."""

    offered: list[str] = field(default_factory=list)
    tool: str = ""
    told: Json = field(default_factory=dict)
    lost: int = 0
    said: str = ""
    result: str = ""
    asked: list[str] = field(default_factory=list)
    """Lessons about which it was asked whether they apply; the last one may wait for an answer."""

    waits: bool = False
    forbidden: str = ""
    """The lesson that applies, by the customer's word."""


def answer(messages: list[Message], tools: list[Json]) -> Call | Answer:
    """The next step: a call with all its arguments, a question for one, or the offer."""
    known = {str(each["function"]["name"]): each["function"] for each in tools if _is_named(each)}
    learned = read_so_far(messages, there=known.pop(RETRIEVE, None) is not None)
    state = _State(offered=_rank("", known))
    for message in without_look_ups(without_asides(messages)):
        _take(state, message, known)
    if state.tool:
        return _next_of_tool(state, known, learned, messages)
    if state.forbidden:
        return Answer(f"I can't do that. I have learned: “{state.forbidden}”\n\n{_OFFER}")
    if state.lost > 1:
        return Answer(_STUCK)
    lead = f"{state.result}\n\n" if state.result else ""
    lost = f"I didn't understand {quote(state.said)}. " if state.lost else ""
    lines = number_lines(_line(each, known) for each in state.offered)
    return Answer(f"{lead}{lost}{_OFFER}\n\n{lines}")


def _next_of_tool(
    state: _State, known: dict[str, Json], learned: Learned, messages: list[Message]
) -> Call | Answer:
    """What is done next with the tool that was picked: read, ask, or call it."""
    said = [text_of(each) for each in messages if each.get("role") == "user"]
    wanted = learned.next_look_up(state.tool, "", said)
    if wanted is not None:
        return Call(RETRIEVE, wanted)
    missing = _missing(state, known)
    if missing is not None:
        told = "" if state.told else _words_of_learned(learned, state.tool)
        return Answer(told + _question(state.tool, missing, known))
    forbids = [each.condition for each in learned.lessons(state.tool, "tightens")][:MOST_ASKED]
    doubt = state.asked[-1] if state.waits else ""
    doubt = doubt or next((each for each in forbids if each not in state.asked), "")
    return Answer(f"{_DOUBT} “{doubt}”") if doubt else Call(state.tool, state.told)


def _words_of_learned(learned: Learned, tool: str) -> str:
    """What was learned that allows more than the policy says, before the first question."""
    lines = [f"I have learned: “{each.condition}”" for each in learned.lessons(tool, "relaxes")]
    return "".join(f"{each}\n\n" for each in lines[:MOST_ASKED])


def _is_named(tool: Json) -> bool:
    function = tool.get("function") if isinstance(tool, dict) else None
    return isinstance(function, dict) and isinstance(function.get("name"), str)


def _take(state: _State, message: Message, known: dict[str, Json]) -> None:
    text, role = text_of(message), message.get("role")
    if role == "assistant" and list(calls_of(message)):
        state.tool, state.told, state.lost, state.asked = "", {}, 0, []
    elif role == "assistant" and text.startswith(_DOUBT):
        state.waits = True
        state.asked.append(text.removeprefix(f"{_DOUBT} “").removesuffix("”"))
    elif role == "tool":
        state.result = TRANSFER if "transfer" in text.lower()[:60] else text[:SHOWN]
    elif role == "user" and text.strip() and not text.startswith((NOTE, REMINDER)):
        state.said, state.result, state.forbidden = text, "", ""
        _hear(state, text, known)


def _hear(state: _State, text: str, known: dict[str, Json]) -> None:
    words = tokens(text)
    if has(words, "human", "agent", "person") and HAND_OVER in known:
        state.tool, state.told = HAND_OVER, {"summary": text[:300]}
        return
    if has(words, "never mind", "leave it", "forget it", "stop"):
        state.tool, state.told, state.lost, state.waits = "", {}, 0, False
        return
    if state.waits:
        _decide(state, words)
        return
    missing = _missing(state, known) if state.tool else None
    if missing is not None:
        value = _value(text, _properties(state.tool, known).get(missing, {}))
        state.lost = 0 if value is not None else state.lost + 1
        if value is not None:
            state.told[missing] = value
        return
    lines = [_line(each, known) for each in state.offered]
    place = pick_place(text, lines)
    if place is None:
        state.offered = _rank(text, known)
        state.lost += bool(state.said) and not _fits(text, state.offered[0], known)
        return
    state.tool, state.told, state.lost, state.asked = state.offered[place], {}, 0, []


def _decide(state: _State, words: Sequence[str]) -> None:
    """Whether what forbids the change applies; what is neither yes nor no is asked once more."""
    no, again = has(words[:_FEW], "no", "not", "nope"), state.asked.count(state.asked[-1]) > 1
    if has(words[:_FEW], "yes", "yeah", "yep", "it does") and not no:
        state.forbidden, state.tool, state.told, state.waits = state.asked[-1], "", {}, False
    elif no:
        state.waits = False
    elif again:
        state.tool, state.told, state.waits = "", {}, False


def _rank(text: str, known: dict[str, Json]) -> list[str]:
    """The tools that the words fit best, at most five."""
    order = sorted(known, key=lambda name: -_fits(text, name, known))
    return order[:MOST]


def _fits(text: str, name: str, known: dict[str, Json]) -> int:
    own = tokens(_line(name, known))
    return sum(any(alike(word, each) for each in own) for word in tokens(text) if len(word) > 2)


def _line(name: str, known: dict[str, Json]) -> str:
    about = str(known[name].get("description") or "").split("\n")[0][:100]
    title = name.replace("_", " ")
    return f"{title}: {about}" if about else title


def _properties(name: str, known: dict[str, Json]) -> Json:
    parameters = known[name].get("parameters")
    found = parameters.get("properties") if isinstance(parameters, dict) else None
    return found if isinstance(found, dict) else {}


def _missing(state: _State, known: dict[str, Json]) -> str | None:
    parameters = known[state.tool].get("parameters")
    required = parameters.get("required", []) if isinstance(parameters, dict) else []
    return next((str(each) for each in required if each not in state.told), None)


def _question(tool: str, name: str, known: dict[str, Json]) -> str:
    schema = _properties(tool, known).get(name, {})
    about = str(schema.get("description") or "") if isinstance(schema, dict) else ""
    choices: Sequence[Any] = schema.get("enum") or () if isinstance(schema, dict) else ()
    listed = f"\n\n{number_lines(map(str, choices[:MOST]))}" if choices else ""
    return f"To {tool.replace('_', ' ')}: what is the {name.replace('_', ' ')}? {about}{listed}"


def _value(text: str, schema: Any) -> Any:
    """What was typed as the schema wants it; None where it cannot be that."""
    schema = schema if isinstance(schema, dict) else {}
    choices = schema.get("enum")
    if choices:
        place = pick_place(text, [str(each) for each in choices])
        return choices[place] if place is not None else None
    kind, line = schema.get("type"), text.strip()
    if kind == "array":
        return [each.strip() for each in line.split(",") if each.strip()]
    if kind == "boolean":
        return has(tokens(line), "yes", "true", "ok", "sure")
    if kind in {"number", "integer"}:
        try:
            return int(line) if kind == "integer" else float(line.strip("$ "))
        except ValueError:
            return None
    return line or None
