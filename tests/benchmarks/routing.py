"""``python -m tests.benchmarks.routing``: the router, the guard and the verifier without a model.

The router is held against the airline tasks that the paper names (difficulty-routed control,
EC.5): those that are coupled at the opening turn, and those that become so later; the rest of the
50 count as not coupled, though the paper leaves one task of its focus set unnamed. It is asked of
the roles' own first messages, and of GPT-4o's recorded airline conversations, turn by turn.

The evidence guard is asked of every write of the recorded conversations, as if its session were
coupled: what it blocks of the wrong ones, and of the right ones (it should be none); and so is the
rule verifier, which comes after it. The guard's rules were mended on these very conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.comparison import Talk
from agent.control.evidence import first_evidence_objection
from agent.control.objection import Objection
from agent.control.rule_router import features_of
from agent.control.rule_verifier import rule_objection
from agent.control.seen_so_far import SessionSeen
from agent.simulated.scripts import script_for
from domains.core.domain import Domain
from domains.core.tool import ToolCall
from sessions.events import AnyEvent, CustomerSaid, Imported, Logged
from sessions.scoring import records_of
from sessions.statistics.intervals import share
from tests.benchmarks.comparison import gathered
from tests.benchmarks.measuring import table
from tests.recorded_writes import DEV, RecordedWrite, of_runs, tau2_domain
from tests.shared_data import TAU2

IMMEDIATE = frozenset({7, 11, 14, 15, 16, 23, 29, 33, 37, 39, 40, 44})
"""Coupled at the opening turn; but for task 8, which the paper also says never was."""

EMERGENT = frozenset({8, 17, 21, 22, 30, 32, 42})
"""Coupled only later, in every trial."""

RECORDED = {
    0: 20, 2: 18, 4: 22, 5: 17, 6: 16, 8: 14, 10: 24, 12: 26, 14: 12, 16: 27, 18: 28, 19: 29,
    20: 30, 21: 31, 22: 32, 24: 34, 26: 37, 28: 39, 30: 42, 32: 8, 33: 44, 34: 7, 36: 6, 37: 5,
    38: 46, 40: 4, 42: 49, 44: 3, 45: 38, 46: 2, 48: 36,
}  # fmt: skip
"""The recorded files number their tasks otherwise than τ²-bench: which is which, by customer, and
where one has several by what is asked for (read, not computed)."""

Look = Callable[[RecordedWrite], Objection | None]

SAMPLE = DEV.with_name("gpt-4o-airline.sample.json")
CLASSES = ("immediate", "emergent", "not coupled")


def class_of(task: int) -> str:
    """What the paper says of an airline task."""
    if task in IMMEDIATE:
        return "immediate"
    return "emergent" if task in EMERGENT else "not coupled"


@dataclass(frozen=True, slots=True)
class Routed:
    """What the router said of one conversation, or of a first message."""

    task: int
    at_opening: bool
    ever: bool

    @property
    def agrees(self) -> bool:
        """Coupled at the opening, later, or never, as the paper has it."""
        found = "immediate" if self.at_opening else "emergent" if self.ever else "not coupled"
        return found == class_of(self.task)


def of_openings(domain: Domain) -> Iterator[Routed]:
    """The router on each role's own first message."""
    for scenario in domain.scenarios:
        said = CustomerSaid(text=script_for(scenario).lines[0], turn=1)
        coupled = bool(_features(domain, [said]))
        yield Routed(int(scenario.id), coupled, coupled)


def of_recorded(domain: Domain, logs: Iterable[Sequence[Logged]]) -> Iterator[Routed]:
    """The router on recorded conversations: before each of the agent's turns, until it is coupled.

    Before the customer's first words nothing is asked, and what follows the last is not looked at.
    """
    for log in logs:
        events = [each.event for each in log]
        cuts = [place + 1 for place, each in enumerate(events) if isinstance(each, CustomerSaid)]
        coupled = [bool(_features(domain, events[:cut])) for cut in cuts]
        yield Routed(task_of(events), coupled[:1] == [True], any(coupled))


def task_of(events: Sequence[AnyEvent]) -> int:
    """The number of τ²-bench's task that a recorded run played."""
    original = next(each.original for each in events if isinstance(each, Imported))
    return RECORDED[int(original.partition("/")[0])]


def _features(domain: Domain, events: Sequence[AnyEvent]) -> tuple[str, ...]:
    talk = Talk()
    for event in events:
        talk.add(event)
    return features_of(domain, talk, events)


