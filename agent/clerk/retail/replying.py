"""Replies to what was asked, and to a change that was declined."""

from __future__ import annotations

from agent.clerk.english import Language, plain
from agent.clerk.retail import actions, addresses, paying
from agent.clerk.retail.at_hand import drop, things_of
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.task import ACTS, SWAPS, Intent, Talk, Task
from agent.clerk.retail.things import Owned, named_items, says_everything
from agent.clerk.retail.wanted import wanted
from agent.clerk.steps import Ask
from agent.clerk.understanding.picking import picked
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import CLEAR, SURE, Message, Wish

_INSTEAD = ("instead", "rather", "actually", "no wait", "then", "not exchange", "don't exchange")
_BY_WORDS = frozenset({"intent", "transfer", "either"})
_ORDER_WORDS = (
    "last", "latest", "most recent", "first", "oldest", "both", "all", "pending", "other",
    "newest",
)  # fmt: skip


def replied(talk: Talk, about: Task, told: Message) -> list[Wish]:
    """Fold a reply into the task at hand; what is new besides is given back."""
    ask, words = talk.ask, told.words
    sure = [each for each in told.wishes if not each.unsure and each.mode == "meant"]
    if about.intent is None and sure and (ask is None or not _is_picked(ask, told.text)):
        about.intent = Intent(sure[0].intent)
        _note(about, told)
        return sure[1:]
    filled = _fills(talk, about, told.text)
    rest: list[Wish] = []
    own: list[Wish] = []
    for wish in told.wishes:
        (own if _belongs(wish, about, filled, talk, told) else rest).append(wish)
    if ask is not None and _pick(about, ask, told.text):
        talk.noted = True
        if ask.slot == "either":
            _decide(talk, about)
            return []
        _note(about, told)
        return [each for each in rest if each.has_cue and each.intent not in ACTS]
    acts = [each for each in rest if each.mode == "meant" and each.intent in ACTS]
    lets_go = [each for each in told.wishes if each.mode == "denied"]
    meant = [each for each in rest if each.mode == "meant"]
    if acts and talk.declined and has(words, "also", "first", "something else"):
        about.wait = ""
        talk.unwanted.clear()
        return acts
    if acts and (
        talk.declined or _other_way(talk, about, acts[0]) or lets_go or has(words, *_INSTEAD)
    ):
        _replace(talk, about, acts, told)
        return meant
    if _answered(talk, about, told, filled, rest):
        return meant
    if filled or own or named_items(told.text, things_of(talk)):
        _note(about, told)
        about.wait = ""
        talk.noted = True
    return meant


def _answered(talk: Talk, about: Task, told: Message, filled: bool, rest: list[Wish]) -> bool:
    """Whether the reply was a yes, a no, or lets go of the task."""
    lets_go = [each for each in told.wishes if each.mode == "denied"]
    named = named_items(told.text, things_of(talk))
    if lets_go and not (named and about.intent in SWAPS | {"return_items"}) and not filled:
        drop(talk, about)
        return True
    if "no" in told.asides and not filled and not rest and _turned_down(talk, about, told):
        return True
    return "yes" in told.asides and not filled and _agreed(talk, about, told)


def _is_picked(ask: Ask, text: str) -> bool:
    return picked(text, [each.words for each in ask.choices], by_words=False) is not None


def _other_way(talk: Talk, about: Task, wish: Wish) -> bool:
    """Whether the same things are to be exchanged and not returned, or the other way round."""
    ways = SWAPS | {"return_items"}
    both = about.intent in ways and wish.intent in ways
    return both and not named_items(wish.text, things_of(talk))


def _belongs(wish: Wish, about: Task, filled: bool, talk: Talk, told: Message) -> bool:
    """Whether a wish only tells more of the task at hand."""
    if wish.mode == "denied":
        return True
    if wish.intent == "change_payment" and filled and not has(told.words, "my order"):
        return True
    if wish.intent in ACTS:
        same = wish.intent == about.intent or {wish.intent, str(about.intent)} <= SWAPS
        doubt = CLEAR if filled or named_items(wish.text, things_of(talk)) else SURE
        return same or (not wish.has_cue and (filled or wish.likely < doubt))
    if wish.intent == "human":
        return False
    question = "?" in told.text or wish.has_cue
    if filled and len(told.wishes) == 1 and not ("?" in wish.text or "how much" in wish.text):
        return True
    return not (question and (wish.has_cue or wish.likely >= 0.45)) and not wish.likely >= CLEAR


