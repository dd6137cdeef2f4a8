"""``saber replay --ask``: put the customer's side to another agent, and find where it departs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.headless.late_embedder import LateEmbedder
from agent.headless.playing import Hopeless
from agent.models.choosing import make_model
from agent.session.reasking import ReaskResult, ask_again
from console.browser.side_by_side import as_object, lines, summary
from console.commands.options import Refused
from sessions.events import Safeguards
from sessions.scoring import sources
from sessions.store.forking import fork_point
from sessions.store.store import Store
from sessions.views import status
from sessions.views.comparing import Comparison, compare_logs


@dataclass(frozen=True, slots=True)
class Departure:
    """A session, another one with the same customer's side, and how the two compare."""

    session: str
    again: str
    model: str
    comparison: Comparison
    declined: tuple[str, ...]
    """The declined changes that the customer was never asked about, in the words of their cards."""

    def lines(self, width: int) -> Iterator[str]:
        """Yield the comparison as lines, in `width` columns."""
        yield f"{self.model} was asked again in session {self.again}."
        yield summary(self.comparison)
        for sentence in self.declined:
            yield f"Declined, because the customer was never asked about it: {sentence}"
        yield from (line.text for line in lines(self.comparison, width))

    def as_object(self) -> dict[str, object]:
        """The comparison as one JSON object."""
        told = {"session": self.session, "again": self.again, "model": self.model}
        return {**told, "declined": list(self.declined), **as_object(self.comparison)}


async def reask(
    db: Path,
    session: str,
    model: str,
    at: int | None,
    switches: Mapping[str, bool],
    data: Path | None,
    tasks: Path | None,
) -> Departure:
    """Play the customer's side of a session to another agent, and record that in the same file.

    Raises StoreError, DomainError, RecordsMismatch, ModelFault, and Refused if the agent cannot be
    asked at all.
    """
    with Store.open(db) as store:
        log = await asyncio.to_thread(store.read, session)
        fork_point(log, at)
        held = status(log)
        domain = await asyncio.to_thread(sources.load_domain_of_session, held, data, tasks)
        guards = Safeguards(**{**held.safeguards.model_dump(), **switches})
        agent = await asyncio.to_thread(make_model, model)
        embedder = LateEmbedder(db.parent / "vectors.sqlite")
        try:
            again = await ask_again(
                store, session, domain, agent, at=at, safeguards=guards, ranker=embedder
            )
        except Hopeless as error:
            raise Refused(str(error)) from error
        finally:
            await embedder.stop()
        return _departure(session, model, log, again)


def _departure(session: str, model: str, log: Any, again: ReaskResult) -> Departure:
    return Departure(
        session,
        again.held.log.session,
        model,
        compare_logs(log, again.held.log.events),
        tuple(card.sentence for card in again.unknown),
    )
