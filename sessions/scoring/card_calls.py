"""Which changes lead to an acceptable end, and which are wrong, as each was put or carried out.

A decisive write (:mod:`sessions.scoring.deviating`) is one that cannot be made good. A person who
looks at a card has to see more than that: an address that is wrong can be overwritten later, and
is wrong all the same. So a card is held against the calls that were still to be made when it was
shown: its call is right where, by what it does to the records, it can take the place of one of
them on the way to an acceptable end. Where the others get there without it, the call has taken
nobody's place: it is merely undone by one of them, and right only if it was to be made anyway.

Once the session can reach no acceptable end any more, :mod:`sessions.scoring.astray` says what can
still be said. A right call may yet be against the policy, since tasks sometimes expect what the
policy forbids: a check of the tool's own fails, which reads nothing but the records. Whether the
customer was identified, or asked for it, is no part of this.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from domains.core.domain import Domain, Scenario
from domains.core.records import Records
from domains.core.tool import ToolCall
from sessions.events import Logged, WriteApplied
from sessions.scoring.astray import StillDue, is_wrong_astray
from sessions.scoring.reaching import Calls, Ends, ends_of, leads_to, reachable, without
from sessions.scoring.session_records import take_in
from sessions.views.writes import Write, writes

Verdict = Literal["right", "wrong", "against the policy", "not decidable"]
"""``against the policy`` is a call that the task expects and a rule of the policy forbids."""

RESTS_ON = (
    "Right: by what it does to the records, the call can take the place of one that was still to "
    "be made on the way to an acceptable end of the scenario; wrong: it cannot. Where no "
    "acceptable end could be reached any more, a call is right if it does exactly what one that "
    "was still to be made would do, wrong if for every acceptable end it writes some value that is "
    "not that end's, and not decidable otherwise. Expected but against the policy: right, though a "
    "check of the tool's own fails, which reads the records alone. Who was identified, and what "
    "was said in the conversation, is no part of the verdict."
)
"""What a verdict rests on, for whoever reads a table of them."""


@dataclass(frozen=True, slots=True)
class CallVerdict:
    """Whether a call was right when it was put or carried out."""

    verdict: Verdict
    rules: tuple[str, ...] = ()
    """The checks of the policy that a right call fails all the same."""


UNDECIDED = CallVerdict("not decidable")


def wrong_cards(
    domain: Domain, scenario: Scenario, events: Sequence[Logged], cards: Collection[str]
) -> dict[str, bool]:
    """For each of these cards, whether its call was wrong when it was shown.

    A card is left out where that cannot be told, or where the task expects what the policy
    forbids. Raises RecordsMoved where the session was held on other records.
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
    """For each change of a session, by its card's id, or for these cards only: was it right?

    Raises RecordsMoved where the session was held on other records.
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
    """A log that is read event by event, and what its session had still to do."""

    def __init__(self, domain: Domain, scenario: Scenario) -> None:
        self._domain = domain
        self._ends = ends_of(domain, scenario)
        self._records = domain.records()
        self._made: list[ToolCall] = []
        self._due = StillDue(domain, self._ends)

    def add(self, logged: Logged) -> None:
        """Go on to behind this event."""
        if isinstance(logged.event, WriteApplied) and not logged.event.error:
            call = ToolCall(logged.event.name, logged.event.arguments)
            self._made.append(call)
            self._due.make(self._records, call)
        take_in(self._domain, self._records, logged)

    def verdict(self, write: Write) -> CallVerdict:
        """Whether a change that comes next is right."""
        call = ToolCall(write.name, write.arguments)
        wrong = _is_wrong(self._domain, self._records, self._made, call, self._ends)
        if wrong is None:
            wrong = is_wrong_astray(self._domain, self._records, call, self._ends, self._due)
        if wrong is None:
            return UNDECIDED
        if wrong:
            return CallVerdict("wrong")
        rules = failing_rules(self._domain, self._records, call)
        return CallVerdict("against the policy", rules) if rules else CallVerdict("right")


def failing_rules(domain: Domain, records: Records, call: ToolCall) -> tuple[str, ...]:
    """The checks of the policy that the call's own tool declares and that fail on these records."""
    tool = domain.tools.get(call.name)
    checks = tool.notes.checks if tool and tool.notes else ()
    draft = records.draft()
    return tuple(
        check.name
        for check in checks
        if check.source == "policy" and not check.find(draft, call.arguments).holds
    )


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
    changing = [call for call in calls if domain.tools.mutates(call.name)]
    left = without(changing, made)
    for rest in [left, changing] if left != changing else [left]:
        for place in range(len(rest)):
            yield [*rest[:place], *rest[place + 1 :]]
