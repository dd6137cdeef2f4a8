"""Classify each change of a session as right or wrong at the time it was proposed or carried out.

A decisive write (:mod:`sessions.scoring.deviating`) is one that cannot be put right later. A
reviewer of cards has to see more than that: a wrong address can be overwritten later, and is wrong
all the same. So each card is compared with the calls that were still due when it was shown. Its
call is right if its effect on the records lets it replace one of them on the way to an acceptable
end. If the remaining calls reach that end without it, it replaces none of them: one of them merely
overwrites its effect, and the call is right only if it was due anyway.

Once the session cannot reach any acceptable end, :mod:`sessions.scoring.unreachable_ends` gives the
verdicts that are still possible. A right call may still be against the policy, because tasks
sometimes expect what the policy forbids: one of the tool's own checks fails, which reads only the
records. Whether the customer was identified, or requested the change, plays no part in the verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from domains.core.domain import Domain, Scenario
from domains.core.records import Records
from domains.core.tool import ToolCall
from sessions.events import Logged, WriteApplied
from sessions.scoring.reaching import Calls, Ends, ends_of, is_reachable, leads_to, without
from sessions.scoring.session_records import apply_event
from sessions.scoring.unreachable_ends import PendingCalls, is_wrong_without_reachable_end
from sessions.views.writes import Write, writes

Verdict = Literal["right", "wrong", "against the policy", "not decidable"]
"""``against the policy``: the task expects the call although a rule of the policy forbids it."""

VERDICT_EXPLANATION = (
    "Right: by its effect on the records, the call can take the place of one that was still due "
    "on the way to an acceptable end of the scenario; wrong: it cannot. If no acceptable end "
    "could be reached any more, a call is right if it does exactly what a call that was still due "
    "would do, wrong if for every acceptable end it writes some value that differs from that "
    "end's, and not decidable otherwise. Expected but against the policy: right, but one of the "
    "tool's own checks fails, which read only the records. Who was identified, and what was said "
    "in the conversation, plays no part in the verdict."
)
"""An explanation of the verdicts, printed with every table of them."""


@dataclass(frozen=True, slots=True)
class CallVerdict:
    """Whether a call was right when it was proposed or carried out."""

    verdict: Verdict
    rules: tuple[str, ...] = ()
    """The names of the policy checks that fail although the task expects the call."""


UNDECIDED = CallVerdict("not decidable")


def wrong_cards(
    domain: Domain, scenario: Scenario, events: Sequence[Logged], cards: Collection[str]
) -> dict[str, bool]:
    """Return whether each card's call was wrong when the card was shown, by card id.

    A card is left out if that is undecidable, or if the task expects what the policy forbids.
    Raises RecordsMismatch if the session was played on other records.
    """
    found = call_verdicts(domain, scenario, events, cards)
    known = {"right": False, "wrong": True}
    return {card: known[each.verdict] for card, each in found.items() if each.verdict in known}


def call_verdicts(
    domain: Domain,
    scenario: Scenario,
    events: Sequence[Logged],
    cards: Collection[str] | None = None,
) -> dict[str, CallVerdict]:
    """Return a verdict on each change of a session, by card id; ``cards`` limits it to those cards.

    Raises RecordsMismatch if the session was played on other records.
    """
    wanted = {
        each.seq: each for each in writes(events) if cards is None or each.card_id in cards
    }  # fmt: skip
    if not wanted:
        return {}
    judging = _Judging(domain, scenario)
    found: dict[str, CallVerdict] = {}
    for logged in events:
        if (write := wanted.get(logged.seq)) is not None:
            found[write.card_id] = judging.verdict(write)
        judging.add(logged)
    return found


class _Judging:
    """Reads a log event by event and keeps track of what its session still has to do."""

    def __init__(self, domain: Domain, scenario: Scenario) -> None:
        self._domain = domain
        self._ends = ends_of(domain, scenario)
        self._records = domain.records()
        self._made: list[ToolCall] = []
        self._due = PendingCalls(domain, self._ends)

    def add(self, logged: Logged) -> None:
        """Move past an event and update the records and the calls still due."""
        if isinstance(logged.event, WriteApplied) and not logged.event.error:
            call = ToolCall(logged.event.name, logged.event.arguments)
            self._made.append(call)
            self._due.mark_made(self._records, call)
        apply_event(self._domain, self._records, logged)

    def verdict(self, write: Write) -> CallVerdict:
        """A verdict on a change that follows the events read so far."""
        call = ToolCall(write.name, write.arguments)
        wrong = _is_wrong(self._domain, self._records, self._made, call, self._ends)
        if wrong is None:
            wrong = is_wrong_without_reachable_end(
                self._domain, self._records, call, self._ends, self._due
            )
        if wrong is None:
            return UNDECIDED
        if wrong:
            return CallVerdict("wrong")
        rules = failing_rules(self._domain, self._records, call)
        return CallVerdict("against the policy", rules) if rules else CallVerdict("right")


def failing_rules(domain: Domain, records: Records, call: ToolCall) -> tuple[str, ...]:
    """The names of the tool's own policy checks that fail for this call on these records."""
    tool = domain.tools.get(call.name)
    checks = tool.notes.checks if tool and tool.notes else ()
    draft = records.draft()
    return tuple(
        check.name
        for check in checks
        if check.source == "policy" and not check.run(draft, call.arguments).holds
    )


def _is_wrong(
    domain: Domain, records: Records, made: Calls, call: ToolCall, ends: Ends
) -> bool | None:
    """Whether a call is wrong; None if no end can be reached either before the call or with it."""
    for calls, state in ends:
        due = call in without(calls, made)
        for others in _others(domain, calls, made):
            if leads_to(domain, records, [call, *others], state) and (
                due or not leads_to(domain, records, others, state)
            ):
                return False
    return True if any(is_reachable(domain, records, made, end) for end in ends) else None


def _others(domain: Domain, calls: Calls, made: Calls) -> Iterator[Calls]:
    """Yield the remaining writes of an end, each time without the one that the call would replace.

    As in :func:`~sessions.scoring.reaching.is_reachable`, the full list of writes is also tried: a
    call that was already made in other words fails or does nothing when it is made again.
    """
    changing = [call for call in calls if domain.tools.mutates(call.name)]
    left = without(changing, made)
    for rest in [left, changing] if left != changing else [left]:
        for place in range(len(rest)):
            yield [*rest[:place], *rest[place + 1 :]]
