"""Ask the model and log it: every request, every failed attempt and every answer is an event."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from agent.context.messages import messages_for
from agent.control.nudging import say_or_nudge
from agent.models.assembly import Answer, event_text
from agent.models.history import NOTE
from agent.models.protocol import ChatModel, Message, ModelFault, ModelRequest, Piece, TextPiece
from agent.models.retries import answer_with_retries
from agent.reflection.reminding import remind
from agent.session.shielding import run_shielded
from agent.session.turn_context import TurnContext
from domains.core.canonical import canonical
from sessions.cleaning import clean
from sessions.events import (
    SPOKEN_PURPOSES,
    AgentSaid,
    Card,
    ModelAnswered,
    ModelFailed,
    ModelRequested,
    Purpose,
    ReminderWay,
)


async def ask_model(ctx: TurnContext, reminder: str | None = None) -> None:
    """Have the model take its next step, and append its words and calls to the log.

    Raises ModelFault if no attempt yields a usable answer.
    """
    try:
        answered = await _answer(ctx, reminder)
    except ModelFault as fault:
        if fault.kind != "no_reasoning" or ctx.safeguards.reflection_as != "auto":
            raise
        answered = await _answer(ctx, reminder)  # the model now knows to use another way
    if answered.text.strip():
        await ctx.log.append(answered, say_or_nudge(ctx, answered))
    elif answered.calls:
        ctx.log.hold(answered)  # recorded together with the result of its first call
    else:
        await ctx.log.append(answered)


async def _answer(ctx: TurnContext, reminder: str | None) -> ModelAnswered:
    """The model's next step, with the reminder in the request if there is one."""
    messages, way = messages_so_far(ctx), None
    if reminder is not None:
        proposed = ctx.log.turn.answer
        mine = proposed is not None and proposed.model == ctx.model.name
        handed = remind(
            reminder, ctx.model, proposed if mine else None, ctx.safeguards.reflection_as,
            ctx.log.events,
        )  # fmt: skip
        messages, way = [*messages, *handed.messages], handed.way
    request = ModelRequest(messages, ctx.wording.tools)
    return await request_answer(ctx, ctx.model, request, "act", reminder=way)


async def answer_about_card(ctx: TurnContext, card: Card, question: str) -> None:
    """Have the model answer a question about a waiting card; the card stays as it is."""
    messages = messages_so_far(ctx)
    messages += [_about(card), {"role": "user", "content": clean(question)}]
    request = ModelRequest(messages, [])
    answered = await request_answer(ctx, ctx.model, request, "answer_about_card")
    await ctx.log.append(answered, AgentSaid(text=answered.text, about_card=card.id))


def messages_so_far(ctx: TurnContext) -> list[Message]:
    """The conversation so far as messages, limited to the blocks chosen for this turn."""
    blocks = ctx.blocks.for_model(ctx.model.name)
    return messages_for(
        blocks, ctx.log.events, ctx.wording.prompt,
        gate=ctx.safeguards.gate, coupled=ctx.latch.is_closed,
    )  # fmt: skip


def _about(card: Card) -> Message:
    """The message that describes a card to the model: the call, and what the customer reads.

    It has the user role, like every console note: several providers refuse a late system message.
    """
    lines = [
        f"{NOTE} A card is waiting: the customer is looking at this change and asks about it.",
        f"The call: {card.tool}({canonical(card.arguments)})",
        f"The card says: {card.sentence}",
        *(f"Afterwards: {effect}" for effect in card.after),
        *(f"Afterwards no longer possible: {closed}" for closed in card.closes),
        "Answer the question in words, from what is known. Nothing has been changed yet.",
    ]
    return {"role": "user", "content": "\n".join(lines)}


async def request_answer(
    ctx: TurnContext,
    model: ChatModel,
    request: ModelRequest,
    purpose: Purpose,
    *,
    patience: float | None = None,
    reminder: ReminderWay | None = None,
) -> ModelAnswered:
    """Return a model's answer after logging every attempt; the caller logs the answer itself.

    `patience` is in seconds. Raises ModelFault if there is no usable answer in that time.
    """
    request = replace(request, settings=ctx.requests)
    asking = _Asking(ctx, model, purpose, len(request.messages), reminder)
    await asking.begin()
    try:
        async with asyncio.timeout(patience):
            answer = await answer_with_retries(
                model,
                request,
                on_piece=asking.hear,
                on_retry=asking.again,
                used_ids=ctx.call_ids,
            )
    except ModelFault as fault:
        await asking.record_failure(fault.kind, fault.sentence)
        raise
    except TimeoutError:
        late = ModelFault("timeout", f"{model.name} gave no answer within {patience:.0f} seconds.")
        await asking.record_failure(late.kind, late.sentence)
        raise late from None
    except asyncio.CancelledError:
        await run_shielded(asking.record_failure("cancelled", "You stopped the agent."))
        raise
    return asking.answer_event(answer)


class _Asking:
    """One request to a model: logs its attempts, and the partial text when one breaks off."""

    def __init__(
        self,
        ctx: TurnContext,
        model: ChatModel,
        purpose: Purpose,
        messages: int,
        reminder: ReminderWay | None,
    ) -> None:
        self._ctx = ctx
        self._model = model.name
        self._purpose = purpose
        self._messages = messages
        self._reminder = reminder
        self._attempt = 1
        self._partial: list[str] = []
        self._started = time.monotonic()

    async def begin(self) -> None:
        await self._ctx.log.append(
            ModelRequested(
                model=self._model,
                turn=self._ctx.log.turn.number,
                attempt=self._attempt,
                purpose=self._purpose,
                messages=self._messages,
                reminder=self._reminder,
            )
        )

    def hear(self, piece: Piece) -> None:
        if isinstance(piece, TextPiece):
            self._partial.append(piece.text)
        self._tell(piece)

    async def again(self, fault: ModelFault, attempt: int, seconds: float) -> None:
        """Log a failed attempt before the wait for the next one."""
        await self.record_failure(fault.kind, fault.sentence, retry_in=seconds)
        self._attempt = attempt + 1
        self._tell(None)

    def _tell(self, piece: Piece | None) -> None:
        """Show a piece as it arrives, if the answer is meant for the customer."""
        if self._purpose in SPOKEN_PURPOSES:
            self._ctx.pass_on_piece(piece)

    async def record_failure(self, kind: str, sentence: str, retry_in: float | None = None) -> None:
        partial, self._partial = "".join(self._partial), []
        await self._ctx.log.append(
            ModelFailed(
                model=self._model,
                fault=kind,
                sentence=clean(sentence),
                partial=event_text(partial),
                retry_in=retry_in,
            )
        )

    def answer_event(self, answer: Answer) -> ModelAnswered:
        return ModelAnswered(
            model=self._model,
            purpose=self._purpose,
            text=answer.text,
            reasoning=answer.reasoning,
            calls=answer.calls,
            usage=answer.usage,
            finish_reason=answer.finish_reason,
            milliseconds=round((time.monotonic() - self._started) * 1000),
            provider=answer.provider,
        )
