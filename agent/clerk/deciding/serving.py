"""Going through what is open, in order, up to the next call or question, whatever the trade."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent.clerk.deciding.offers import (
    ask_beyond,
    ask_whatever_comes,
    hand_over,
    offer,
    offer_others,
    with_others,
)
from agent.clerk.lessons.heeding import heed
from agent.clerk.state.dialogue import Dialogue
from agent.clerk.state.steps import Answer, Ask, Call, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.tracking.taking_up import NOTHING
from agent.clerk.trade import Trade
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import has
from agent.clerk.understanding.wishes import Message
from agent.clerk.wording import ANYTHING_ELSE, TRANSFER, join_parts, quote

_STUCK = (
    "I'm sorry, I still don't follow. Shall I leave it as it is, or transfer you to a human agent?"
)
_CUT = "That was a long message: I could only read the beginning of it."
_NOT_READ = "I didn't understand {}; please tell me that in other words."
_DOUBTFUL = frozenset({"answered", "refused"})
_PATIENCE = 1
"""How often a question is asked again before the clerk offers to leave it."""

_SHORT = 8
"""Words of a message that is no more than a no to something."""

BEYOND = frozenset({"human", "other"})


def next_step(talk: Dialogue, policy: str, trade: Trade) -> Call | Answer:
    """What to do now, by the conversation and the policy's text; leaves both as they are."""
    if talk.memory.transferred and not talk.open:
        return Answer(TRANSFER)
    unknown = trade.identify(talk)
    return unknown if unknown is not None else _serve(talk, policy, trade)


def step_for(task: Task, talk: Dialogue, policy: str, trade: Trade) -> Call | Ask | Tell:
    """The next step for one task, a declined or failed proposal included."""
    if task.wait == "revise" and task.intent is not None:
        return _instead(task, talk)
    if task.wait.startswith("Error"):
        why = task.wait.removeprefix("Error: ")[:200]
        return Tell(f"That was not possible: {why}.", "refused")
    step = _try(task, talk, policy, trade)
    if talk.memory.learned.there:
        step = heed(step, task, talk, partial(_try, task, talk, policy, trade))
    if isinstance(step, Call) and step.name in trade.writes and task.condition:
        return ask_whatever_comes(task, talk.offers)
    if isinstance(step, Tell) and task.give_up and step.outcome == "refused":
        return Tell(f"{step.text} As you asked, I've left it as it is.", "dropped")
    return step


def _try(task: Task, talk: Dialogue, policy: str, trade: Trade) -> Call | Ask | Tell:
    try:
        return _settle(task, talk, policy, trade)
    except Settled as settled:
        return settled.step


def _settle(task: Task, talk: Dialogue, policy: str, trade: Trade) -> Call | Ask | Tell:
    if task.chosen.get("transfer") or task.intent in BEYOND:
        return _beyond(task, talk, trade)
    if task.intent is None:
        return replace(offer(task, talk.offers), lead=talk.lead_of(task))
    if task.what_if:
        return trade.what_if(task, talk, policy)
    if task.intent in trade.skills:
        return trade.skills[task.intent](task, talk, policy)
    if task.intent == NOTHING:
        return Tell(_words_of_leaving(task, talk), "answered")
    if task.intent in {"greeting", "about_clerk"}:
        return Tell(f"I'm a built-in clerk, a program. {trade.can_do}", "answered")
    return Tell(trade.sayings.get(task.intent, "All right."), "refused")


def _words_of_leaving(task: Task, talk: Dialogue) -> str:
    """That something is left as it is, named where it was."""
    if "late" in task.chosen:
        return (
            "That is done already and can't simply be taken back; tell me if something about it "
            "should be different."
        )
    if task.chosen.get("denied") == "":
        return f"As you say: {quote(task.text.rstrip('.!'))}."
    if "denied" in task.chosen and task.chosen["denied"] in talk.offers:
        return f"All right, you don't want to {talk.offers[task.chosen['denied']]}; I leave that."
    return f"All right, I leave {'the rest' if 'rest' in task.chosen else 'everything'} as it is."


