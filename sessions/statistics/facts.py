"""Reduce each session to one row with all that the statistics need from its log."""

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
from sessions.views.timing import began_at, duration


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The facts about one session."""

    session: str
    began_at: str
    domain: str
    source: str
    scenario: str | None
    scenario_digest: str | None
    """The digest of the scenario's text that was played, if the log has it."""

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
    """Our recorded verdict; None if the session was not scored."""

    rewards: Rewards
    turns: int
    """How often the customer spoke."""

    messages: int
    """The number of the agent's messages, without answers about a card."""

    actions: Actions
    cards: CardFacts
    writes: int
    """The number of writes carried out without an error."""

    writes_on_card: int
    """Those that the customer approved on a card."""

    writes_in_words: int
    """Those without a card that followed a yes in the customer's words."""

    deviations: Deviations | None = None
    """None if the session has no scenario available here to compare it with."""

    expenses: Expenses = NOTHING_SPENT
    """What the models of the session used up."""

    attention: AttentionFacts = NO_CHECKS
    """How its attention checks ended; they do not count as cards."""

    reviewed: tuple[ReviewedCard, ...] = ()
    """Its cards that were decided a second time."""

    agent: str = ""
    """The agent's name in an imported run; one model may play several agents."""

    seconds: float | None = None
    """How long the conversation took; None while it has not ended, or if unknown."""

    customer: str = PERSON
    """The customer: ``person``, ``scripted``, ``careful``, or a model's name."""

    auxiliary: str = ""
    """The second model; empty if there was none."""

    memory: str = ""
    """The memory that the agent could read, in words; empty if there was none."""

    requests: str = ""
    """The request settings that were not the default, in words; empty if there were none."""

    shortened: bool = False
    """Whether the context filter left anything out in any turn."""

    waits: dict[str, Waits] = field(default_factory=dict)
    """How long its models took to answer, by role."""

    judged: tuple[Judgement, ...] = ()
    """What a second model said about tools that declare whether they change anything."""

    imported: str = ""
    """The program that an imported run comes from: ``tau1`` or ``tau2``; otherwise empty."""

    control: ControlFacts = NO_CONTROL
    """What routed control did in the session."""

    calls: Mapping[str, int] = field(default_factory=dict)
    """How often each tool was called, writes included."""

    agreed_in_words: int = 0
    """How often the customer said yes in words to a request in words."""

    @property
    def success(self) -> bool | None:
        """Whether it earned τ²-bench's whole reward; None if the session was not scored."""
        return self.rewards.is_earned

    @property
    def right(self) -> bool:
        """Whether our verdict is that it came out right, at any acceptable end."""
        return self.rewards.ours == 1

    @property
    def counts(self) -> bool:
        """Whether it is a trial: scored, not a fork, and not ended by a fault of the connection.

        Such a fault says nothing about the agent, and a fork is not a second attempt. If the model
        itself fails, with an empty answer or a conversation too long for it, that is a failed
        trial.
        """
        return self.success is not None and not self.fork and self.ended != "fault"

    @property
    def deterministic(self) -> bool:
        """Whether both sides are code, so that another trial would only repeat this one."""
        return is_code(self.model) and self.customer in CODE_CUSTOMERS and not self.auxiliary

    @property
    def task(self) -> str:
        """The key that all trials of the same task share.

        A changed text of the scenario is a task of its own, and so is each session of free play.
        """
        if self.scenario is None:
            return self.session
        return f"{self.scenario} {self.scenario_digest or ''}".rstrip()

    @property
    def writes_without_card(self) -> int:
        """The number of writes that the customer did not approve on a card, whatever was said."""
        return self.writes - self.writes_on_card

    @property
    def writes_without_yes(self) -> int:
        """The number of writes to which the customer did not say yes."""
        return self.writes - self.writes_on_card - self.writes_in_words


def session_facts(
    events: Sequence[Logged],
    deviations: Deviations | None = None,
    wrong: Mapping[str, bool] | None = None,
) -> SessionFacts:
    """Return the row of one log; raises ValueError unless it begins with the session's start.

    ``wrong`` says for its reviewed cards whether their calls were wrong, as far as that is known.
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
        began_at=began_at(events),
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
    """Collects the facts that are counted event by event."""

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
