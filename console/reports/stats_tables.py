"""Groups of sessions as tables: every number with its interval, its n, and what it is."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from console.reports.attention_lines import attention_lines
from console.reports.model_lines import agreement_parts, waiting_lines
from console.reports.papers_tables import papers_lines
from console.reports.prices import WHOSE, price
from console.reports.review_tables import review_parts
from console.reports.reward_lines import TAU2, meaning, rewards
from console.reports.stats_lines import NOTHING, Line
from console.reports.stats_lines import around as _around
from console.reports.stats_lines import estimate as _estimate
from console.reports.stats_lines import numbers as _numbers
from console.reports.stats_lines import percent as _percent
from console.reports.stats_lines import plain as _text
from console.reports.stats_lines import share as _share
from domains.text.quantity import quantity
from sessions.statistics.findings import (
    Burden,
    ConsentShare,
    Counted,
    Deviating,
    Report,
    Steps,
    Success,
)
from sessions.statistics.over_tasks import Rewarded
from sessions.statistics.regression import ENOUGH_TASKS, Coefficient, Fit, Regression
from sessions.views import Expenses


def table(report: Report) -> RenderableType:
    """One group: its name, what to know about it, its numbers, and its regression."""
    parts: list[RenderableType] = [
        _text(report.name, style="bold"),
        Text(_count_line(report.counted)),
        *(_text(remark, style="italic") for remark in report.remarks),
        _numbers(
            (
                *_success(report.success),
                *_steps(report.steps),
                *_burden(report.burden),
                *attention_lines(report.attention),
                *_consent(report.consent),
                *_deviating(report.deviating),
                *_expenses(report.expenses),
                *waiting_lines(report.waits),
            )
        ),
        *agreement_parts(report.judged),
        *_regression(report.deviating),
        *review_parts(report.reviews),
    ]
    return Padding(Group(*parts), (0, 0, 1, 0))


def deviation_parts(report: Report) -> Iterator[RenderableType]:
    """Yield which deviations there were and what they did, with their odds ratios."""
    yield _numbers(_deviating(report.deviating))
    yield from _regression(report.deviating)


def _count_line(counted: Counted) -> str:
    """How many sessions there are, how many count, and when they were held."""
    beside = [
        f"{number} {what}"
        for number, what in (
            (counted.not_scored, "not scored"),
            (counted.forks, "forked from another"),
            (counted.faults, "ended by a connection fault"),
        )
        if number
    ]
    left = f" ({', '.join(beside)})" if beside else ""
    first, last = counted.first[:10], counted.last[:10]
    when = first if first == last else f"{first} to {last}"
    held, trials = quantity(counted.sessions, "session"), quantity(counted.trials, "trial")
    return f"{held}{left}: {trials} of {quantity(counted.tasks, 'task')}, {when}"


def _success(success: Success) -> Iterator[Line]:
    for name, found in rewards(success):
        yield _share(name, found.succeeded, meaning(name, success))
        if name == TAU2:
            yield from _reliability(found)


def _reliability(found: Rewarded) -> Iterator[Line]:
    for each in found.reliability:
        n = f"{each.tasks} × {each.trials / each.tasks:.3g}"
        of_a_task = (
            "one trial of a task earns it" if each.k == 1 else f"{each.k} trials all earn it"
        )
        what = f"chance that {of_a_task}, mean over tasks; n: tasks × trials"
        around = _around(each.all_succeed_interval)
        yield f"pass^{each.k}", _percent(each.all_succeed), around, n, what
        if each.k > 1:
            what = f"chance that at least one of {each.k} trials earns it"
            around = _around(each.any_succeeds_interval)
            yield f"pass@{each.k}", _percent(each.any_succeeds), around, n, what


def _steps(steps: Steps) -> Iterator[Line]:
    yield _share("mutating steps", steps.mutating, "writes carried out, of all calls and messages")
    yield _share("mutating calls", steps.mutating_calls, "writes carried out, of all calls")


def _burden(burden: Burden) -> Iterator[Line]:
    what = "cards shown to the customer, for each time the customer spoke"
    yield _estimate("cards per turn", burden.cards_per_turn, "{:.2f}", what)
    lines = (
        _share("approved", burden.approved, "cards answered with yes"),
        _share("rejected", burden.rejected, "cards answered with no"),
        _share("changed", burden.changed, "cards sent back to be changed"),
        _share("withdrawn", burden.withdrawn, "cards that were gone before they were answered"),
        _share("asked about", burden.asked, "cards the customer asked something about first"),
        _share("asked twice", burden.twice, "cards for a yes that the agent had just got in words"),
        _estimate(
            "look time", burden.look, "{:.1f} s", "median time a person looked before deciding"
        ),
    )
    yield from (line for line in lines if line[3] != "0")
    if burden.automatic:
        what = "cards that nobody decided: the gate was off, or a rule needed no word"
        yield "not put to anyone", f"{burden.automatic}", NOTHING, NOTHING, what


def _consent(consent: ConsentShare) -> Iterator[Line]:
    in_words = f"; {consent.in_words} agreed to in words" if consent.in_words else ""
    yield _share(
        "writes without yes", consent.without_yes,
        f"writes carried out without the customer's yes{in_words}",
    )  # fmt: skip
    what = "writes that the customer did not approve on a card, whatever was said"
    yield _share("writes without a card", consent.without_card, what)


def _deviating(found: Deviating) -> Iterator[Line]:
    if not found.compared:
        return
    yield _estimate("d_mut", found.mutating, "{:.2f}", "mean writes too many or too few")
    all_of_them = "" if found.lists_look_ups else " (the ends list none: all count)"
    what = f"mean other calls too many or too few{all_of_them}"
    yield _estimate("d_non", found.non_mutating, "{:.2f}", what)
    tools = ", ".join(f"{tool} {number}" for tool, number in found.decisive_tools)
    after = "failed trials with a write after which no acceptable end could be reached"
    lines = (
        _share("failed, d_mut > 0", found.failed_with_mutating, "of trials with d_mut above 0"),
        _share(
            "failed, d_non > 0",
            found.failed_with_non_mutating_only,
            "of trials with d_mut 0 and d_non above 0",
        ),
        _share("failed, neither", found.failed_without, "of trials with both 0"),
        _share("decisive write", found.decisive, f"{after}{': ' if tools else ''}{tools}"),
        _share("fell short", found.fell_short, "failed trials that only left something undone"),
        _share("records right", found.records_right, "failed trials whose records came out right"),
    )
    yield from (line for line in lines if line[3] != "0")
    yield from papers_lines(found.as_the_paper)


def _expenses(found: Expenses) -> Iterator[Line]:
    for who, spent in found:
        if spent.tokens:
            what = f"{WHOSE[who]}, {quantity(spent.answers, 'answer')}: {price(spent)}"
            yield f"tokens, {who}", f"{spent.tokens:,}", NOTHING, NOTHING, what


def _regression(found: Deviating) -> Iterator[RenderableType]:
    fitted = found.regression
    if not isinstance(fitted, Regression):
        yield Text(f"No regression of our verdict on d_mut and d_non. {fitted.why}")
        return
    yield Text(
        f"Our verdict on d_mut and d_non: logistic regression, n = {fitted.n} sessions of "
        f"{fitted.tasks} tasks, {fitted.successes} right"
    )
    yield _fits(fitted)
    yield from (Text(remark) for remark in _about(fitted))


def _fits(fitted: Regression) -> Table:
    grid = Table(box=None, pad_edge=False, show_edge=False)
    grid.add_column("")
    for name in ("coefficient", "s.e.", "odds ratio", "95 % interval", "p"):
        grid.add_column(name, justify="right", no_wrap=True)
    for fit in (fitted.firth, fitted.ordinary):
        for each in fit.coefficients if fit else ():
            grid.add_row(*(Text(cell) for cell in _coefficient(fit, each, fitted.enough_tasks)))
    return grid


def _coefficient(fit: Fit | None, each: Coefficient, enough: bool) -> tuple[str, ...]:
    method = "Firth" if fit and fit.method == "firth" else "ordinary"
    by_task = each.standard_error_by_task is not None
    error = each.standard_error_by_task if by_task else each.standard_error
    bounds = each.odds_ratio_interval
    return (
        f"{each.name} ({method})",
        f"{each.estimate:.3f}".replace("-0.000", "0.000"),
        f"{error:.3f}",
        _short(each.odds_ratio),
        f"{_short(bounds.low)} to {_short(bounds.high)}",
        _p(each.p) if enough else f"({_p(each.p)})",
    )


def _about(fitted: Regression) -> Iterator[str]:
    """Yield what a reader has to know about these fits."""
    yield (
        "The odds ratio is what one more deviation multiplies the odds of success by. Firth: "
        "penalised likelihood, its interval and p from the likelihood profile."
    )
    if fitted.separated:
        yield (
            "Here the deviations separate success from failure: the ordinary fit has no finite "
            "solution, and Firth's shows how far the data go."
        )
    for name in fitted.left_out:
        yield f"{name} is the same in every session and was left out."
    if fitted.enough_tasks:
        yield "Ordinary: errors and p allow for sessions of one task being alike."
    else:
        yield (
            "p is in brackets because it treats sessions of one task as independent; with fewer "
            f"than {ENOUGH_TASKS} tasks there is nothing better. Use the interval."
        )


def _short(value: float) -> str:
    if 0.1 <= value < 1000:
        return f"{value:.2f}"
    return f"{value:.3f}" if 0.001 <= value < 0.1 else f"{value:.1e}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
