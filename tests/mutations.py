"""``python -m tests.mutations``: printed numbers, each reversed once; a test has to fail for each.

Signs, shares and orders in what statistics count and what tables print are turned round in a copy
of the source, one at a time, and the tests of those tables are run on it. What no test notices is
listed at the end, with exit code 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("agent", "console", "domains", "sessions", "tests", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A piece of source that stands there once, and what it is turned into."""

    path: str
    before: str
    after: str


_TABLES = "console/reports/stats_tables.py"
_REPORT = "sessions/statistics/report.py"
_CONSENTING = "sessions/statistics/consenting.py"
_PAPER = "sessions/statistics/as_the_paper.py"
_PAPERS = "console/reports/papers_tables.py"
_MODELS = "console/reports/model_lines.py"
_JUDGED = "sessions/statistics/tool_judgements.py"
_SUMMARY = "agent/headless/summary.py"
_RUN = "console/reports/run_tables.py"
_CONTROL = "sessions/statistics/control.py"
_COMPARED = "sessions/statistics/compared.py"
_OVERHEAD = "sessions/statistics/overhead.py"
_WAYS = "console/reports/control_tables.py"
_WAITS = "sessions/statistics/waits.py"
_VERIFIER = "agent/control/verifier.py"
_REPORTED = "console/reports/run_command.py"
_GROUPING = "sessions/statistics/grouping.py"
_SETTINGS = "sessions/statistics/settings.py"
_FEEDBACK = "agent/gate/feedback.py"

_STREAM = "agent/streaming/summary.py"
_GROWTH = "agent/streaming/memory_growth.py"
_SEEDS = "sessions/statistics/over_seeds.py"
_STREAMS = "console/reports/stream_tables.py"

TESTS = {
    _TABLES: ("tests/console/reports/test_stats_tables.py", "tests/console/commands/test_stats.py"),
    _REPORT: ("tests/sessions/statistics/test_report.py",
              "tests/console/reports/test_stats_tables.py"),
    _CONSENTING: ("tests/sessions/statistics/test_consenting.py",),
    _PAPER: ("tests/sessions/statistics/test_as_the_paper.py",),
    _PAPERS: ("tests/sessions/statistics/test_as_the_paper.py",),
    _MODELS: ("tests/console/commands/test_ways.py",),
    _JUDGED: ("tests/console/commands/test_ways.py",),
    _SUMMARY: ("tests/agent/headless/test_summary.py", "tests/console/reports/test_run_tables.py"),
    _RUN: ("tests/console/reports/test_run_tables.py",),
    _CONTROL: ("tests/sessions/statistics/test_control.py",
               "tests/sessions/statistics/test_compared.py"),
    _COMPARED: ("tests/sessions/statistics/test_compared.py",
                "tests/console/reports/test_control_tables.py"),
    _OVERHEAD: ("tests/sessions/statistics/test_compared.py",
                "tests/console/reports/test_control_tables.py"),
    _WAYS: ("tests/console/reports/test_control_tables.py",),
    _WAITS: ("tests/sessions/statistics/test_waits.py",),
    _VERIFIER: ("tests/agent/control/test_withholding.py",
                "tests/agent/models/litellm/test_wire_verifier.py"),
    _REPORTED: ("tests/console/commands/test_report.py",),
    _GROUPING: ("tests/sessions/statistics/test_compared.py",),
    _SETTINGS: ("tests/sessions/statistics/test_compared.py",),
    _FEEDBACK: ("tests/agent/control/test_withholding.py",),
    _STREAM: ("tests/agent/streaming/test_summary.py",),
    _GROWTH: ("tests/agent/streaming/test_summary.py",),
    _SEEDS: ("tests/sessions/statistics/test_over_seeds.py",),
    _STREAMS: ("tests/console/reports/test_stream_tables.py",),
}  # fmt: skip
"""The tests that are to notice, by the file that is turned round."""

