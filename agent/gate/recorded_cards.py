"""The cards of a recorded session: those it showed, and one for each write without a card.

A run of another program asked no one. For each of its writes, the card that this program would have
shown is made afterwards: the call is tried on the records as they were just before, with the
conversation up to that point, by the same function that makes live cards. Such a card is never an
event of the session's log, and never a consent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.comparison import Talk
from agent.gate.proposal import Moment, Proposal, card_at, clean_arguments
from agent.session.identity import Identity
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from sessions.events import (
    Card,
    CardShown,
    Logged,
    SafeguardsChanged,
    SessionStarted,
    WriteApplied,
)
from sessions.scoring.session_records import apply_event
from sessions.views.writes import Write, WriteCard, own_writes


def make_cards(domain: Domain, events: Sequence[Logged]) -> list[WriteCard]:
    """Every write of a session with its card, in order, without those of its parent.

    Raises RecordsMismatch if the session was held on other records.
    """
    return list(_make_cards(domain, events))


def _make_cards(domain: Domain, events: Sequence[Logged]) -> Iterator[WriteCard]:
    wanted = {each.seq: each for each in own_writes(events)}
    reading = _Reading(domain)
    for logged in events:
        write = wanted.get(logged.seq)
        card = reading.card(write) if write else None
        if write and card:
            yield WriteCard(write, card)
        reading.add(logged)


class _Reading:
    """Reads a log event by event and keeps track of the state of its session."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._records = domain.records()
        self._identity = Identity(domain)
        self._talk = Talk()
        self._policy_shown = True

    def add(self, logged: Logged) -> None:
        """Advance past this event."""
        apply_event(self._domain, self._records, logged)
        self._identity.add_event(logged.event)
        self._talk.add_logged(logged)
        if isinstance(logged.event, SessionStarted | SafeguardsChanged):
            self._policy_shown = logged.event.safeguards.policy_on_card

    def card(self, write: Write) -> Card | None:
        """The card of the write that comes next; None if no card could have been shown."""
        match write.logged.event:
            case CardShown(card=shown):
                return shown
            case WriteApplied() as written:
                return self._make(write.card_id, written)
            case _:
                return None

    def _make(self, card_id: str, written: WriteApplied) -> Card | None:
        """Make the card of a write that had none.

        Return None for a tool that does not exist here or has no notes, and for a call that fails
        without its hidden characters.
        """
        tool = self._domain.tools.get(written.name)
        arguments, taken_out = clean_arguments(written.arguments)
        preview = self._records.preview(ToolCall(written.name, arguments))
        if tool is None or tool.notes is None or preview.result.error:
            return None
        proposal = Proposal(written.call_id, tool, preview.call, taken_out)
        return card_at(self._moment, proposal, preview).model_copy(update={"id": card_id})

    @property
    def _moment(self) -> Moment:
        return Moment(self._domain, self._records, self._talk, self._identity, self._policy_shown)
