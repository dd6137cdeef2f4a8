"""One row per session: all that the statistics need to know of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sessions.events import (
    AgentSaid,
    ContextAssembled,
    CustomerSaid,
    EndReason,
    Imported,
    Logged,
    ModelChanged,
    SafeguardsChanged,
    Scored,
    SessionEnded,
    SessionForked,
    SessionStarted,
)
from sessions.scoring.trajectory import trajectory
from sessions.statistics.attention import NO_CHECKS, AttentionFacts, attention_facts
from sessions.statistics.card_facts import CardFacts, card_facts
from sessions.statistics.consenting import consents, requests_for_a_yes
from sessions.statistics.control import NO_CONTROL, ControlFacts, control_facts
from sessions.statistics.distance import Actions, Deviations, actions
from sessions.statistics.reviewing import ReviewedCard, reviewed_cards
from sessions.statistics.rewards import Rewards, rewards_of
from sessions.statistics.settings import (
    CODE_CUSTOMERS,
    ELSEWHERE,
    PERSON,
    is_code,
    memory_in_words,
    requests_in_words,
    safeguards_in_words,
)
from sessions.statistics.tool_judgements import Judgement, judgements
from sessions.statistics.waits import Waits, waits
from sessions.views import NOTHING_SPENT, Expenses, expenses
from sessions.views.cards import decision_rows
from sessions.views.timing import began, duration


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """One session."""

    session: str
    began_at: str
    domain: str
    source: str
    scenario: str | None
    scenario_digest: str | None
    """Which text of the scenario was played, where the log says so."""

    model: str
    safeguards: str
    """The safeguards that were on, in words: ``gate + reflection``."""

    program: str
    policy_digest: str
    tools_digest: str
    records_digest: str
    fork: bool
    ended: str | None
    reward: float | None
    """Our verdict as it was recorded; None where the session was not scored."""

    rewards: Rewards
    turns: int
    """How often the customer spoke."""

    messages: int
    """What the agent said, answers about a card left out."""

    actions: Actions
    cards: CardFacts
    writes: int
    """Carried out without an error."""

    writes_on_card: int
    """Of those, approved by the customer on a card."""

    writes_in_words: int
    """Of those, without a card, after a yes in the customer's words."""

    deviations: Deviations | None = None
    """None where the session has no scenario here to be compared with."""

    expenses: Expenses = NOTHING_SPENT
    """What its models used up."""

    attention: AttentionFacts = NO_CHECKS
    """What became of its attention checks, which are no cards."""

    reviewed: tuple[ReviewedCard, ...] = ()
    """Its cards that somebody decided a second time."""

    agent: str = ""
    """What the agent of an imported run is called; one model may play several."""

    seconds: float | None = None
    """How long the conversation took; None while it has not ended, and where nobody knows."""

    customer: str = PERSON
    """Who played the customer: ``person``, ``scripted``, ``careful``, or a model's name."""

    auxiliary: str = ""
    """The second model; empty where there was none."""

    memory: str = ""
    """What its agent could read of what was learned before, in words; empty where nothing."""

    requests: str = ""
    """How its models were asked, in words; empty where it was as usual."""

    shortened: bool = False
    """Whether the context filter left anything out in any turn."""

    waits: dict[str, Waits] = field(default_factory=dict)
    """How long its models took, by role."""

    judged: tuple[Judgement, ...] = ()
    """What a second model said of tools that declare what they are."""

    imported: str = ""
    """Whose run it is where it was held by another program: ``tau1`` or ``tau2``."""

    control: ControlFacts = NO_CONTROL
    """What routed control did."""

    calls: Mapping[str, int] = field(default_factory=dict)
    """How often each tool was called, writes included."""

    agreed_in_words: int = 0
    """How often the customer said yes in words to what the agent had asked for in words."""

    @property
    def success(self) -> bool | None:
        """Whether it earned τ²-bench's whole reward; None where the session was not scored."""
        return self.rewards.is_earned

    @property
    def right(self) -> bool:
        """Whether our verdict is that it came out right, at whichever acceptable end."""
        return self.rewards.ours == 1

    @property
    def counts(self) -> bool:
        """Whether it is a trial: scored, no copy of another, and not ended by a fault of the line.

        Such a fault says nothing of the agent, and a fork is no second try. What a model itself
        fails at, an empty answer or a conversation too long for it, is a trial that failed.
        """
        return self.success is not None and not self.fork and self.ended != "fault"

    @property
    def deterministic(self) -> bool:
        """Whether both sides are code, so that another trial would only repeat this one."""
        return is_code(self.model) and self.customer in CODE_CUSTOMERS and not self.auxiliary

    @property
    def task(self) -> str:
        """What trials of the same thing share; a changed scenario, or free play, is another."""
        if self.scenario is None:
            return self.session
        return f"{self.scenario} {self.scenario_digest or ''}".rstrip()

    @property
    def writes_without_card(self) -> int:
        """Writes that the customer did not approve on a card, whatever was said."""
        return self.writes - self.writes_on_card

    @property
    def writes_without_yes(self) -> int:
        """Writes to which the customer did not say yes."""
        return self.writes - self.writes_on_card - self.writes_in_words