def _beyond(task: Task, talk: Dialogue, trade: Trade) -> Call | Ask | Tell:
    """What no tool can do goes to a human; a bare wish for one is asked about once."""
    if talk.memory.transferred:
        return Tell(TRANSFER, "done")
    if task.chosen.get("transfer") == "leave":
        return Tell("All right, I leave it.", "dropped")
    stuck = bool(talk.spoken) and "human agent?" in talk.spoken[-1]
    earlier = [each for each in talk.requests if each is not task]
    refused = any(each.outcome == "refused" for each in earlier)
    lost = [each for each in earlier if each.intent in {*BEYOND, None}]  # beyond it, or unclear
    failed = refused or bool(lost)
    said = " / ".join(each.text for each in [*lost, task])
    if refused and task.intent == "human" and not talk.transfers_after_refusal:
        text = (
            "I understand, but a human agent could not do more about that than I can. Is there "
            "something else that it is about?"
        )
        return Tell(text, "answered", asks=True)
    insists = task.intent == "human" and (failed or stuck or talk.puzzled)
    if task.chosen.get("transfer") or insists:
        return hand_over(task, said)
    if task.intent == "human":
        text = (
            f"{trade.can_do} What is it about? If it's something else, or if you'd still rather "
            "have a human agent, say so and I'll transfer you."
        )
        return Tell(text, "answered", asks=True)
    return ask_beyond(task)


def _is_wanted_after_all(task: Task, talk: Dialogue) -> bool:
    """Whether a call that was declined is what a question came to since, or is asked for anew."""
    if talk.declined or talk.ask is None or talk.last is None:
        return False
    wishes = [each for each in talk.last.wishes if each.mode == "meant" and each.has_verb]
    anew = talk.ask.slot == "revise" and any(each.intent == task.intent for each in wishes)
    return anew or talk.ask.slot not in {"revise", "intent"}


def _instead(task: Task, talk: Dialogue) -> Ask:
    """Ask what should be different; a declined call is not made again as it was."""
    text = "All right, I haven't done that. What would you like instead, or shall I leave it?"
    if not talk.declined and talk.ask is not None:
        text = "That would be the same again. What should be different, or shall I leave it?"
    return Ask(text, "revise", task)


def _queue(talk: Dialogue, trade: Trade) -> list[Task]:
    """What is open; whoever asks for a human and for nothing else is not asked on."""
    tasks = talk.open
    human = next((each for each in tasks if each.intent == "human"), None)
    if human is not None and all(each.message != human.message for each in tasks if each != human):
        return [human]

    def place(task: Task) -> float:
        return -1 if "now" in task.chosen else trade.rank(task, tasks)

    return sorted(tasks, key=place)


def _serve(talk: Dialogue, policy: str, trade: Trade) -> Call | Answer:
    """Go through what is open, in order, up to the first call or question."""
    queue = _queue(talk, trade)
    parts: list[str] = []
    told: list[tuple[Task, str]] = []
    last: Ask | Tell | None = None
    forbidden: Call | None = None
    while queue and not isinstance(last, Ask):
        task = queue.pop(0)
        step = _next(task, queue, talk, policy, trade)
        if isinstance(step, Call):
            return step
        forbidden = forbidden or step.forbidden
        if isinstance(step, Ask) and _is_worn_out(step, talk, told):
            step = Tell("I'll leave that as it is for now.", "dropped")
        if isinstance(step, Ask):
            step = with_others(step, task, talk.offers) if _is_doubted(task, step) else step
            parts += [part for part in (step.lead, _question(step, talk, told), step.tail) if part]
        else:
            parts.append(_words_told(step, talk))
            told.append((task, step.outcome))
            if step.outcome == "refused":
                queue[:0] = task.fallbacks()
            if task.others and not queue and not step.asks and step.outcome in _DOUBTFUL:
                step = offer_others(task, talk.offers, step.focus)
                parts.append(step.text)
        last = step
    ask = last if isinstance(last, Ask) else None
    if ask is None and not (isinstance(last, Tell) and last.asks):
        parts = _close(talk, parts)
    if talk.unread and (told or ask):
        parts.insert(0, _NOT_READ.format(join_parts(map(quote, talk.unread))))
    if talk.last is not None and talk.last.cut:
        parts.insert(0, _CUT)
    return Answer("\n\n".join(parts), tuple(told), ask, forbidden, last.focus if last else "")


