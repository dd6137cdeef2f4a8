"""The model-based policy agent: what a session teaches, and what a memory begins with.

PolicyBank, section 4 and appendix B. The model is asked once for a session, and once more if its
answer cannot be used; the cost is recorded before the answer is read. :mod:`agent.memory.reviewing`
limits what it may do: a revision never drops an insight that a person accepted, but keeps it word
for word beside the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from agent.auxiliary.other_models import ask_other
from agent.memory.bank import Bank
from agent.memory.change import Change, Origin, origin_of
from agent.memory.entry import one_line
from agent.memory.evidence import Evidence
from agent.memory.feedback import Feedback
from agent.memory.fitting import capability_of
from agent.memory.instructions import AGAIN, BEGIN, REVIEW
from agent.memory.material import Json, as_message, of_domain, of_session
from agent.memory.reviewing import LONGEST_REVIEW, Reviewed, read_beginning, read_review
from agent.models.assembly import event_text
from agent.models.protocol import ChatModel, Message, ModelRequest
from domains.core.domain import Domain
from sessions.events import Logged, Record
from sessions.store.memory import MemoryRefused

ROUNDS = 2
"""How many times it is asked; the second time it is told why its answer was refused."""

LONGEST_WORDS = 200
"""How many characters of a person's words a change quotes."""

T = TypeVar("T")


class ModelPolicyAgent:
    """Learns by asking a model; see :class:`agent.memory.feedback.PolicyAgent`."""

    def __init__(
        self, model: ChatModel, record: Record, *, attempts: int = 4, first_wait: float = 1.0
    ) -> None:
        """``attempts`` and ``first_wait``, in seconds, control retries after temporary faults."""
        self._model = model
        self._record = record
        self._attempts = attempts
        self._first_wait = first_wait

    @property
    def by(self) -> str:
        """The model's name."""
        return event_text(self._model.name)

    async def review(
        self, log: Sequence[Logged], feedback: Feedback, bank: Bank, domain: Domain
    ) -> list[Change]:
        """Propose entries, or omit them with a reason: a change for every piece of evidence.

        The model is not asked if there is no evidence or the outcome is right. Raises ModelFault if
        no answer comes, and MemoryRefused for one that cannot be used; nothing is learned then.
        """
        told = feedback.evidence_with_words()
        if not told:
            return []
        if feedback.is_right:
            right = Reviewed(success=True, failure="", reasons="It went as it should.", entries=())
            return list(self._changes(right, told, domain))
        found = await self._ask(
            REVIEW,
            of_session(log, feedback, bank, domain),
            lambda text: read_review(text, bank, domain, told),
        )
        return list(self._changes(found, told, domain))

    async def begin(self, domain: Domain) -> list[Change]:
        """Entries for a new memory, to be accepted; raises like :meth:`review`."""
        why, entries = await self._ask(
            BEGIN, of_domain(domain), lambda text: read_beginning(text, domain)
        )
        origin = Origin(kind="policy", why=why)
        return [
            Change(
                does="propose", capability=each.capability, entry=each, origin=origin, by=self.by
            )
            for each in entries
        ]

    def _changes(
        self, found: Reviewed, told: Sequence[Evidence], domain: Domain
    ) -> Sequence[Change]:
        """The proposals, and for evidence without an entry an omission that says why."""
        made: list[Change] = []
        for place, each in enumerate(told):
            entries = [entry for at, entry in found.entries if at == place]
            origin = origin_of(
                each, found.reasons, failure=found.failure, success=found.success,
                words=one_line(each.words)[:LONGEST_WORDS], feedback=each.regime,
            )  # fmt: skip
            made += [
                Change(
                    does="propose", capability=entry.capability, entry=entry, by=self.by,
                    origin=origin.model_copy(update={"gap": entry.gap}),
                )
                for entry in entries
            ]  # fmt: skip
            if not entries:
                about = capability_of(each.tool, domain)
                made.append(Change(does="omit", capability=about, origin=origin, by=self.by))
        return made

    async def _ask(self, job: str, material: Json, read: Callable[[str], T]) -> T:
        """Ask the model, and return what ``read`` makes of its answer.

        Raises ModelFault, and MemoryRefused if the last answer cannot be used either.
        """
        messages: list[Message] = [
            {"role": "system", "content": job},
            {"role": "user", "content": as_message(material)},
        ]
        why = ""
        for _ in range(ROUNDS):
            answer = await ask_other(
                self._model, ModelRequest(messages, []), "learn", self._record,
                attempts=self._attempts, first_wait=self._first_wait,
            )  # fmt: skip
            try:
                return read(answer.text)
            except MemoryRefused as refused:
                why = str(refused)
            messages = [
                *messages,
                {"role": "assistant", "content": answer.text[:LONGEST_REVIEW] or "{}"},
                {"role": "user", "content": AGAIN.format(why=why)},
            ]
        raise MemoryRefused(f"{self.by} gave no usable answer, so nothing was learned. {why}")