def session_facts(
    events: Sequence[Logged],
    deviations: Deviations | None = None,
    wrong: Mapping[str, bool] | None = None,
) -> SessionFacts:
    """The row of one log; ValueError unless it begins with the session's start.

    ``wrong`` says of its cards whether their calls were, as far as that is known.
    """
    started = events[0].event if events else None
    if not isinstance(started, SessionStarted):
        raise ValueError("a session's log begins with session_started")
    fold = _Fold(started)
    for logged in events[1:]:
        fold.add(logged)
    given = Counter(each.given for each in consents(events))
    returned, asked = trajectory(events).returned, requests_for_a_yes(events)
    return SessionFacts(
        session=events[0].session,
        began_at=began(events),
        domain=started.domain,
        source=started.source,
        scenario=started.scenario,
        scenario_digest=started.scenario_digest,
        model=" → ".join(fold.models),
        safeguards=" → ".join(fold.safeguards),
        program=started.program,
        policy_digest=started.policy_digest,
        tools_digest=started.tools_digest,
        records_digest=started.records_digest,
        fork=fold.fork,
        ended=fold.ended,
        reward=None if fold.scored is None else fold.scored.reward,
        rewards=rewards_of(fold.scored, fold.ended),
        turns=fold.turns,
        messages=fold.messages,
        actions=actions(returned),
        cards=card_facts(decision_rows(events), twice=asked.asked_twice),
        writes=given.total(),
        writes_on_card=given["card"],
        writes_in_words=given["words"],
        deviations=deviations,
        expenses=expenses(events),
        attention=attention_facts(events),
        reviewed=reviewed_cards(events, wrong),
        agent=fold.agent,
        seconds=duration(events),
        customer=fold.customer,
        auxiliary=started.auxiliary or "",
        requests=requests_in_words(started.requests),
        memory=memory_in_words(started),
        shortened=fold.shortened,
        waits=waits(events),
        judged=judgements(events),
        imported=fold.imported,
        control=control_facts(events),
        calls=dict(Counter(each.name for each in returned)),
        agreed_in_words=asked.granted,
    )


class _Fold:
    """What is counted on the way through a log."""

    def __init__(self, started: SessionStarted) -> None:
        self.models = [started.model]
        self.safeguards = [safeguards_in_words(started.safeguards)]
        self.fork = self.shortened = False
        self.agent = self.imported = ""
        self.customer = started.run.customer if started.run else PERSON
        self.ended: EndReason | None = None
        self.scored: Scored | None = None
        self.turns = self.messages = 0

    def add(self, logged: Logged) -> None:
        event = logged.event
        match event:
            case CustomerSaid():
                self.turns += 1
            case AgentSaid(about_card=None) if event.text.strip():
                self.messages += 1
            case _:
                self._notice(logged)

    def _notice(self, logged: Logged) -> None:
        event = logged.event
        match event:
            case ContextAssembled():
                self.shortened = self.shortened or event.shortens
            case ModelChanged() if event.model != self.models[-1]:
                self.models.append(event.model)
            case SafeguardsChanged():
                self._switch(safeguards_in_words(event.safeguards))
            case SessionForked():
                self.fork = True
            case Imported():
                self.agent, self.imported = event.agent, event.source
                self.customer = ELSEWHERE
            case SessionEnded():
                self.ended = event.reason
            case Scored():
                self.scored = event
            case _:
                pass

    def _switch(self, now: str) -> None:
        if now != self.safeguards[-1]:
            self.safeguards.append(now)
