"""The tables of ``saber run`` and ``saber ablate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agent.headless.plan import Plan
from agent.headless.progress import Progress
from agent.headless.summary import Played, Summary, gain
from console.reports.prices import price
from console.reports.reward_lines import CLASSIC, MEANINGS, OURS, TAU2, rewards
from console.reports.run_basis import basis_sentences
from console.reports.stats_lines import make_table
from sessions.cleaning import clean
from sessions.statistics.intervals import Estimate, Interval, Share
from sessions.views import NOTHING_SPENT

NOTHING = "–"
_BROKEN_OFF = {
    "fault": "Ended by a connection fault, and not counted as trials:",
    "agent_failure": "Ended by a failure of the agent's model, which counts as a failed trial:",
    "customer_failure": "Ended by a failure of the customer's model, counted as a failed trial:",
}
LEGEND = Text(
    f"{TAU2}: {MEANINGS[TAU2]}. {CLASSIC}: {MEANINGS[CLASSIC]}. {OURS}: {MEANINGS[OURS]}. gain: "
    "percentage points of the first reward more than in the first line, paired by task. cards: "
    "shown to the customer, per session. without yes: the share of writes to which the customer "
    "said yes neither on a card nor in words; without a card: not on a card, whatever was said.",
    style="dim",
)


def rests_on(plan: Plan, told: Sequence[Summary]) -> Iterator[RenderableType]:
    """Yield what the figures rest on, one sentence a line."""
    yield from (Text(clean(sentence), style="italic") for sentence in basis_sentences(plan, told))


def heading(plan: Plan, standing: Progress) -> Text:
    """The run's name, and how far it has come."""
    before = f", {standing.before} of them before" if standing.before else ""
    resumed = f", {standing.resumed} resumed" if standing.resumed else ""
    played_by = f"{plan.model} and the customer {plan.customer}"
    return Text(
        f"Run {plan.name}: {standing.finished} of {standing.sessions} sessions{before}{resumed}; "
        f"{plan.domain.title}, {played_by}, seed {plan.seed}"
    )


def numbers(told: Summary) -> Table:
    """The numbers of a run with a single arm."""
    table = make_table("", "", "95 % interval", "n")
    for name, found in rewards(told.success):
        table.add_row(name, *_share(found.succeeded))
        for each in found.reliability if name == TAU2 and len(found.reliability) > 1 else ():
            interval = _around(each.all_succeed_interval)
            n = f"{each.tasks} × {each.trials / each.tasks:g}"
            table.add_row(f"pass^{each.k}", _percent(each.all_succeed), interval, n)
    table.add_row("cards per session", *_estimate(told.cards_per_session))
    table.add_row("cards declined", *_share(told.declined))
    table.add_row("writes without yes", *_share(told.unconsented))
    table.add_row("writes without a card", *_share(told.without_card))
    table.add_row("writes amiss per session", *_estimate(told.d_mut))
    table.add_row("turns per session", *_estimate(told.turns))
    for row in spending(told):
        table.add_row(*row)
    table.add_row("ended by", ", ".join(f"{why} {n}" for why, n in told.ended.items()), "", "")
    return table


def spending(told: Summary) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row for each role whose model was asked, and one for all if there are several."""
    used = [(who, spent) for who, spent in told.expenses if spent.tokens]
    if len(used) > 1:
        used.append(("all", told.expenses.total))
    for who, spent in used:
        yield f"tokens, {who}", f"{spent.tokens:,}", price(spent), f"{told.sessions}"


def expenses_of_all(told: Sequence[Summary]) -> Iterator[RenderableType]:
    """Yield a line on the tokens that the models of all arms used, if any."""
    together = sum((each.expenses for each in told), NOTHING_SPENT)
    used = [f"{who} {spent.tokens:,} ({price(spent)})" for who, spent in together if spent.tokens]
    if used:
        yield Text(f"Tokens: {', '.join(used)}")


def arms(told: Sequence[Summary], found: Sequence[Played]) -> Table:
    """How each arm came out; gains are relative to the first arm."""
    most = min((len(each.success.tau2.reliability) for each in told), default=0)
    k = most if most > 1 else 0
    table = make_table(
        "safeguards", TAU2, "95 % interval", "n", *([f"pass^{k}"] if k else []),
        "gain", "95 % interval", CLASSIC, OURS,
    )  # fmt: skip
    for each in told:
        own = each.success
        hat = [_percent(own.tau2.reliability[k - 1].all_succeed)] if k else []
        gained = (
            _gain_cells(gain(told[0].arm, each.arm, found)) if each is not told[0] else ("", "")
        )
        table.add_row(
            each.arm, *_share(own.tau2.succeeded), *hat, *gained,
            _share(own.classic.succeeded)[0], _share(own.ours.succeeded)[0],
        )  # fmt: skip
    return table


def customer_effort_table(told: Sequence[Summary]) -> Table:
    """What each arm demanded of the customer, and what it cost."""
    table = make_table(
        "safeguards", "cards", "declined", "without yes", "without a card", "turns", "tokens",
        "cost",
    )  # fmt: skip
    for each in told:
        spent = each.expenses.total
        table.add_row(
            each.arm, _estimate(each.cards_per_session)[0], _share(each.declined)[0],
            _share(each.unconsented)[0], _share(each.without_card)[0], _estimate(each.turns)[0],
            f"{spent.tokens:,}", price(spent) if spent.tokens else NOTHING,
        )  # fmt: skip
    return table


def _gain_cells(found: Estimate) -> tuple[str, str]:
    """A gain and its interval, in percentage points."""
    if found.value is None:
        return NOTHING, NOTHING
    ends = found.interval
    around = f"{100 * ends.low:+.1f} to {100 * ends.high:+.1f}" if ends else NOTHING
    return f"{100 * found.value:+.1f}", around


def by_model(plan: Plan, found: Sequence[Played]) -> Iterator[RenderableType]:
    """Yield how each agent came out in each arm, if there was more than one agent."""
    models = list(dict.fromkeys(each.facts.model for each in found if each.facts.counts))
    if len(models) < 2:
        return
    table = make_table(f"{TAU2}, by agent", *(arm.name or "earned" for arm in plan.arms))
    for model in models:
        own = [each for each in found if each.facts.model == model and each.facts.counts]
        table.add_row(model, *(_successes_of_arm(arm.name, own) for arm in plan.arms))
    yield table


def _successes_of_arm(arm: str, found: Sequence[Played]) -> str:
    own = [each.facts for each in found if each.arm == arm]
    return f"{sum(row.success is True for row in own)} of {len(own)}"


def faults(found: Sequence[Played]) -> Iterator[RenderableType]:
    """Yield the sessions that broke off, and why: a fault of the line, or a model's failure."""
    for ended, heading in _BROKEN_OFF.items():
        broken = [each for each in found if each.facts.ended == ended]
        if broken:
            yield Text(heading)
        for each in broken:
            told = f"{each.facts.session} {each.task}, trial {each.trial}: {each.fault}"
            yield Text(f"  {clean(told)}")


def _share(found: Share) -> tuple[str, str, str]:
    if found.value is None:
        return NOTHING, NOTHING, "0"
    return _percent(found.value), _around(found.interval), f"{found.n}"


def _estimate(found: Estimate) -> tuple[str, str, str]:
    if found.value is None:
        return NOTHING, NOTHING, "0"
    ends = found.interval
    bounds = f"{ends.low:.2f} to {ends.high:.2f}" if ends else NOTHING
    return f"{found.value:.2f}", bounds, f"{found.n}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _around(interval: Interval | None) -> str:
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if interval else NOTHING
