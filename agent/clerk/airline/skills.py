"""The airline domain: identification, the skill for each intent, and the order of tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.clerk.airline import (
    answers,
    bags,
    booking,
    cancellation,
    change_facts,
    compensation,
    passengers,
    prices,
    record_facts,
    reservation_changes,
)  # fmt: skip
from agent.clerk.airline.cancellation import reason
from agent.clerk.airline.dialogue import AirlineDialogue
from agent.clerk.airline.dialogue_state import AirlineState
from agent.clerk.airline.flight_slots import read_flight_slots
from agent.clerk.airline.known_records import TOOLS
from agent.clerk.airline.mistakes import AIRLINE_MISTAKES
from agent.clerk.airline.payment_mentions import payments
from agent.clerk.airline.replies import Step, tell_done
from agent.clerk.airline.reservation_changes import tell_declined_change
from agent.clerk.airline.reservation_slots import (
    find_candidates,
    find_reservation,
    is_on_route,
    means_several,
    upcoming,
)
from agent.clerk.airline.side_questions import ASIDES
from agent.clerk.airline.vocabulary import (
    ACTS,
    FROM,
    OF_CHANGE,
    RULES,
    SAYINGS,
    TO,
    WRITES,
    now_of,
)
from agent.clerk.airline.wording import CAN_DO, say
from agent.clerk.deciding.beyond import BEYOND
from agent.clerk.domain_skills import DomainSkills, Skill
from agent.clerk.state.messages import policy_of
from agent.clerk.state.records import HAND_OVER, Json
from agent.clerk.state.steps import Answer, Call, Settled, Statement
from agent.clerk.state.task import Task

_WHO = "What is your user id?"


def identify(dialogue: AirlineState) -> Call | Answer | None:
    """The call that reads the customer's profile, or the question for a user id.

    None once the profile has been read.
    """
    if dialogue.records.user is not None:
        return None
    told = dialogue.identity.user_ids
    for look_up in (Call("get_user_details", {"user_id": each}) for each in reversed(told)):
        if look_up.key not in dialogue.records.failed:
            return look_up
    if len(told) > 1:
        return Answer(say("still unknown"))
    if told:
        return Answer(f"There is no profile with the user id {told[-1]}. Please check it: {_WHO}")
    first = dialogue.message_count == 1
    if not first or ((dialogue.identity.names or dialogue.identity.emails) and not dialogue.tasks):
        return Answer(
            f"I can only find you by your user id, which looks like anna_berg_2041. {_WHO}"
        )
    if not dialogue.tasks:
        return Answer(f"Hello! {CAN_DO} To begin with: {_WHO[:1].lower()}{_WHO[1:]}")
    return Answer(f"I'll look into that. First of all, w{_WHO[1:]}")


def _rank(task: Task, tasks: list[Task]) -> float:
    """The rank of a task; the lowest is served first.

    Questions come first, then changes, then questions about the outcome of the changes. A
    reservation is changed before it is cancelled, as it cannot be changed afterwards, and before
    bags are added, as the number of free bags depends on the cabin. Compensation comes after the
    changes because a delay is compensated only once one was made; what it would be takes no
    question, and comes before changes that are only asked about.
    """
    acting = any(each.intent in ACTS and not each.what_if for each in tasks)
    if task.intent in BEYOND:
        return 4
    if task.intent in OF_CHANGE and acting:
        return 3
    if task.intent is None:
        return 3.5
    if task.intent not in ACTS:
        return 0.5 if task.what_if else 0
    if task.intent == "compensation":
        return 0.4 if task.what_if else 2
    if task.what_if:
        return 0.5
    changes = {"change_cabin", "change_flights"}
    later = [each for each in tasks[tasks.index(task) + 1 :] if each.intent in changes]
    of_it = "it" in task.text.lower().split() and task.message in {e.message for e in later}
    waits = task.intent == "add_bags" or (task.intent == "cancel_reservation" and of_it)
    return 1.5 if later and waits else 1


ReservationSkill = Callable[[Task, AirlineState, Json], Step]
"""The next step for one reservation; may raise Settled with it."""


def for_each_reservation(one: ReservationSkill) -> Skill:
    """The skill that takes a step for each reservation a task is about."""

    def skill(task: Task, dialogue: AirlineState, policy: str) -> Step:
        if means_several(task, dialogue):
            return _for_all(task, dialogue, one)
        if task.written:
            return tell_done(task, dialogue)
        step = _step_of(lambda: one(task, dialogue, find_reservation(task, dialogue)))
        return _shortened(step, dialogue) if isinstance(step, Statement) else step

    return skill


def or_second_choice(skill: Skill) -> Skill:
    """The skill that tries another cabin after a refusal: "business if under $500, or economy"."""

    def tried(task: Task, dialogue: AirlineState, policy: str) -> Step:
        parts = [each for line in dialogue.parse_all(task.alternatives) for each in line.parts()]
        cabins = [each.text for each in parts if each.cabins]
        if task.written or not cabins:
            return skill(task, dialogue, policy)
        # what follows in the sentence, "otherwise economy, just me", is of both
        others = [each for each in parts if not (each.cabins or payments(each))]
        more = [each.text for each in others if read_flight_slots(each).is_empty]
        told = [*(each.replace(cabins[0], " ") for each in task.words[1:]), *more]
        first = replace(task, same_message=[], notes=told, give_up=True)
        second = replace(first, notes=[*told, *cabins], limit=None, give_up=task.give_up)
        step = _step_of(skill, first, dialogue, policy)
        if isinstance(step, Statement) and step.outcome == "refused":
            step = _step_of(skill, second, dialogue, policy)
        return step if isinstance(step, Statement) else replace(step, task=task)

    return tried


def or_new_trip(skill: Skill) -> Skill:
    """The skill that books a trip where no reservation goes: "can you get us on a flight?"."""

    def tried(task: Task, dialogue: AirlineState, policy: str) -> Step:
        if not _is_new_trip(task, dialogue):
            return skill(task, dialogue, policy)
        task.intent = "book_flight"
        return booking.book(task, dialogue, policy)

    return tried


def _is_new_trip(task: Task, dialogue: AirlineState) -> bool:
    """Whether a task names both ends of a trip that none of the reservations makes."""
    lines = dialogue.sentences_of(task)
    booked = any(e.ids or e.has_phrase_of("changes", "a reservation", "at hand") for e in lines)
    ends = {place.role for line in lines for place in line.places}
    if task.written or booked or not {FROM, TO} <= ends:
        return False
    ahead = upcoming(dialogue.records.read_reservations(), dialogue)
    return not any(all(is_on_route(line, each) for line in lines) for each in ahead)


def _step_of(skill: Callable[..., Step], *about: object) -> Step:
    """The step that a skill takes, returned or raised."""
    try:
        return skill(*about)
    except Settled as settled:
        return settled.step


def _shortened(step: Statement, dialogue: AirlineState) -> Statement:
    """The step; a refusal that an objection brings back is told in one sentence."""
    said = dialogue.parse(dialogue.last.text if dialogue.last is not None else "")
    again = step.outcome == "refused" and dialogue.has_told(step.text)
    if not again or not said.has_phrase_of("insists") or said.has_phrase("why") or reason([said]):
        return step
    member = said.has_phrase_of("membership")
    why = say("for all members") if member else say("for everybody")
    text = say("no exception", why=why)
    return replace(step, text=f"No, {why}." if dialogue.has_told(text) else text)


def _for_all(task: Task, dialogue: AirlineState, one: ReservationSkill) -> Step:
    """The next step for several reservations; a hand-over, then refusals, come at the end."""
    refusals: list[Statement] = []
    hand_over: Call | None = None
    for record in find_candidates(task, dialogue):
        if record["reservation_id"] in task.written:
            continue
        step = _step_of(one, task, dialogue, record)
        if isinstance(step, Statement):
            refusals.append(step)
        elif isinstance(step, Call) and step.name == HAND_OVER:
            hand_over = step
        else:
            return step
    done = [tell_done(task, dialogue)] if task.written else []
    if hand_over is not None or not (done or refusals):
        return hand_over or Statement("I can't find a reservation of yours for that.", "refused")
    text = "\n\n".join(each.text for each in [*done, *refusals])
    forbidden = next((each.forbidden for each in refusals if each.forbidden and not done), None)
    return Statement(text, "done" if done else "refused", forbidden=forbidden)


AIRLINE = DomainSkills(
    tools=TOOLS,
    writes=WRITES,
    new_dialogue=lambda messages: AirlineDialogue(now=now_of(policy_of(messages))),
    identify=identify,
    skills={
        "book_flight": or_second_choice(booking.book),
        "cancel_reservation": for_each_reservation(cancellation.cancel),
        "change_flights": or_new_trip(for_each_reservation(reservation_changes.flights)),
        "change_cabin": or_second_choice(for_each_reservation(reservation_changes.cabins)),
        "change_passengers": for_each_reservation(passengers.change_passenger),
        "add_bags": for_each_reservation(bags.add_bags),
        "insurance": bags.insurance,
        "compensation": compensation.compensate,
        "complaint": compensation.complain,
        "flight_status": answers.status,
        "reservation_info": answers.reservation,
        "reservations": answers.reservations,
        "count": answers.reservations,
        "paid": answers.spending,
        "outcome": prices.outcome,
        "price_told": prices.told_last,
        **ASIDES,
        "search_flights": prices.search,
        "allowance": answers.allowance,
        "profile": answers.profile,
        "methods": answers.methods,
        "balance": answers.balance,
        "membership": answers.membership,
        "policy_question": answers.policy_question,
    },
    answer_hypothetical=prices.what_if,
    tell_change=tell_declined_change,
    priority=_rank,
    capabilities_text=CAN_DO,
    rules=RULES,
    fixed_refusals=SAYINGS,
    mistakes=AIRLINE_MISTAKES,
    looked_up=frozenset({"search_flights", "price", *ASIDES}),
    names_in=record_facts.names_in,
    record_facts=record_facts.tell_records,
    change_facts=change_facts.tell_change,
    untouched_facts=change_facts.tell_untouched,
)
