"""The auxiliary model: phrases cards and reminders, and judges tools that declare no kind.

SABER, section 4.2. Each of its jobs has a counterpart without a model. That is used if there is no
auxiliary model, or if its answer does not arrive or is not supported. What it says is never taken
as fact: :mod:`agent.auxiliary.claims` compares it with what a trial of the call showed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from agent.auxiliary.claims import ungrounded_claims
from agent.context.block import Block
from agent.gate.card import words_digest
from agent.models.asking import request_answer
from agent.models.protocol import Message, ModelFault, ModelRequest
from agent.reflection.reflection import CLOSING, opening
from agent.session.turn_context import TurnContext
from domains.core.canonical import canonical
from domains.core.tool import Tool, ToolCall, ToolKind
from domains.text.one_line import line
from sessions.cleaning import clean
from sessions.events import BlockSummarised, Card, Purpose, ToolJudged

PATIENCE = 20.0
"""How many seconds to wait for an answer: the person is waiting too."""

_SIGNS = frozenset("✓✔✗✘→⇒•▸▾⏎⇥‹›“”")
LONGEST_SENTENCE = 300
LONGEST_REMINDER = 900
"""The maximum lengths of a sentence and a reminder, in characters."""

_WORD_CARD = """You put one change to a customer's data into words, for a card on which the customer
says yes or no to it. Write one plain sentence of at most 40 words that says what is about to happen
to what is theirs, by its name and price where they are given. Use only the facts you are given.
No greeting, no question, no advice, no markup."""

_REFLECT = """A service agent is about to change a customer's records. From its policy and the facts
you are given, write what it must keep in mind before exactly this call: at most four short lines,
the most easily forgotten first, each a rule for this call and whether the facts meet it. Quote
numbers and ids exactly. Do not repeat the call, do not address the customer, no markup."""

_SUMMARISE = """You shorten one turn of a conversation between a customer and a service agent, as a
reminder for the agent. One line of at most 50 words: what the customer asked or said, with every
condition, id and amount, and what the outcome was. Nothing that is not in the turn. No markup."""

_JUDGE = """You are given one tool of a service agent. Say whether calling it can change any
record, send anything to anybody, or otherwise have an effect beyond its answer. When in doubt, it
can. Answer with one JSON object and nothing else: {"mutating": true or false, "why": "one short
sentence"}"""


async def phrase_card(ctx: TurnContext, card: Card) -> Card:
    """Return the card in the auxiliary model's words, or with these struck if unsupported."""
    if ctx.auxiliary is None:
        return card
    told = await _ask(ctx, "word_card", _WORD_CARD, "\n".join(_facts(card)))
    sentence = line(" ".join((told or "").split()))
    if not sentence or len(sentence) > LONGEST_SENTENCE:
        return card
    base = ctx.domain.base
    wrong = await asyncio.to_thread(ungrounded_claims, sentence, list(_facts(card)), base)
    wrong = (*wrong, *_signs(sentence, card))
    by = {"worded_by": ctx.auxiliary.name}
    if wrong:
        return card.model_copy(update={"struck": sentence, "unsupported": wrong, **by})
    return card.model_copy(update={"sentence": sentence, **by})


def _signs(sentence: str, card: Card) -> tuple[str, ...]:
    """The signs in a sentence that the sentence it would replace does not contain.

    They are signs that a card's own lines begin with.
    """
    return tuple(each for each in dict.fromkeys(sentence) if each in _SIGNS - set(card.sentence))


def in_the_words_of(earlier: Card, card: Card) -> Card:
    """Return the card in the words of an earlier one, or unchanged if the facts differ."""
    words = ("struck", "unsupported", "worded_by")
    kept = {name: getattr(earlier, name) for name in words}
    if earlier.worded_by and not earlier.struck:
        kept["sentence"] = earlier.sentence
    copy = card.model_copy(update=kept)
    return copy if words_digest(copy) == words_digest(earlier) else card


async def summarise_blocks(ctx: TurnContext, blocks: Sequence[Block]) -> list[BlockSummarised]:
    """A summary line for each of these finished blocks.

    The model is only asked if summaries are sent or blocks are ranked by them; otherwise the rule's
    summaries are kept for the record.
    """
    return [
        BlockSummarised(turn=block.turn, text=text, by=by)
        for block in blocks
        for text, by in [await _summary(ctx, block)]
    ]


async def _summary(ctx: TurnContext, block: Block) -> tuple[str, str]:
    guards = ctx.safeguards
    needed = guards.blocks_as == "summaries" or guards.blocks_by == "summary"
    if ctx.auxiliary is None or not needed:
        return block.summary, ""
    turn = "\n".join(f"{each['role']}: {_content(each)}" for each in block.messages)
    told = " ".join((await _ask(ctx, "summarise", _SUMMARISE, turn) or "").split())
    if not told or len(told) > LONGEST_SENTENCE:
        return block.summary, ""
    if await asyncio.to_thread(ungrounded_claims, told, [turn], ctx.domain.base):
        return block.summary, ""
    return told, ctx.auxiliary.name


def _content(message: Message) -> str:
    calls = (call["function"] for call in message.get("tool_calls") or ())
    made = (f"{each['name']}({each['arguments']})" for each in calls)
    return " ".join(filter(None, (message["content"], *made)))


async def write_reminder(ctx: TurnContext, call: ToolCall, rule: str) -> tuple[str, str, str]:
    """The reminder in the auxiliary model's words: its text, its author, and what was struck.

    `rule` is the reminder chosen without a model; it is used if the model has nothing better.
    """
    if ctx.auxiliary is None:
        return rule, "", ""
    facts = f"The policy:\n{ctx.domain.policy}\n\nThe call and the facts:\n{rule}"
    told = (await _ask(ctx, "reflect", _REFLECT, facts) or "").strip()
    if not told or len(told) > LONGEST_REMINDER:
        return rule, "", ""
    if await asyncio.to_thread(ungrounded_claims, told, [facts], ctx.domain.base):
        return rule, "", told
    return f"{opening(call)}\n{told}\n{CLOSING}", ctx.auxiliary.name, ""


async def mutates(ctx: TurnContext, call: ToolCall) -> bool:
    """Whether a call must pass the gate; a tool that does not declare this is judged once (law 5).

    A tool that does declare it may be judged as well, for statistics; its own declaration applies.
    """
    tool = ctx.domain.tools.get(call.name)
    if tool is None or ctx.auxiliary is None:
        return ctx.domain.tools.mutates(call.name)
    declared = tool.kind is not ToolKind.UNDECLARED
    if declared and not ctx.safeguards.judge_declared:
        return tool.mutates
    judged = _judgement(ctx, tool)
    if judged is None:
        judged = await _judge_tool(ctx, tool)
        await ctx.log.append(judged)
    return tool.mutates if declared else judged.mutating


def _judgement(ctx: TurnContext, tool: Tool) -> ToolJudged | None:
    """The judgement of a tool that is already in the session's log, or None."""
    events = (logged.event for logged in ctx.log.events)
    said = (each for each in events if isinstance(each, ToolJudged))
    return next((each for each in said if each.name == tool.name), None)


async def _judge_tool(ctx: TurnContext, tool: Tool) -> ToolJudged:
    told = await _ask(ctx, "judge_tool", _JUDGE, json.dumps(tool.schema, ensure_ascii=False))
    verdict = _object_in(told or "")
    mutating = verdict.get("mutating")
    return ToolJudged(
        name=tool.name,
        mutating=mutating if isinstance(mutating, bool) else True,
        declared=None if tool.kind is ToolKind.UNDECLARED else tool.mutates,
        usable=isinstance(mutating, bool),
        why=clean(str(verdict.get("why", "no usable answer")))[:LONGEST_SENTENCE],
        by=ctx.auxiliary.name if ctx.auxiliary else "",
    )


async def _ask(ctx: TurnContext, purpose: Purpose, system: str, facts: str) -> str | None:
    """One answer as text; None after a fault, which is then in the log."""
    if ctx.auxiliary is None:
        return None
    messages: list[Message] = [
        {"role": "system", "content": system},
        {"role": "user", "content": facts},
    ]
    try:
        answered = await request_answer(
            ctx, ctx.auxiliary, ModelRequest(messages, []), purpose, patience=PATIENCE
        )
    except ModelFault:
        return None
    await ctx.log.append(answered)
    return answered.text


def _facts(card: Card) -> list[str]:
    """Everything that a card knows, which is all that a sentence on it may say."""
    return [
        f"Tool: {card.tool}({canonical(card.arguments)})",
        f"In short: {card.sentence}",
        *(f"Before: {each.name} {each.value}".rstrip() for each in card.before),
        *(f"Afterwards: {effect}" for effect in card.after),
        *(f"No longer possible afterwards: {closed}" for closed in card.closes),
    ]


def _object_in(text: str) -> dict[str, Any]:
    """The JSON object in an answer; empty if there is none."""
    begin = text.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(text, begin if begin >= 0 else 0)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
