"""Which cards asked for a change that leads to an acceptable end, and which for a wrong one.

A decisive write (:mod:`sessions.scoring.deviating`) is one that cannot be made good. A person who
looks at a card has to see more than that: an address that is wrong can be overwritten later, and
is wrong all the same. So a card is held against the calls that were still to be made when it was
shown: its call is right where, by what it does to the records, it can take the place of one of
them on the way to an acceptable end. Where the others get there without it, the call has taken
nobody's place: it is merely undone by one of them, and right only if it was to be made anyway.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from domains.domain import Domain, Scenario
from domains.records import Records
from domains.tool import ToolCall
from sessions.events import CardShown, Logged, WriteApplied
from sessions.scoring.held import records_of
from sessions.scoring.reaching import Calls, Ends, ends_of, leads_to, reachable, without


def wrong_cards(
    domain: Domain, scenario: Scenario, events: Sequence[Logged], cards: Collection[str]
) -> dict[str, bool]:
    """For each of these cards, whether its call was wrong when it was shown.

    A card is left out where that cannot be told: the records had gone astray before, so that no
    call could lead to an acceptable end any more. Raises RecordsMoved where the session was held
    on other records.
    """
    if not cards:
        return {}
    ends = ends_of(domain, scenario)
    made: list[ToolCall] = []
    found: dict[str, bool] = {}
    for place, logged in enumerate(events):
        match logged.event:
            case WriteApplied(error=False) as written:
                made.append(ToolCall(written.name, written.arguments))
            case CardShown() as shown if shown.card.id in cards:
                records = records_of(domain, events[:place])
                call = ToolCall(shown.card.tool, shown.card.arguments)
                wrong = _is_wrong(domain, records, made, call, ends)
                if wrong is not None:
                    found[shown.card.id] = wrong
            case _:
                pass
    return found


def _is_wrong(
    domain: Domain, records: Records, made: Calls, call: ToolCall, ends: Ends
) -> bool | None:
    """None where no end could be reached before the call, nor can be with it."""
    for calls, state in ends:
        due = call in without(calls, made)
        for others in _others(domain, calls, made):
            if leads_to(domain, records, [call, *others], state) and (
                due or not leads_to(domain, records, others, state)
            ):
                return False
    return True if any(reachable(domain, records, made, end) for end in ends) else None


def _others(domain: Domain, calls: Calls, made: Calls) -> Iterator[Calls]:
    """What is left of an end's writes, each time without the one whose place is taken.

    As in :func:`~sessions.scoring.reaching.reachable`, all of them count as left, too: a call that
    was made already in other words fails, or does nothing, when it is made again.
    """
    writes = [call for call in calls if domain.tools.mutates(call.name)]
    left = without(writes, made)
    for rest in [left, writes] if left != writes else [left]:
        for place in range(len(rest)):
            yield [*rest[:place], *rest[place + 1 :]]
