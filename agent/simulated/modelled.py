"""A model that plays the customer, with our own instructions built from the role."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from agent.auxiliary.other_models import ask_other
from agent.gate.operator import Decision
from agent.models.protocol import ChatModel, Message, ModelFault, ModelRequest
from agent.simulated.card_words import card_words
from agent.simulated.customer import CardPut, CustomerFault, Heard, Said
from agent.simulated.speaking import Manner, find_words, object_in
from domains.core.domain import Role, Scenario
from sessions.cleaning import clean
from sessions.events import Card, OtherPurpose, Record

GOODBYE = "[[GOODBYE]]"
"""What the model writes when the customer would hang up."""

QUESTIONS = 2
"""How many questions it may ask about one card before it must decide."""

_PLAY = """You play a customer who writes to a company's customer service. The messages you get
are the agent's; what you answer is sent to the agent as it is, so write nothing but the customer's
words.

{role}

How to play:
- Begin with what brings you here, in a sentence or two, and let the rest come out when it is asked
  for or when its turn comes. Do not recite your role.
- You know only what stands above. Asked for anything else, say that you do not know or do not have
  it at hand; never make up a number, a name, an address or a reason.
- Want what the customer wants, neither more nor less, and take no offer that your role does not
  speak of. Where it names a second choice, come to it only once the first is refused.
- You are not the agent: you cannot look anything up or change anything yourself.
{cards}- Once you have what you came for, or it is clear that you will not get it, answer with
  {goodbye} and nothing else. Do the same when you are handed over to somebody else."""

_CARDS = """- Changes to your account are put to you on a card before they are made. You answer each
  card apart from this conversation; a line in brackets tells you what you answered.
"""

_DECIDE = """You play a customer who is asked to confirm a change before it is made.

{role}

You are shown a card that says what would be changed. Decide as this customer would: say yes only
if it is what they want, in every detail that they care about (which things, which options, which
way of paying, how much). A line that is marked NOT true is a warning.

Answer with one JSON object and nothing else:
{{"decision": "approve" or "reject" or "change"{ask}, "words": "what the customer says"}}

- approve: this is what I want; make the change.
- reject: I do not want this. In words: why.
- change: I want something like it, but different. In words: what should be different.
{asking}"""

_WHO_ANSWERED = {"agent": "The agent answered", "trial": "The card answered"}
_ASK = ', or "ask"'
_ASKING = "- ask: I cannot tell yet. In words: the question."


class ModelCustomer:
    """Plays one scenario with any chat model; sees only the role, the words and the cards."""

    def __init__(
        self,
        model: ChatModel,
        scenario: Scenario,
        record: Record,
        *,
        sees_cards: bool = True,
        manner: Manner = "plain",
    ) -> None:
        """``record`` is called with each request and its cost before the answer is used.

        ``sees_cards`` says whether every change is shown to the customer before it is made, and
        ``manner`` how the model finds its words.
        """
        self._model = model
        self._record = record
        self._role = role_text(scenario.role)
        self._sees_cards = sees_cards
        self._manner: Manner = manner

    @property
    def name(self) -> str:
        """The model's name, with the manner as a suffix unless it is plain."""
        plain = self._manner == "plain"
        return self._model.name if plain else f"{self._model.name}+{self._manner}"

    async def speak(self, heard: Sequence[Heard]) -> str | None:
        """The next words; None once the model has said goodbye. Raises CustomerFault."""
        messages = [self._instructions(), *_as_messages(heard)]
        text = await find_words(messages, self._manner, self._ask)
        words, goodbye, _ = text.partition(GOODBYE)
        if goodbye:
            return None
        if not words.strip():
            raise CustomerFault(
                "garbled", "The customer's model wrote nothing. Retry, or choose another.",
                retryable=True,
            )  # fmt: skip
        return words.strip()

    async def decide(self, card: Card, heard: Sequence[Heard]) -> Decision:
        """Its decision on a card; a rejection if it cannot be read. Raises CustomerFault."""
        began = time.monotonic()
        asked = [each for each in heard if isinstance(each, Said) and each.about_card == card.id]
        may_ask = sum(each.by == "customer" for each in asked) < QUESTIONS
        choices = _DECIDE.format(
            role=self._role, ask=_ASK if may_ask else "", asking=_ASKING if may_ask else ""
        )
        shown = "\n\n".join((f"The card says:\n{card_words(card)}", *_questions(asked)))
        text = await self._ask(
            [{"role": "system", "content": choices}, {"role": "user", "content": shown}],
            "decide_on_card",
        )
        return _decision(text, card, may_ask, round((time.monotonic() - began) * 1000))

    def _instructions(self) -> Message:
        cards = _CARDS if self._sees_cards else ""
        content = _PLAY.format(role=self._role, cards=cards, goodbye=GOODBYE)
        return {"role": "system", "content": content}

    async def _ask(self, messages: list[Message], purpose: OtherPurpose) -> str:
        request = ModelRequest(messages, [])
        try:
            return (await ask_other(self._model, request, purpose, self._record)).text
        except ModelFault as fault:
            raise CustomerFault(
                fault.kind, fault.sentence,
                retryable=fault.retryable, retry_after=fault.retry_after,
            ) from fault  # fmt: skip


def role_text(role: Role) -> str:
    """A role as text for its player."""
    parts = [
        role.who,
        *_bullet_list("What you know:", role.knows),
        *_bullet_list("What you do not know:", role.does_not_know),
        *_bullet_list("What you want:", role.wants),
        *(["How you behave:", role.manner] if role.manner else []),
    ]
    return "\n".join(parts)


def _bullet_list(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield heading
        yield from (f"- {line}" for line in lines)


def _as_messages(heard: Sequence[Heard]) -> Iterator[Message]:
    """Yield the conversation from the customer's side; roles alternate, and the agent is first."""
    turns: list[Message] = []
    for each in heard:
        message = _as_message(each)
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1]["content"] += f"\n\n{message['content']}"
        else:
            turns.append(message)
    if not turns or turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": "(You are connected to the agent.)"})
    if turns[-1]["role"] == "assistant":
        turns.append({"role": "user", "content": "(The agent has nothing to add.)"})
    yield from turns


def _as_message(each: Heard) -> Message:
    if isinstance(each, CardPut):
        answer = each.choice or "not answered yet"
        words = f': "{each.words}"' if each.words else ""
        return {"role": "user", "content": f"(A card: {each.card.sentence} {answer}{words})"}
    if each.about_card is not None:
        who = "You asked about the card" if each.by == "customer" else _WHO_ANSWERED[each.by]
        return {"role": "user", "content": f'({who}: "{each.text}")'}
    return {"role": "assistant" if each.by == "customer" else "user", "content": each.text}


def _questions(asked: Sequence[Said]) -> Iterator[str]:
    for each in asked:
        yield f"{'You asked' if each.by == 'customer' else _WHO_ANSWERED[each.by]}: {each.text}"


def _decision(text: str, card: Card, may_ask: bool, milliseconds: int) -> Decision:
    """The decision in an answer; an unusable one counts as a rejection."""
    found = object_in(text)
    words = found.get("words")
    said = clean(words) if isinstance(words, str) else ""
    match found.get("decision"):
        case "approve":
            overrode = tuple(each.name for each in card.failing)
            return Decision("approve", said, milliseconds, overrode)
        case "change" if said:
            return Decision("change", said, milliseconds)
        case "ask" if said and may_ask:
            return Decision("ask", said, milliseconds)
        case _:
            return Decision("reject", said, milliseconds)