MUTATIONS = (
    Mutation(_TABLES, '"approved", burden.approved', '"approved", burden.rejected'),
    Mutation(_TABLES, '"rejected", burden.rejected', '"rejected", burden.changed'),
    Mutation(_TABLES, '"changed", burden.changed', '"changed", burden.withdrawn'),
    Mutation(_TABLES, '"withdrawn", burden.withdrawn', '"withdrawn", burden.approved'),
    Mutation(_TABLES, '"asked twice", burden.twice', '"asked twice", burden.asked'),
    Mutation(_TABLES, "_percent(each.all_succeed)", "_percent(each.any_succeeds)"),
    Mutation(_TABLES, "_percent(each.any_succeeds)", "_percent(each.all_succeed)"),
    Mutation(_TABLES, '"mutating steps", steps.mutating,',
             '"mutating steps", steps.mutating_calls,'),
    Mutation(_TABLES, '"writes without yes", consent.without_yes',
             '"writes without yes", consent.without_card'),
    Mutation(_TABLES, '"d_mut", found.mutating', '"d_mut", found.non_mutating'),
    Mutation(_TABLES, '"failed, d_mut > 0", found.failed_with_mutating',
             '"failed, d_mut > 0", found.failed_without'),
    Mutation(_TABLES, '"decisive write", found.decisive', '"decisive write", found.fell_short'),
    Mutation(_TABLES, '"records right", found.records_right', '"records right", found.decisive'),
    Mutation(_TABLES, '{each.estimate:.3f}', '{-each.estimate:.3f}'),
    Mutation(_TABLES, "_short(each.odds_ratio),", "_short(1 / each.odds_ratio),"),
    Mutation(_TABLES, "_short(bounds.low)} to {_short(bounds.high)",
             "_short(bounds.high)} to {_short(bounds.low)"),
    Mutation(_REPORT, "share(mutating, calls + messages)", "share(mutating, calls)"),
    Mutation(_REPORT, "approved=share(approved, settled),\n        rejected",
             "approved=share(settled - approved, settled),\n        rejected"),
    Mutation(_REPORT, "sum(not row.right for row in rows)", "sum(row.right for row in rows)"),
    Mutation(_REPORT, "fell_short=share(len(short)", "fell_short=share(len(decisive)"),
    Mutation(_REPORT, "(-each[1], each[0])", "(each[1], each[0])"),
    Mutation(_REPORT, 'faults=sum(row.ended == "fault"', 'faults=sum(row.ended != "fault"'),
    Mutation(_REPORT, "Observation(row.right,", "Observation(not row.right,"),
    Mutation(_CONSENTING, "asked and says_yes", "asked or says_yes"),
    Mutation(_CONSENTING, "made.by not in NOBODY", "made.by in NOBODY"),
    Mutation(_PAPER, "_departs(row) is True", "_departs(row) is False"),
    Mutation(_PAPER, "row.success is not True for", "row.success is True for"),
    Mutation(_PAPER, "Observation(row.success is True,", "Observation(row.success is not True,"),
    Mutation(_PAPERS, "{found.estimate:.2f}", "{-found.estimate:.2f}"),
    Mutation(_PAPERS, 'by_name.get("d_mut")', 'by_name.get("d_non")'),
    Mutation(_MODELS, '((each.late, "too late"), (each.failed, "failed"))',
             '((each.failed, "too late"), (each.late, "failed"))'),
    Mutation(_JUDGED, "each.mutating == each.declared", "each.mutating != each.declared"),
    Mutation(_JUDGED, "if each.declared]),", "if not each.declared]),"),
    Mutation(_SUMMARY, "rates[1][task] - rates[0][task]", "rates[0][task] - rates[1][task]"),
    Mutation(_RUN, "{100 * found.value:+.1f}", "{-100 * found.value:+.1f}"),
    Mutation(_CONTROL, "self.turn <= OPENING", "self.turn > OPENING"),
    Mutation(_CONTROL, "len(self.coupled) - self.immediate", "len(self.coupled) + self.immediate"),
    Mutation(_CONTROL, "4 * sum(earned) >= 3 * len(earned)", "4 * sum(earned) > 3 * len(earned)"),
    Mutation(_CONTROL, "for each in reversed(get_args(After))", "for each in get_args(After)"),
    Mutation(_CONTROL, "since < each.seq < closed.seq", "each.seq < closed.seq"),
    Mutation(_CONTROL, '"a refused call" if event.error', '"a refused call" if not event.error'),
    Mutation(_CONTROL, "malformed += route.malformed", "malformed += not route.malformed"),
    Mutation(_CONTROL, "if route.by != RULES", "if route.by == RULES"),
    Mutation(_COMPARED, "if passed[task] and before.get(task) is False",
             "if not passed[task] and before.get(task)"),
    Mutation(_COMPARED, "lost=tuple(names[task] for task in passed if not passed[task] and",
             "lost=tuple(names[task] for task in passed if passed[task] and"),
    Mutation(_COMPARED, "row.success is True for row in own", "row.right for row in own"),
    Mutation(_COMPARED, 'not row.fork and row.ended != "fault"', 'row.ended != "fault"'),
    Mutation(_COMPARED, '(task in (focus or ())) == (of == "focus")',
             '(task in (focus or ())) != (of == "focus")'),
    Mutation(_COMPARED, "firsts[each.card]", "ways[0]"),
    Mutation(_COMPARED, "immediate=did.immediate", "immediate=did.emergent"),
    Mutation(_COMPARED, "if row.control.coupled})", "if not row.control.coupled})"),
    Mutation(_COMPARED, "-each[1], each[0][1:])", "each[1], each[0][1:])"),
    Mutation(_COMPARED, "(not each.is_immediate, each.after", "(each.is_immediate, each.after"),
    Mutation(_COMPARED, "without_intervals(found) if by_code", "found if by_code"),
    Mutation(_OVERHEAD, "row.cards.approved + row.agreed_in_words", "row.cards.approved"),
    Mutation(_OVERHEAD, "lambda row: row.cards.put, lambda row: row.writes",
             "lambda row: row.cards.shown, lambda row: row.writes"),
    Mutation(_OVERHEAD, "calls_per_turn=ratio(rows, _calls, lambda row: row.turns)",
             "calls_per_turn=ratio(rows, lambda row: row.turns, _calls)"),
    Mutation(_OVERHEAD, "lambda row: len(row.calls)", "lambda row: sum(row.calls.values())"),
    Mutation(_OVERHEAD, "tool: number / len(rows)", "tool: number"),
    Mutation(_OVERHEAD, "(-most[each], each)", "(most[each], each)"),
    Mutation(_WAYS, "NOTHING if first else str(len(each.gained))",
             "NOTHING if first else str(len(each.lost))"),
    Mutation(_WAYS, '(("gained", found.gained), ("lost", found.lost))',
             '(("lost", found.gained), ("gained", found.lost))'),
    Mutation(_WAYS, "one.tasks, one.tasks_coupled", "one.tasks_coupled, one.tasks"),
    Mutation(_WAYS, "one.sessions, one.immediate", "one.sessions, one.emergent"),
    Mutation(_WAYS, '"at the start" if one.immediate', '"at the start" if not one.immediate'),
    Mutation(_WAYS, "each.did.outcomes.get(one, 0)", "each.did.guards.get(one, 0)"),
    Mutation(_WAYS, "(sum(numbers), *numbers, each.did.nudges)",
             "(sum(numbers), *reversed(numbers), each.did.nudges)"),
    Mutation(_WAYS, "own.calls_per_turn", "own.calls"),
    Mutation(_WAYS, "own.writes, own.tools", "own.tools, own.writes"),
    Mutation(_WAYS, "own.agreed, own.messages", "own.messages, own.agreed"),
    Mutation(_WAYS, "{passed.value:.0%}", "{1 - passed.value:.0%}"),
    Mutation(_WAITS, 'if answered.purpose == "act"', 'if answered.purpose != "act"'),
    Mutation(_VERIFIER, "    if not ctx.safeguards.gate:\n", "    if ctx.safeguards.gate:\n"),
    Mutation(_VERIFIER, 'found.outcome == "unverified" and not',
             'found.outcome == "unverified" and'),
    Mutation(_VERIFIER, ">= MOST_TIMES\n    yield", "> MOST_TIMES\n    yield"),
    Mutation(_VERIFIER, "event.candidates if with_card else ()",
             "event.candidates if not with_card else ()"),
    Mutation(_GROUPING, "return ROUTED in safeguards,", "return ROUTED not in safeguards,"),
    Mutation(_GROUPING, 'safeguards.count("+"), safeguards', '-safeguards.count("+"), safeguards'),
    Mutation(_SETTINGS, '"card" if "gate" in named', '"card" if "gate" not in named'),
    Mutation(_FEEDBACK, "and not unverified and", "and unverified and"),
    Mutation(_CONSENTING, "granted += agreed", "granted += not agreed"),
    Mutation(_REPORTED, 'if settings.control != "routed"', 'if settings.control == "routed"'),
    Mutation(_REPORTED, "_on_or_off(True in cards)", "_on_or_off(False in cards)"),
    Mutation(_STREAM, "sisters=_reliable([row for row in trials if row.is_sister]",
             "sisters=_reliable([row for row in trials if not row.is_sister]"),
    Mutation(_STREAM, "originals=_reliable([row for row in trials if not row.is_sister]",
             "originals=_reliable([row for row in trials if row.is_sister]"),
    Mutation(_STREAM, "if r.variant == variant]", "if r.variant != variant]"),
    Mutation(_STREAM, "row.family in families]", "row.family not in families]"),
    Mutation(_STREAM, "row.position <= place]", "row.position >= place]"),
    Mutation(_STREAM, "min((max(row.position for row in own)",
             "max((max(row.position for row in own)"),
    Mutation(_STREAM, "fmean(r.right for r in own)", "fmean(not r.right for r in own)"),
    Mutation(_STREAM, "sum(row.right for row in own)", "sum(not row.right for row in own)"),
    Mutation(_GROWTH, 'found["revised" if known else "added"]',
             'found["added" if known else "revised"]'),
    Mutation(_GROWTH, 'change.origin.failure == "execution"',
             'change.origin.failure != "execution"'),
    Mutation(_SEEDS, "max(0.0, float(low)), min(1.0, float(high))",
             "min(1.0, float(high)), max(0.0, float(low))"),
    Mutation(_SEEDS, "scale=sem(values)", "scale=len(values) * sem(values)"),
    Mutation(_SEEDS, "fmean(pass_hat_k(each, k)", "fmean(1 - pass_hat_k(each, k)"),
    Mutation(_STREAMS, '"sisters", [(each.arm, each.sisters)',
             '"sisters", [(each.arm, each.originals)'),
    Mutation(_STREAMS, '"originals", [(each.arm, each.originals)',
             '"originals", [(each.arm, each.sisters)'),
    Mutation(_STREAMS, "{100 * ends.low:.0f} to {100 * ends.high:.0f}",
             "{100 * ends.high:.0f} to {100 * ends.low:.0f}"),
    Mutation(_STREAMS, "{100 * found.value:.1f} %", "{-100 * found.value:.1f} %"),
    Mutation(_STREAMS, "found.entries[0], found.entries[-1]",
             "found.entries[-1], found.entries[0]"),
    Mutation(_STREAMS, "(found.added, found.revised,", "(found.revised, found.added,"),
    Mutation(_STREAMS, "found.omitted, found.execution)", "found.execution, found.omitted)"),
    Mutation(_STREAMS, "len(found) * k + PARTS - 1", "len(found) * (PARTS + 1 - k) + PARTS - 1"),
)  # fmt: skip


