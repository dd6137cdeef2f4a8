"""Re-asking: puts the customer's side of a recorded session to another agent.

The customer says the same words turn by turn, and makes the same decisions. A decision is about one
exact change, so it is repeated only on a card for the very same call. A card that the customer was
never shown is declined, because no one said yes to it (law 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agent.context.selection import Ranker
from agent.gate.operator import Decision
from agent.headless.playing import play
from agent.models.protocol import ChatModel
from agent.session.conversation import Conversation
from agent.simulated.customer import Heard, Said
from domains.core.domain import Domain
from sessions.cleaning import clean
from sessions.events import (
    Card,
    CardShown,
    CustomerSaid,
    DecisionMade,
    Logged,
    Noted,
    Safeguards,
    SessionEnded,
)
from sessions.store.forking import fork_point
from sessions.store.store import Store
from sessions.views import status

NOT_SHOWN = "This is not what I was asked about before."
"""The answer to a card that the recorded customer was never shown."""


@dataclass
class _Answered:
    """A card and how it was answered: the questions asked about it, then the decision."""

    call_digest: str
    turn: int
    decisions: list[Decision] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        return bool(self.decisions) and self.decisions[-1].choice != "ask"


class RecordedCustomer:
    """The customer of a recorded session, who says and decides the same things again."""

    name = "recorded"
    by = "script"

    def __init__(self, events: Iterable[Logged], after: int = 0) -> None:
        """Decisions made up to event ``after`` are not repeated."""
        self._words: list[str] = []
        self._cards: list[_Answered] = []
        self._read(events, after)
        self._turn = 0
        self._given: tuple[str, _Answered] | None = None
        self.unknown: list[Card] = []
        """The cards that the recorded customer was never shown, in the order they appeared."""

    def _read(self, events: Iterable[Logged], after: int) -> None:
        shown: dict[str, _Answered] = {}
        for logged in events:
            match logged.event:
                case CustomerSaid() as event:
                    self._words.append(event.text)
                case CardShown(card=card):
                    shown[card.id] = _Answered(card.call_digest, len(self._words))
                    self._cards.append(shown[card.id])
                case DecisionMade() as event if logged.seq > after and _was_asked(event):
                    shown[event.card_id].decisions.append(_decision(event))
                case _:
                    pass

    async def speak(self, heard: Sequence[Heard]) -> str | None:
        """The next recorded message; None when there are no more."""
        said = sum(
            isinstance(each, Said) and each.by == "customer" and each.about_card is None
            for each in heard
        )
        self._turn = said + 1
        return self._words[said] if said < len(self._words) else None

    async def decide(self, card: Card, heard: Sequence[Heard] = ()) -> Decision:
        """The recorded decision on this very call; a rejection if there is none."""
        answered = self._answer_to(card)
        if answered is None:
            self.unknown.append(card)
            return Decision("reject", NOT_SHOWN)
        return answered.decisions.pop(0)

    def _answer_to(self, card: Card) -> _Answered | None:
        if self._given is not None and self._given[0] == card.id:
            return self._given[1]
        same = (each for each in self._cards if each.call_digest == card.call_digest)
        fits = [each for each in same if each.is_settled]
        if not fits:
            return None
        nearest = min(fits, key=lambda each: abs(each.turn - self._turn))
        self._given = card.id, nearest
        return nearest


def _was_asked(made: DecisionMade) -> bool:
    """Whether the customer decided; with the gate off, no one asked them."""
    return made.by not in ("auto", "rule")


def _decision(made: DecisionMade) -> Decision:
    """The recorded decision; a withdrawn card counts as rejected."""
    choice = "reject" if made.decision == "withdrawn" else made.decision
    return Decision(choice, made.words, overrode=made.overrode)


@dataclass(frozen=True, slots=True)
class ReaskResult:
    """The result of re-asking: the new conversation and the cards that were unknown."""

    held: Conversation
    unknown: tuple[Card, ...]
    """The cards that the recorded customer was never shown, and that were therefore declined."""


async def ask_again(
    store: Store,
    session: str,
    domain: Domain,
    model: ChatModel,
    *,
    at: int | None = None,
    safeguards: Safeguards | None = None,
    ranker: Ranker | None = None,
    auxiliary: ChatModel | None = None,
    on_event: Callable[[Logged], None] | None = None,
) -> ReaskResult:
    """Put the customer's side of a session to a model and safeguards, as a fork of that session.

    It forks before the customer's first words, or after event ``at``. Raises CannotFork,
    RecordsMismatch, StoreError, and Hopeless if the model cannot be asked at all.
    """
    recorded = store.read(session)
    at = _before_the_first_words(recorded) if at is None else fork_point(recorded, at)
    customer = RecordedCustomer(recorded, at)
    safeguards = _without_checks(safeguards or status(recorded[:at]).safeguards)
    held = await Conversation.fork(
        store, session, at, domain, model, customer,
        safeguards=safeguards, ranker=ranker, auxiliary=auxiliary,
    )  # fmt: skip
    if on_event is not None:
        held.subscribe(on_event)
    told = f"From here on, {clean(model.name)} answers what the customer said in session {session}."
    await held.log.append(Noted(text=told))
    if _has_an_end(recorded):
        await play(held, customer)
    else:
        await _play_unfinished(held, customer)
    return ReaskResult(held, tuple(customer.unknown))


class _OutOfWords(Exception):
    """The recorded customer has no more words, and did not end the conversation."""


class _Unfinished:
    """A recorded customer who stops where the recording does, without saying goodbye."""

    name = RecordedCustomer.name

    def __init__(self, customer: RecordedCustomer) -> None:
        self._customer = customer

    async def speak(self, heard: Sequence[Heard]) -> str:
        words = await self._customer.speak(heard)
        if words is None:
            raise _OutOfWords
        return words

    async def decide(self, card: Card, heard: Sequence[Heard]) -> Decision:
        return await self._customer.decide(card, heard)


async def _play_unfinished(held: Conversation, customer: RecordedCustomer) -> None:
    try:
        await play(held, _Unfinished(customer))
    except _OutOfWords:
        return


def _without_checks(safeguards: Safeguards) -> Safeguards:
    """The safeguards without attention checks, which a recording cannot answer."""
    return safeguards.model_copy(update={"attention_checks": 0.0})


def _before_the_first_words(log: Sequence[Logged]) -> int:
    first = next((each.seq for each in log if isinstance(each.event, CustomerSaid)), len(log) + 1)
    return fork_point(log, max(1, first - 1))


def _has_an_end(log: Sequence[Logged]) -> bool:
    return any(isinstance(each.event, SessionEnded) for each in log)
