"""The numbers reported about a group of sessions, each with its sample size and interval."""

from __future__ import annotations

from dataclasses import dataclass

from sessions.statistics.as_the_paper import AsThePaper
from sessions.statistics.attention import Attention
from sessions.statistics.intervals import Estimate, Share
from sessions.statistics.over_tasks import Rewarded
from sessions.statistics.regression import NoRegression, Regression
from sessions.statistics.reviewing import Reviews
from sessions.statistics.tool_judgements import Agreement
from sessions.statistics.waits import Waits
from sessions.views import Expenses


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of sessions, and how many of them are trials."""

    sessions: int
    trials: int
    """Sessions that were scored, are not forks and did not end with a connection fault.

    Success is counted over these.
    """

    not_scored: int
    forks: int
    faults: int
    tasks: int
    """The number of different scenarios among the trials."""

    first: str
    last: str
    """When the first and the last of the sessions began, in UTC."""


@dataclass(frozen=True, slots=True)
class Success:
    """How often trials came out right, by each of the definitions of *right*."""

    tau2: Rewarded
    """By τ²-bench's own reward."""

    classic: Rewarded
    """By the original reward of τ-bench."""

    ours: Rewarded
    """By our verdict, which accepts several ends."""

    statements_judged: int
    statements_left_out: int
    """Trials whose τ²-bench reward excludes its statements in words, because no one judged them."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The writes among the agent's steps."""

    mutating: Share
    """Writes carried out, as a share of all steps: calls and messages to the customer."""

    mutating_calls: Share
    """Writes carried out, as a share of all calls."""


@dataclass(frozen=True, slots=True)
class Burden:
    """What the cards asked of the customer, and how the customer decided."""

    cards_per_turn: Estimate
    approved: Share
    rejected: Share
    changed: Share
    withdrawn: Share
    asked: Share
    """Cards about which the customer asked something before deciding."""

    twice: Share
    """Cards for a change to which the customer had just said yes in words, when asked."""

    look: Estimate
    """Median seconds from a card being readable to a person's decision."""

    automatic: int
    """Cards approved without the customer, by a rule or because the gate was off."""


@dataclass(frozen=True, slots=True)
class ConsentShare:
    """How many writes the customer said yes to."""

    without_yes: Share
    without_card: Share
    """Writes that the customer did not approve on a card, whatever was said."""

    on_card: int
    in_words: int


@dataclass(frozen=True, slots=True)
class Deviating:
    """How far the sessions deviated from the acceptable ends, and with what effect."""

    compared: int
    """Trials whose scenario and records are available here for the comparison."""

    mutating: Estimate
    """Mean d_mut."""

    non_mutating: Estimate
    """Mean d_non."""

    lists_look_ups: bool
    failed_with_mutating: Share
    """The share of failures among sessions with d_mut > 0."""

    failed_with_non_mutating_only: Share
    """The share of failures among sessions with d_mut = 0 and d_non > 0."""

    failed_without: Share
    """The share of failures among sessions with neither."""

    decisive: Share
    """Failed sessions with a write after which no acceptable end could be reached."""

    fell_short: Share
    """Failed sessions without such a write whose records are still not at an end."""

    records_right: Share
    """Failed sessions whose records are at an end; something else was wrong, such as the words."""

    decisive_tools: tuple[tuple[str, int], ...]
    """The tools of the decisive writes with their counts, most frequent first."""

    as_the_paper: AsThePaper
    """The same comparison as the paper defines it."""

    regression: Regression | NoRegression


@dataclass(frozen=True, slots=True)
class Report:
    """All numbers about one group of sessions."""

    name: str
    remarks: tuple[str, ...]
    """Sentences to read along with the numbers."""

    counted: Counted
    success: Success
    steps: Steps
    burden: Burden
    consent: ConsentShare
    deviating: Deviating
    expenses: Expenses
    """What the models of all these sessions used up, without forks."""

    waits: dict[str, Waits]
    """How long the models took to answer, by role."""

    judged: Agreement | None
    """How far a second model agrees with what tools declare; None if it was not asked."""

    attention: Attention | None
    """How closely cards were read; None if no attention checks were shown."""

    reviews: Reviews | None
    """What the reviews of their cards show; None if there are none."""
