"""Write the folder of ``saber report``: the report twice, pictures, a page for each failure."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from pathlib import Path

from agent.headless.plan import Plan
from agent.headless.summary import Played, Summary, summary
from console.reports.markdown import page
from console.reports.plotting import draw_shares
from console.reports.profile_plots import draw_dialogue, draw_tools
from console.reports.reward_lines import TAU2
from console.reports.run_control import is_routed, ways
from console.reports.run_report import DIALOGUE, REPLAYS, REWARDS, TOOLS, Failure, markdown
from sessions.events import Logged, Scored
from sessions.exporting.page import page as session_page
from sessions.exporting.writing import refuse_existing, write_text
from sessions.statistics.compared import Compared, compare
from sessions.store.errors import ExportError
from sessions.store.store import Store


def write_report(
    store: Store,
    plan: Plan,
    found: Sequence[Played],
    out: Path,
    *,
    force: bool,
    focus: Collection[str] | None = None,
) -> list[str]:
    """Write the folder and return sentences on what is in it; raises ExportError and StoreError.

    ``focus`` are the tasks in focus, if known.
    """
    compared = compare(ways(plan, found), focus) if is_routed(plan) else []
    pictures = (REWARDS, DIALOGUE, TOOLS) if compared else (REWARDS,)
    files = [out / name for name in ("index.html", "report.md", *pictures)]
    for file in files:
        refuse_existing(file, force=force)
    try:
        (out / REPLAYS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"The folder {out} cannot be made ({error.strerror}).") from error
    failures = []
    for each in found:
        if each.facts.counts and not each.facts.success:
            log = store.read(each.facts.session)
            failures.append(Failure(each, _failure_reasons(log, each)))
            target = out / REPLAYS / f"{each.facts.session}.html"
            write_text("".join(session_page(log)), target, force=True)
    drawn = _draw([summary(arm.name, found) for arm in plan.arms], compared, out, force=force)
    text = markdown(plan, found, failures, compared, pictures=drawn)
    write_text(text, files[1], force=force)
    write_text(page(f"Run {plan.name}", text), files[0], force=force)
    told = [f"The report on {plan.name} is {files[0]}; {files[1].name} beside it says the same."]
    if failures:
        told.append(f"A page for each failed trial ({len(failures)}) is in {out / REPLAYS}.")
    if not drawn:
        told.append("It has no picture: that needs matplotlib (saber-console[plot]).")
    return told


def _failure_reasons(log: Sequence[Logged], each: Played) -> tuple[str, ...]:
    """Why a trial failed: how it broke off, what was not said or done, and what differs."""
    scored = [logged.event for logged in log if isinstance(logged.event, Scored)]
    if not scored:
        return (each.fault,)
    last = scored[-1]
    unmet = (f"not met: {one.text}" for one in last.assertions if one.verdict == "unmet")
    cut = (f"cut off ({last.cut_short})",) if last.cut_short else ()
    found = (*cut, each.fault, *last.missing, *unmet, *last.differences)
    other_end = "at an end that the task does not name" if not last.task_end else "by its basis"
    return tuple(one for one in found if one) or (other_end,)


def _draw(told: Sequence[Summary], compared: Sequence[Compared], out: Path, *, force: bool) -> bool:
    """Draw the arms' rewards and profiles; return False if there is no matplotlib."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a letter that the font lacks is drawn as a box
            shares = [(each.arm or "all", each.success.tau2.succeeded) for each in told]
            draw_shares(TAU2, shares, out / REWARDS, force=force)
            if compared:
                draw_dialogue(compared, out / DIALOGUE, force=force)
                draw_tools(compared, out / TOOLS, force=force)
    except ImportError:
        return False
    return True
