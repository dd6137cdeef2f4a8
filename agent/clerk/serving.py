"""Going through what is open, in order, up to the next call or question, whatever the trade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from agent.clerk.dialogue import Dialogue
from agent.clerk.quoting import quoted
from agent.clerk.steps import Answer, Ask, Call, Settled, Tell
from agent.clerk.wants import Want
from agent.clerk.wording import ANYTHING_ELSE, TRANSFER, joined

T = TypeVar("T", bound=Dialogue[Any, Any])

_STUCK = (
    "I'm sorry, I still don't follow. Shall I leave it as it is, or transfer you to a human agent?"
)
_SORRY = "I'm sorry about that."
_CUT = "That was a long message: I could only read the beginning of it."
_NOT_READ = "I didn't understand {}; please tell me that in other words."
_PATIENCE = 1
"""How often a question is asked again before the clerk offers to leave it."""


@dataclass(frozen=True)
class Service(Generic[T]):
    """How one trade settles requests; the rest of an answer is the same everywhere."""

    settle: Callable[[Any, T, str], Call | Ask | Tell]
    """The next step for one request; may raise Settled with it."""

    ordered: Callable[[list[Any]], list[Any]]
    """Open requests in the order in which they are worked on."""

    conflict: Callable[[Call, list[Any], T], Call | Ask | None]
    """What has to be settled before a call because of the requests that are still to come."""

    unclear: str
    """What is said to a message that asks for nothing known."""

    unclear_again: str = ""
    """What is said to a second one in a row; the same words where there are none."""

    in_other_words: Callable[[Ask], str] | None = None
    """A question put differently, for when it comes twice in a row."""

    def step(self, request: Any, talk: T, policy: str) -> Call | Ask | Tell:
        """The next step for one request, a declined or failed proposal included."""
        if request.wait == "revise" and request.intent is not None:
            return instead(request, talk)
        if request.wait.startswith("Error"):
            why = request.wait.removeprefix("Error: ")[:200]
            return Tell(f"That was not possible: {why}.", "refused")
        try:
            return self.settle(request, talk, policy)
        except Settled as settled:
            step = settled.step
        if isinstance(step, Tell) and request.give_up and step.outcome == "refused":
            return Tell(f"{step.text} As you asked, I've left it as it is.", "dropped")
        return step

    def serve(self, talk: T, policy: str) -> Call | Answer:
        """Go through what is open, in order, up to the first call or question."""
        queue = self.ordered(talk.open)
        parts: list[str] = []
        told: list[tuple[Want, str]] = []
        last: Ask | Tell | None = None
        forbidden: Call | None = None
        while queue and not isinstance(last, Ask):
            request = queue.pop(0)
            step = self._next(request, queue, talk, policy)
            if isinstance(step, Call):
                return step
            forbidden = forbidden or step.forbidden
            if isinstance(step, Ask) and self._given_up(step, talk, told):
                step = Tell("I'll leave that as it is for now.", "dropped")
            if isinstance(step, Ask):
                parts += [part for part in (step.lead, self._asked(step, talk, told)) if part]
            else:
                parts.append(_still(step, talk))
                told.append((request, step.outcome))
                if step.outcome == "refused":
                    queue[:0] = talk.instead_of(request)
            last = step
        ask = last if isinstance(last, Ask) else None
        if ask is None and not (isinstance(last, Tell) and last.asks):
            parts = self._closed(talk, parts)
        if talk.unread and (told or ask):
            parts.insert(0, _NOT_READ.format(joined(map(quoted, talk.unread))))
        if talk.cut:
            parts.insert(0, _CUT)
        return Answer("\n\n".join(parts), tuple(told), ask, forbidden, last.focus if last else "")

    def _given_up(self, ask: Ask, talk: T, told: list[tuple[Want, str]]) -> bool:
        """Whether a question is not put once more."""
        offered = bool(talk.spoken) and _STUCK in talk.spoken[-1] and not talk.noted
        stuck = offered and self.in_other_words is not None and _again(ask, talk, told)
        return stuck or _hopeless(ask, talk, told)

    def _asked(self, ask: Ask, talk: T, told: list[tuple[Want, str]]) -> str:
        """A question's words; one that was the question before, too, is put differently."""
        text = ask.text
        if not _again(ask, talk, told):
            return text
        if self.in_other_words is not None and text in talk.spoken[-1]:
            text = self.in_other_words(ask)
        if talk.noted:
            return f"Noted. {text}"
        if talk.repeats >= _PATIENCE:
            return _STUCK
        return f"Sorry, I didn't get that. {text}"

    def _next(self, request: Any, queue: list[Any], talk: T, policy: str) -> Call | Ask | Tell:
        step = self.step(request, talk, policy)
        if isinstance(step, Call) and step.key in talk.unwanted:
            step = instead(request, talk)
        if isinstance(step, Call):
            step = self.conflict(step, queue, talk) or step
        return step

    def _closed(self, talk: T, parts: list[str]) -> list[str]:
        """The parts of an answer that asks nothing, with what invites the customer to go on."""
        if TRANSFER in parts:
            return parts
        if parts:
            return [*parts, ANYTHING_ELSE]
        if talk.farewell:
            return ["You're welcome. Have a good day!"]
        if talk.introducing and talk.introduced:
            return [f"Thank you, {talk.memory.first_name}. {_opened(talk)}What can I do for you?"]
        if talk.unclear and talk.misses > _PATIENCE + 1:
            return [_STUCK]
        if talk.unclear and talk.misses > _PATIENCE:
            return [self.unclear_again or self.unclear]
        if talk.unclear:
            return [self.unclear]
        return [f"{_SORRY if talk.upset else 'All right.'} {ANYTHING_ELSE}"]


def _opened(talk: Dialogue[Any, Any]) -> str:
    """The opening, given back where nothing came of it."""
    if not talk.opening or talk.requests:
        return ""
    return f"You wrote {quoted(talk.opening)}, which I didn't understand. "


def instead(request: Any, talk: Dialogue[Any, Any]) -> Ask:
    """Ask what should be different; a declined call is not made again as it was."""
    text = "All right, I haven't done that. What would you like instead, or shall I leave it?"
    if not talk.declined and talk.ask is not None:
        text = "That would be the same again. What should be different, or shall I leave it?"
    return Ask(text, "revise", request)


def _still(step: Tell, talk: Dialogue[Any, Any]) -> str:
    """The words of an answer; a refusal that was the last answer, too, says that it stays."""
    said = bool(talk.spoken) and step.text in talk.spoken[-1]
    return f"I'm afraid that stays so. {step.text}" if said and _refuses(step) else step.text


def _refuses(step: Tell) -> bool:
    return step.outcome == "refused" and step.text != TRANSFER


def _hopeless(ask: Ask, talk: Dialogue[Any, Any], told: list[tuple[Want, str]]) -> bool:
    """Whether a question was put often enough to a customer who tells nothing of it."""
    patience = _PATIENCE + (2 if talk.noted else 1)
    return talk.repeats > patience and _again(ask, talk, told)


def _again(ask: Ask, talk: Dialogue[Any, Any], told: list[tuple[Want, str]]) -> bool:
    """Whether a question is the one that was asked last, and nothing else came in between."""
    return talk.ask is not None and talk.ask.text == ask.text and not (told or talk.fresh)
