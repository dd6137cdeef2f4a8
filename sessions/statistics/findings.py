"""What is reported about a group of sessions, each number with its n and its interval."""

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
    """How many sessions there are, and which of them are trials."""

    sessions: int
    trials: int
    """Scored, no copies of others, not ended by the line's fault: what success is counted over."""

    not_scored: int
    forks: int
    faults: int
    tasks: int
    """Different scenarios among the trials."""

    first: str
    last: str
    """When the first and the last of them began, UTC."""


@dataclass(frozen=True, slots=True)
class Success:
    """How often it came out right, by each of those who say what right is."""

    tau2: Rewarded
    """By τ²-bench's own reward."""

    classic: Rewarded
    """By τ-bench's first one."""

    ours: Rewarded
    """By our verdict, for which there may be several acceptable ends."""

    statements_judged: int
    statements_left_out: int
    """Trials whose τ²-bench reward is without its statements in words: nobody judged them."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What the agent did."""

    mutating: Share
    """Writes carried out, of all steps: calls and messages to the customer."""

    mutating_calls: Share
    """Writes carried out, of all calls."""


@dataclass(frozen=True, slots=True)
class Burden:
    """What the cards asked of the customer, and what the customer made of them."""

    cards_per_turn: Estimate
    approved: Share
    rejected: Share
    changed: Share
    withdrawn: Share
    asked: Share
    """Cards about which the customer asked something before deciding."""

    twice: Share
    """Cards on what the customer had just said yes to in words, because the agent asked."""

    look: Estimate
    """Median seconds from a card being readable to a person's decision."""

    automatic: int
    """Cards that nobody decided, as the gate was off or a rule asked for no word."""


@dataclass(frozen=True, slots=True)
class ConsentShare:
    """Whether the customer said yes to what was changed."""

    without_yes: Share
    without_card: Share
    """Writes that the customer did not approve on a card, whatever was said."""

    on_card: int
    in_words: int


@dataclass(frozen=True, slots=True)
class Deviating:
    """How far the sessions went from the acceptable ends, and what that did."""

    compared: int
    """Trials whose scenario and records are here to compare them with."""

    mutating: Estimate
    """Mean d_mut."""

    non_mutating: Estimate
    """Mean d_non."""

    lists_look_ups: bool
    failed_with_mutating: Share
    """Failures among sessions with d_mut > 0."""

    failed_with_non_mutating_only: Share
    """Failures among sessions with d_mut = 0 and d_non > 0."""

    failed_without: Share
    """Failures among sessions with neither."""

    decisive: Share
    """Failed sessions with a write after which no acceptable end could be reached."""

    fell_short: Share
    """Failed sessions with no such write, whose records are not at an end all the same."""

    records_right: Share
    """Failed sessions whose records are at an end: something else was amiss, such as words."""

    decisive_tools: tuple[tuple[str, int], ...]
    """The tools of the decisive writes, the most frequent first."""

    as_the_paper: AsThePaper
    """The same as the paper defines it."""

    regression: Regression | NoRegression


@dataclass(frozen=True, slots=True)
class Report:
    """One group of sessions."""

    name: str
    remarks: tuple[str, ...]
    """Sentences to be read with the numbers."""

    counted: Counted
    success: Success
    steps: Steps
    burden: Burden
    consent: ConsentShare
    deviating: Deviating
    expenses: Expenses
    """What the models of all these sessions used up, forks left out."""

    waits: dict[str, Waits]
    """How long they took, by role."""

    judged: Agreement | None
    """What a second model said of tools that declare what they are, where it was asked."""

    attention: Attention | None
    """How closely cards were read, where checks were put to anybody."""

    reviews: Reviews | None
    """What second decisions on their cards show, where there are any."""