def _fills(talk: Talk, about: Task, text: str) -> bool:
    """Whether a text tells what was asked, or what should be different."""
    slot = talk.ask.slot if talk.ask is not None and not talk.declined else "revise"
    words = tokens(text)
    things = things_of(talk)
    if slot == "payment":
        return bool(paying.kinds(text))
    if slot == "reason":
        if actions.reason(Task(None, text)) == "other":
            about.chosen["reason"] = "none"
        return bool(actions.reason(Task(None, text)))
    if slot == "address":
        return bool(addresses.parsed(text)) or has(words, "profile", "default", "home")
    if slot in {"order", "items"}:
        return bool(
            order_ids(text)
            or named_items(text, things)
            or says_everything(text)
            or has(words, *_ORDER_WORDS)
        )
    if slot.startswith("variant:"):
        return _tells_variant(talk, slot.partition(":")[2], text) or bool(paying.kinds(text))
    if slot == "revise":
        told = any(_tells_variant(talk, each.id, text) for each in _items_of(talk, about))
        return told or bool(paying.kinds(text) or named_items(text, things))
    return False


def _items_of(talk: Talk, about: Task) -> list[Owned]:
    if about.intent not in SWAPS:
        return []
    found = [each for text in about.words for each in named_items(text, things_of(talk))]
    return found or things_of(talk)


def _tells_variant(talk: Talk, item_id: str, text: str) -> bool:
    for each in things_of(talk):
        product = talk.memory.products.get(str(each.item["product_id"]))
        if each.id == item_id and product is not None:
            told = wanted([text], product, each.item)
            return told.same or not told.empty
    return False


def _pick(about: Task, ask: Ask, text: str) -> bool:
    """Fill the slot that was asked for from the choice that the customer picks."""
    if not ask.choices:
        return False
    place = picked(text, [each.words for each in ask.choices], by_words=ask.slot in _BY_WORDS)
    if place is None:
        return False
    value = ask.choices[place].value
    if ask.slot == "intent":
        about.intent = Intent(value or "nothing_changes")
        about.chosen["intent"] = value
        return True
    about.chosen[ask.slot] = value
    return True


def _decide(talk: Talk, about: Task) -> None:
    """Of a return and an exchange that rule each other out the one that was not picked goes."""
    returns = about.chosen["either"] == "return"
    for each in talk.open:
        if each.intent in SWAPS | {"return_items"} and (each.intent == "return_items") != returns:
            drop(talk, each)


def _note(about: Task, told: Message) -> None:
    about.notes.append(told.text)
    about.wait = ""
    for wish in told.wishes:
        about.alternatives += wish.otherwise
        about.limit = wish.limit if wish.limit is not None else about.limit
    about.alternatives += told.otherwise
    for key in [each for each in about.chosen if each in {"payment"}]:
        if paying.kinds(told.text):
            about.chosen.pop(key)


def _turned_down(talk: Talk, about: Task, told: Message) -> bool:
    """A no: to the reasons that were offered, to a change that was asked about again."""
    if talk.ask is not None and talk.ask.slot == "reason":
        about.chosen["reason"] = "none"
        talk.noted = True
        return True
    if len(told.words) > 6:
        return False
    drop(talk, about)
    return True


def _agreed(talk: Talk, about: Task, told: Message) -> bool:
    ask = talk.ask
    if ask is None or talk.declined:
        return False
    if len(ask.choices) == 1:
        about.chosen[ask.slot] = ask.choices[0].value
        talk.noted = True
        return True
    if ask.slot == "revise" and Language("retail").says("yes", plain(told.text)):
        about.wait = ""
        talk.unwanted.clear()
        talk.noted = True
        return True
    return False


def _replace(talk: Talk, about: Task, acts: list[Wish], told: Message) -> None:
    """Another change instead of the one at hand, about the same things unless it names others."""
    drop(talk, about)
    talk.noted = False
    named = named_items(told.text, things_of(talk))
    talk.focus = talk.focus or next(iter(about.chosen.values()), None)
    if not named:
        words = [each for text in about.words for each in named_items(text, things_of(talk))]
        about.items = about.items or [each.id for each in words]