def _is_doubted(task: Task, ask: Ask) -> bool:
    return bool(task.others) and ask.slot not in {"intent", "transfer"}


def _next(
    task: Task, queue: list[Task], talk: Dialogue, policy: str, trade: Trade
) -> Call | Ask | Tell:
    step = step_for(task, talk, policy, trade)
    if (
        isinstance(step, Call)
        and step.key in talk.unwanted
        and not _is_wanted_after_all(task, talk)
    ):
        step = _instead(task, talk)
    if isinstance(step, Call):
        step = trade.conflict(step, queue, talk) or step
    return step


def _close(talk: Dialogue, parts: list[str]) -> list[str]:
    """The parts of an answer that asks nothing, with what invites the customer to go on."""
    if TRANSFER in parts:
        return parts
    if parts:
        return [*parts, ANYTHING_ELSE]
    if talk.farewell and talk.last is not None and has(talk.last.words, "why"):
        return ["I'm sorry, I misunderstood you. What would you like instead?"]
    if talk.farewell:
        return [_words_to_a_no(talk.last)]
    if talk.introducing and talk.introduced:
        return [
            f"Thank you, {talk.memory.first_name}. {_opening_words(talk)}What can I do for you?"
        ]
    return [f"All right. {ANYTHING_ELSE}"]


def _words_to_a_no(told: Message | None) -> str:
    """A goodbye; where the no was to something, as in *no bags please*, that is given back."""
    begins = told is not None and told.words[:1] == ("no",) and len(told.words) <= _SHORT
    if told is None or not begins or GENERAL.words["a bare no"].issuperset(told.words):
        return "You're welcome. Have a good day!"
    return f"Noted: {quote(told.text)}. I haven't changed anything. {ANYTHING_ELSE}"


def _opening_words(talk: Dialogue) -> str:
    """The opening, given back where nothing came of it."""
    if not talk.opening or talk.requests:
        return ""
    return f"You wrote {quote(talk.opening)}, which I didn't understand. "


def _question(ask: Ask, talk: Dialogue, told: list[tuple[Task, str]]) -> str:
    """A question's words; one that was the question before, too, is put differently."""
    if not _is_repeated(ask, talk, told):
        return ask.text
    if talk.noted:
        return f"Noted. {ask.text}"
    if talk.repeats >= _PATIENCE:
        return _STUCK
    return f"Sorry, I didn't get that. {ask.text}"


def _is_worn_out(ask: Ask, talk: Dialogue, told: list[tuple[Task, str]]) -> bool:
    """Whether a question is not put once more to a customer who tells nothing of it."""
    worn = talk.repeats > _PATIENCE + (2 if talk.noted else 1)
    return worn and _is_repeated(ask, talk, told)


def _is_repeated(ask: Ask, talk: Dialogue, told: list[tuple[Task, str]]) -> bool:
    """Whether a question is the one that was asked last, and nothing else came in between."""
    return talk.ask is not None and talk.ask.text == ask.text and not (told or talk.fresh)


def _words_told(step: Tell, talk: Dialogue) -> str:
    """The words of an answer; a refusal that was the last answer, too, says that it stays."""
    said = bool(talk.spoken) and step.text in talk.spoken[-1]
    refuses = step.outcome == "refused" and step.text != TRANSFER
    return f"I'm afraid that stays so. {step.text}" if said and refuses else step.text