def router_table(found: Sequence[Routed]) -> str:
    """By the paper's class: how many the router held to be coupled at the opening, and ever."""
    rows = [("the paper says", "n", "coupled at the opening", "coupled ever", "left alone")]
    for name in CLASSES:
        mine = [each for each in found if class_of(each.task) == name]
        opening = sum(each.at_opening for each in mine)
        ever = sum(each.ever for each in mine)
        rows.append(
            (name, str(len(mine)), _of(opening, len(mine)), _of(ever, len(mine)),
             _of(len(mine) - ever, len(mine)))
        )  # fmt: skip
    either = sum(each.ever == (class_of(each.task) != "not coupled") for each in found)
    told = sum(each.agrees for each in found)
    return (
        f"{table(rows)}\n\n"
        f"coupled or not, as the paper has it: {_of(either, len(found))}; "
        f"and at the same time: {_of(told, len(found))}\n"
    )


def _of(count: int, n: int) -> str:
    return f"{count}/{n} ({count / n:.0%})" if n else "0/0"


def against(write: RecordedWrite) -> Objection | None:
    """What the evidence guard has against a recorded write, as it stood before it was made."""
    names = ("airline", "retail")
    domain = next(each for each in map(tau2_domain, names) if write.card.tool in each.tools)
    talk, seen = Talk(), SessionSeen()
    for logged in write.log:
        talk.add_logged(logged)
        seen.add_event(logged.event)
    records = records_of(domain, write.log)
    preview = records.preview(ToolCall(write.card.tool, write.card.arguments))
    return first_evidence_objection(domain, records, preview, talk, seen)


def verified_against(write: RecordedWrite) -> Objection | None:
    """What the guard or the rule verifier has against a recorded write."""
    names = ("airline", "retail")
    domain = next(each for each in map(tau2_domain, names) if write.card.tool in each.tools)
    talk = Talk()
    for logged in write.log:
        talk.add_logged(logged)
    records = records_of(domain, write.log)
    preview = records.preview(ToolCall(write.card.tool, write.card.arguments))
    events = [each.event for each in write.log]
    why = rule_objection(domain, records, preview, talk, events)
    return against(write) or (Objection("The rule verifier", why) if why else None)


def blocked_table(
    files: Sequence[tuple[str, Sequence[RecordedWrite]]], look: Look
) -> tuple[str, list[str]]:
    """By file, how many writes of each verdict are blocked; and the right ones, in words."""
    verdicts = ("wrong", "right", "against the policy", "not decidable")
    rows: list[tuple[str, ...]] = [("writes blocked before a card", *verdicts)]
    sums = {each: [0, 0] for each in verdicts}
    amiss: list[str] = []
    for name, writes in files:
        found = [(each.judged.verdict.verdict, each, look(each)) for each in writes]
        cells = []
        for verdict in verdicts:
            mine = [why for told, _, why in found if told == verdict]
            blocked = sum(why is not None for why in mine)
            cells.append(f"{blocked}/{len(mine)}")
            sums[verdict][0] += blocked
            sums[verdict][1] += len(mine)
        rows.append((name, *cells))
        amiss += [
            f"{name} {each.conversation} {each.card.tool}: {why.guard}. {why.why}"
            for told, each, why in found
            if told == "right" and why is not None
        ]
    rows.append(("all", *(_of(*sums[each]) for each in verdicts)))
    return table(rows), amiss


def main() -> None:
    """Measure and print."""
    if not TAU2.is_dir():
        raise SystemExit("τ²-bench's records are not here; say where with TAU2_DATA_DIR.")
    airline = tau2_domain("airline")
    print("The router without a model, on the roles' own first messages (everything at once)\n")
    print(router_table(list(of_openings(airline))))
    recorded = [each for path in (DEV, SAMPLE) if path.is_file() for each in of_runs(path, airline)]
    if recorded:
        print("On GPT-4o's recorded airline conversations, turn by turn\n")
        print(router_table(list(of_recorded(airline, (each.log for each in recorded)))))
    files = list(gathered())
    if SAMPLE.is_file():
        sample = of_runs(SAMPLE, airline)
        files.append((SAMPLE.stem, [write for each in sample for write in each.writes]))
    _print_blocked("The evidence guard", files, against)
    _print_blocked("The evidence guard, and the rule verifier after it", files, verified_against)


def _print_blocked(
    title: str, files: Sequence[tuple[str, Sequence[RecordedWrite]]], look: Look
) -> None:
    told, amiss = blocked_table(files, look)
    print(f"{title}\n\n{told}\n")
    wrong = share(len(amiss), sum(_is_right(each) for _, writes in files for each in writes))
    if wrong.interval is not None:
        high = f"{wrong.interval.high:.1%}"
        print(f"Right writes blocked: {wrong.count} of {wrong.n} (at most {high} at 95 %):\n")
    for line in amiss:
        print(f"  {line}")


def _is_right(write: RecordedWrite) -> bool:
    return write.judged.verdict.verdict == "right"


if __name__ == "__main__":
    main()
