"""New tasks from wishes, and what they take over from what was said before."""

from __future__ import annotations

from agent.clerk.retail.at_hand import drop, things_of
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.task import ACTS, SWAPS, Intent, Talk, Task, reader
from agent.clerk.retail.things import named_items
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import Message, Wish

_POINTING = ("it", "them", "that", "this", "that order", "those", "same order", "the order")


def take_up(talk: Talk, wish: Wish, told: Message) -> None:
    """A new task, or more of one that is open."""
    talk.fresh = True
    if wish.mode == "denied":
        _let_go(talk, wish, told)
        return
    if wish.intent == "change_payment" and not wish.has_cue and len(tokens(wish.text)) <= 4:
        wish.intent, wish.likely = "chat", 1.0
    intent = None if wish.unsure else Intent(wish.intent)
    for each in talk.open:
        if _same(each, intent, wish) and intent in ACTS:
            each.notes.append(wish.text)
            each.alternatives += wish.otherwise
            each.excepted += wish.excepted
            each.limit = wish.limit if wish.limit is not None else each.limit
            each.wait = ""
            return
    stuck = bool(talk.spoken) and "human agent?" in talk.spoken[-1]
    task = Task(
        intent,
        wish.text,
        chosen={"now": "yes"} if intent == "human" and stuck else {},
        guesses=wish.guesses,
        what_if=wish.mode == "what_if",
        beside=[*told.loose] if intent in ACTS else [],
        message=told.text,
        excepted=[*wish.excepted, *told.excepted],
        limit=wish.limit if wish.limit is not None else told.limit,
    )
    _fallbacks(task, [*wish.otherwise, *told.otherwise])
    _point_back(talk, task)
    talk.requests.append(task)


def _same(each: Task, intent: object, wish: Wish) -> bool:
    """Whether a wish is more of an open task."""
    if intent is None or each.what_if != (wish.mode == "what_if"):
        return False
    family = {str(each.intent), str(intent)} <= SWAPS or each.intent == intent
    ids = order_ids(wish.text)
    other = bool(ids) and bool(order_ids(each.all_words)) and ids != order_ids(each.all_words)
    return family and not other


def _fallbacks(task: Task, deeds: list[str]) -> None:
    """What is to be done where the task is not possible: another task, or another detail."""
    for deed in deeds:
        read = reader().read(deed)
        wish = next((each for each in read.wishes if not each.unsure), None)
        if wish is not None and wish.mode == "denied":
            task.give_up = True
        elif (
            wish is not None
            and wish.intent in ACTS
            and wish.has_cue
            and wish.intent != task.intent
            and not {wish.intent, str(task.intent)} <= SWAPS
            and wish.intent != "change_payment"
        ):
            task.otherwise.append(
                Task(Intent(wish.intent), deed, wish.guesses, message=task.message)
            )
        else:
            task.alternatives.append(deed)


def _point_back(talk: Talk, task: Task) -> None:
    """By "cancel it" the order or the items that were spoken of last are meant."""
    words = tokens(task.text)
    if task.intent in {"product_info", "product_count"}:
        _follow_up(talk, task)
        return
    if task.intent in ACTS and has(words, "it", "them", "this", "those", "that", "one"):
        task.context = talk.typed[-4:-1]
    named = named_items(task.all_words, things_of(talk)) or order_ids(task.all_words)
    earlier = next((each for each in reversed(talk.requests) if each.intent in ACTS), None)
    if named or not talk.memory.orders:
        return
    if earlier is not None and earlier.outcome in {"dropped", "refused"}:
        known = [e.id for t in earlier.words for e in named_items(t, things_of(talk))]
        task.items = earlier.items or known
        if not known:
            return
    if talk.focus in talk.memory.orders and has(words, *_POINTING):
        task.chosen.setdefault("order", str(talk.focus))


def _follow_up(talk: Talk, task: Task) -> None:
    """By "and in green?" the product that was spoken of last is meant, or one to be exchanged."""
    about = talk.about if talk.about is not None and not talk.about.closed else None
    earlier = about or next(
        (each for each in reversed(talk.requests) if each.intent in {task.intent, "product_count"}),
        None,
    )
    if earlier is not None:
        task.context = [*earlier.context, *earlier.words][-4:]


def _let_go(talk: Talk, wish: Wish, told: Message) -> None:
    """A wish that is taken back closes what it is about, and is said to have been heard."""
    for each in talk.open:
        if wish.intent in ACTS and each.intent != wish.intent:
            continue
        if each.intent in ACTS:
            drop(talk, each)
    if not any(each.intent == "nothing_changes" and not each.closed for each in talk.requests):
        denied = {"denied": wish.intent} if wish.intent in ACTS else {}
        rest = {"rest": "yes"} if any(e.mode == "meant" for e in told.wishes) else {}
        talk.requests.append(
            Task(Intent("nothing_changes"), wish.text, chosen={**denied, **rest}, message=told.text)
        )