def main() -> int:
    """Try each mutation; the code is 1 where one survived."""
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            _copy(ROOT / name, copy / name)
        for number, mutation in enumerate(MUTATIONS, 1):
            noticed = _is_noticed(copy, mutation)
            print(f"{number:2} {'noticed ' if noticed else 'SURVIVED'} {mutation.path}: "
                  f"{mutation.after!r}", flush=True)  # fmt: skip
            survivors += [] if noticed else [mutation]
    print(f"{len(MUTATIONS) - len(survivors)} of {len(MUTATIONS)} were noticed.")
    return 1 if survivors else 0


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _is_noticed(copy: Path, mutation: Mutation) -> bool:
    """Whether a test fails; raises ValueError where the source is no longer what was listed."""
    path = copy / mutation.path
    whole = path.read_text("utf-8")
    if whole.count(mutation.before) != 1:
        raise ValueError(f"{mutation.path} has {mutation.before!r} not once")
    path.write_text(whole.replace(mutation.before, mutation.after), "utf-8")
    try:
        return _fails(copy, TESTS[mutation.path])
    finally:
        path.write_text(whole, "utf-8")


def _fails(copy: Path, tests: tuple[str, ...]) -> bool:
    """Whether a test fails; raises RuntimeError where the tests could not be run at all."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider", *tests],
        cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, check=False,
    )  # fmt: skip
    said = (run.stdout + run.stderr).decode()
    if not re.search(r"\d (passed|failed)", said):
        raise RuntimeError(f"The tests cannot be run: {said[-400:]}")
    return run.returncode == 1


if __name__ == "__main__":
    sys.exit(main())
