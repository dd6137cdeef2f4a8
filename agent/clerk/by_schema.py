"""Serves a domain without skills: offers its tools and asks for the arguments of the picked one.

The state is recomputed from the messages each time: the tool that was last picked from the offer,
and the values given for its arguments, in the order of the tool's schema. Lessons about that tool
are looked up first and reported. If a lesson forbids the call, the clerk asks whether it applies
before it makes the call.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agent.clerk.lessons.adjusting import MOST_ASKED
from agent.clerk.lessons.learned import Learned
from agent.clerk.state.messages import (
    NOTE,
    REMINDER,
    calls_of,
    hands_over_entries,
    text_of,
    without_card_talk,
)
from agent.clerk.state.records import HAND_OVER, RecordedCall
from agent.clerk.state.steps import Answer, Call
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.picking import pick_place
from agent.clerk.understanding.tokens import alike, has, tokens
from agent.clerk.wording import TRANSFER, number_lines, quote
from agent.models.protocol import Message
from sessions.events.memory import RETRIEVE

Json = dict[str, Any]
MOST = 5
SHOWN = 600
"""How many characters of a tool result are shown."""

_FEW = 4
"""How many leading words of an answer are searched for a yes or a no."""

_DOUBT = "Before I do that, please say yes or no: does this apply here?"
_OFFER = "All I know here is a list of tools. What would you like to do?"
_STUCK = "I still don't follow. Shall I leave it, or would you like a human agent?"


def answer(messages: list[Message], tools: list[Json]) -> Call | Answer:
    """Return the next step: a call with all its arguments, a question about one, or the offer."""
    functions = (_object(_object(each).get("function")) for each in tools)
    known = {e["name"]: e for e in functions if isinstance(e.get("name"), str)}
    talk = _Talk(known, Learned(is_available=known.pop(RETRIEVE, None) is not None))
    for message in without_card_talk(messages):
        talk.take(message)
    return talk.next_of_tool() if talk.tool else talk.next_offer()


@dataclass
class _Talk:
    """The state of a dialogue in a domain that is known only by its tool schemas."""

    known: dict[str, Json]
    """The function schemas of the tools, by name."""

    learned: Learned
    tool: str = ""
    told: Json = field(default_factory=dict)
    lost: int = 0
    typed: list[str] = field(default_factory=list)
    result: str = ""
    asked: list[str] = field(default_factory=list)
    """Lessons that the customer was asked about; the last one may still await an answer."""

    waits: bool = False
    reads: dict[str, RecordedCall] = field(default_factory=dict)
    """Calls that only read the memory, by call id."""

    def next_offer(self) -> Answer:
        """Return the offer of tools after the last result, or a way out if due."""
        if self.lost > 1:
            return Answer(_STUCK)
        lead = f"{self.result}\n\n" if self.result else ""
        lost = f"I didn't understand {quote(self.typed[-1])}. " if self.lost else ""
        lines = number_lines(map(self._line, self._offered()))
        return Answer(f"{lead}{lost}{_OFFER}\n\n{lines}")

    def next_of_tool(self) -> Call | Answer:
        """Return the next step for the picked tool: a memory look-up, a question or the call."""
        wanted = self.learned.next_look_up(self.tool, "", self.typed)
        if wanted is not None:
            return Call(RETRIEVE, wanted)
        missing = self._missing()
        if missing:
            relaxes = [] if self.told else [*self.learned.lessons(self.tool, "relaxes")]
            lead = (f"I have learned: “{each.condition}”\n\n" for each in relaxes[:MOST_ASKED])
            return Answer("".join(lead) + self._question(missing))
        forbids = [each.condition for each in self.learned.lessons(self.tool, "tightens")]
        doubts = (each for each in forbids[:MOST_ASKED] if each not in self.asked)
        doubt = self.asked[-1] if self.waits else next(doubts, "")
        return Answer(f"{_DOUBT} “{doubt}”") if doubt else Call(self.tool, self.told)

    def take(self, message: Message) -> None:
        """Update the state with one message."""
        text, role, calls = text_of(message), message.get("role"), [*calls_of(message)]
        read = self.reads.get(str(message.get("tool_call_id")))
        if calls and all(each.name == RETRIEVE for each in calls):
            self.reads.update((each.id, each) for each in calls)
        elif role == "tool" and read is not None:
            self.learned.take(read.arguments, text)
        elif hands_over_entries(message):
            self.learned.take_handed(text)
        elif role == "assistant" and calls:
            self._pick("")
        elif role == "assistant" and text.startswith(_DOUBT):
            self.waits = True
            self.asked.append(text.removeprefix(f"{_DOUBT} “").removesuffix("”"))
        elif role == "tool":
            self.result = TRANSFER if "transfer" in text.lower()[:60] else text[:SHOWN]
        elif role == "user" and text.strip() and not text.startswith((NOTE, REMINDER)):
            self.result = ""
            self._hear(text)
            self.typed.append(text)

    def _pick(self, tool: str) -> None:
        self.tool, self.told, self.waits, self.lost, self.asked = tool, {}, False, 0, []

    def _hear(self, text: str) -> None:
        """Take what the customer typed: the value that was asked for, a yes or no, or a pick."""
        words, missing = tokens(text), self._missing()
        if has(words, "human", "agent", "person") and HAND_OVER in self.known:
            self.tool, self.told = HAND_OVER, {"summary": text[:300]}
        elif has(words, "never mind", "leave it", "forget it", "stop"):
            self._pick("")
        elif self.waits:
            self._take_yes_or_no(text)
        elif missing:
            value = _value(text, self._properties().get(missing))
            self.lost = 0 if value is not None else self.lost + 1
            self.told.update({} if value is None else {missing: value})
        else:
            place = pick_place(text, [self._line(each) for each in self._offered()])
            if place is not None:
                self._pick(self._offered()[place])
            else:
                self.lost += not any(self._fits(text, each) for each in self.known)

    def _take_yes_or_no(self, text: str) -> None:
        """Record whether the lesson applies; if so, or if that stays unclear, drop the tool."""
        first = tokens(text)[:_FEW]
        if tells(first, "not so"):
            self.waits = False
        elif tells(first, "so"):
            self.result = f"I can't do that. I have learned: “{self.asked[-1]}”"
            self._pick("")
        elif self.asked.count(self.asked[-1]) > 1:
            self._pick("")

    def _offered(self) -> list[str]:
        """The tools that fit best what was typed last, best first, at most ``MOST``."""
        last = "".join(self.typed[-1:])
        return sorted(self.known, key=lambda name: -self._fits(last, name))[:MOST]

    def _fits(self, text: str, name: str) -> int:
        own = tokens(self._line(name))
        return sum(any(alike(word, each) for each in own) for word in tokens(text) if len(word) > 2)

    def _line(self, name: str) -> str:
        about = str(self.known[name].get("description") or "").split("\n")[0][:100]
        title = name.replace("_", " ")
        return f"{title}: {about}" if about else title

    def _properties(self) -> Json:
        return _object(_object(self.known[self.tool].get("parameters")).get("properties"))

    def _missing(self) -> str:
        """The first required argument of the picked tool without a value, or an empty string."""
        parameters = _object(self.known.get(self.tool, {}).get("parameters"))
        wanted = map(str, parameters.get("required", []))
        return next((each for each in wanted if each not in self.told), "")

    def _question(self, name: str) -> str:
        schema = _object(self._properties().get(name))
        choices = [str(each) for each in schema.get("enum") or ()]
        listed = f"\n\n{number_lines(choices[:MOST])}" if choices else ""
        title, what = self.tool.replace("_", " "), name.replace("_", " ")
        return f"To {title}: what is the {what}? {schema.get('description') or ''}{listed}"


def _object(value: Any) -> Json:
    """The value if it is a JSON object, otherwise an empty object."""
    return value if isinstance(value, dict) else {}


def _value(text: str, schema: Any) -> Any:
    """The text converted to the type that the schema asks for; None if it does not fit."""
    choices, kind = _object(schema).get("enum"), _object(schema).get("type")
    line = text.strip()
    if choices:
        place = pick_place(text, [str(each) for each in choices])
        return choices[place] if place is not None else None
    if kind == "array":
        return [each.strip() for each in line.split(",") if each.strip()]
    if kind == "boolean":
        return has(tokens(line), "yes", "true", "ok", "sure")
    try:
        if kind in {"number", "integer"}:
            return int(line) if kind == "integer" else float(line.strip("$ "))
    except ValueError:
        return None
    return line or None
