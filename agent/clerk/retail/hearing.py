"""From what a customer typed to tasks: replies to what was asked, new wishes, corrections."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.clerk.english import EMAIL, ZIP, Language
from agent.clerk.identity import identity
from agent.clerk.retail import actions, addresses, paying, variants
from agent.clerk.retail.orders import order_ids
from agent.clerk.retail.task import ACTS, ADDRESSES, SWAPS, Intent, Talk, Task, reader
from agent.clerk.retail.things import Owned, named_items, owned, says_everything
from agent.clerk.steps import Ask
from agent.clerk.understanding import scope
from agent.clerk.understanding.picking import picked
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.understanding.wishes import CLEAR, LONGEST, SURE, Message, Wish

_PEOPLE = frozenset(
    "roommate friend colleague boss neighbor neighbour mother father sister brother husband wife "
    "mum mom dad".split()
)
_THEIRS = frozenset({"order", "account", "package", "parcel", "purchase", "profile"})
_POINTING = ("it", "them", "that", "this", "that order", "those", "same order", "the order")
_INSTEAD = ("instead", "rather", "actually", "no wait", "then", "not exchange", "don't exchange")
_BY_WORDS = frozenset({"intent", "transfer", "either"})
_ORDER_WORDS = (
    "last", "latest", "most recent", "first", "oldest", "both", "all", "pending", "other",
    "newest",
)  # fmt: skip


def hear(talk: Talk, text: str) -> None:
    """Take in what the customer typed."""
    talk.heard += 1
    talk.fresh = talk.noted = talk.unclear = talk.upset = talk.farewell = False
    talk.introducing, talk.introduced = talk.memory.user is None, False
    told = reader().read(_without_identity(talk, text))
    told.text = text[:LONGEST]
    talk.last, talk.cut = told, told.cut
    _introduce(talk, text, told)
    talk.typed.append(text)
    before = [(len(each.notes), dict(each.chosen)) for each in talk.requests]
    about = talk.about if talk.about is not None and not talk.about.closed else None
    rest = told.wishes
    if about is not None and (talk.ask is not None or talk.declined):
        rest = _replied(talk, about, told)
    if _another_order(talk, told):
        return
    for wish in _without_details(talk, rest, told):
        _take_up(talk, wish, told)
    changed = before != [(len(each.notes), dict(each.chosen)) for each in talk.requests]
    if not rest and not talk.noted and not (changed and talk.noted):
        _aside(talk, told)
    talk.misses = talk.misses + 1 if talk.unclear else 0


def _another_order(talk: Talk, told: Message) -> bool:
    """ "It must be another order": what was refused of the one is looked for in all."""
    last = talk.requests[-1] if talk.requests else None
    if last is None or last.outcome != "refused" or last.intent not in ACTS:
        return False
    if not has(told.words, "another order", "other order", "different order", "wrong order"):
        return False
    last.closed, last.outcome, last.chosen["order"] = False, "", "any"
    last.notes.append(told.text)
    talk.fresh = True
    return True


def _without_identity(talk: Talk, text: str) -> str:
    """A message in which what tells who speaks stands in a sentence of its own."""
    text = re.sub(rf"[\s,;:(-]*{EMAIL.pattern}[\s,;:)-]*", " . ", text)
    if talk.memory.user is not None:
        return text
    found = ZIP.search(text)
    named = identity(text, Language("retail")).names
    if found is None or not named or named[0][1].lower() not in text[: found.start()].lower():
        return text
    return f"{text[: found.end()]} . {text[found.end() :].lstrip(' ,.;:-')}"


def _introduce(talk: Talk, text: str, told: Message) -> None:
    """Who speaks; another's e-mail, once somebody is known, is a wish about another person."""
    told_now = identity(text, Language("retail"))
    known = str((talk.memory.user or {}).get("email", "")).lower()
    if talk.memory.user is None:
        talk.introduced = bool(told_now.emails or told_now.names or told_now.zips)
        talk.identity.add(told_now)
        if talk.introduced:
            told.loose += (each.text for each in told.wishes if each.unsure)
            told.wishes = [each for each in told.wishes if not each.unsure]
    elif any(each != known for each in told_now.emails):
        told.wishes = [_other_person(text)]
    if _of_another(told.words):
        told.wishes = [_other_person(text)]
    if any(each.intent == "other_person" for each in told.wishes):
        told.wishes = [each for each in told.wishes if each.intent == "other_person"][:1]


def _without_details(talk: Talk, wishes: list[Wish], told: Message) -> list[Wish]:
    """The wishes but for sentences that only tell where the money of another one goes."""
    money = SWAPS | {"return_items"}
    for wish in wishes:
        others = any(each.intent in money for each in wishes if each is not wish)
        detail = wish.intent in {"change_payment", "refund_amount", "gift_balance", "return_items"}
        words = tokens(wish.text)
        told_more = has(words, "order", "how much", "return", "send", "give", "take")
        if others and detail and paying.kinds(wish.text) and not told_more:
            told.loose.append(wish.text)
            told.otherwise += wish.otherwise
    return [each for each in wishes if each.text not in told.loose]


def _of_another(words: Sequence[str]) -> bool:
    """Whether another person's order is spoken of: "his order", "my roommate's account"."""
    for place, word in enumerate(words[:-1]):
        theirs = word in {"his", "her", "their"} or word in _PEOPLE
        if theirs and set(words[place + 1 : place + 3]) & _THEIRS and word not in {"my"}:
            return True
    return False


def _other_person(text: str) -> Wish:
    return Wish("other_person", text, 1.0, (), has_cue=True)


def things_of(talk: Talk) -> list[Owned]:
    """All items in orders that were read."""
    return owned(talk.memory.orders.values())


def _replied(talk: Talk, about: Task, told: Message) -> list[Wish]:
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
    if acts and talk.declined and has(words, "also", "first", "something else"):
        about.wait = ""
        talk.unwanted.clear()
        return acts
    if acts and (
        talk.declined or _other_way(talk, about, acts[0]) or lets_go or has(words, *_INSTEAD)
    ):
        _replace(talk, about, acts, told)
        return [each for each in rest if each.mode == "meant"]
    named = named_items(told.text, things_of(talk))
    if lets_go and not (named and about.intent in SWAPS | {"return_items"}) and not filled:
        _drop(talk, about)
        return [each for each in rest if each.mode == "meant"]
    if "no" in told.asides and not filled and not rest and _turned_down(talk, about, told):
        return []
    if "yes" in told.asides and not filled and _agreed(talk, about):
        return rest
    if filled or own or named:
        _note(about, told)
        about.wait = ""
        talk.noted = True
    return [each for each in rest if each.mode == "meant"]


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
            told = variants.wanted([text], product, each.item)
            return told.same or not told.empty
    return False


def _is_picked(ask: Ask, text: str) -> bool:
    return picked(text, [each.words for each in ask.choices], by_words=False) is not None


def _pick(about: Task, ask: Ask, text: str) -> bool:
    """Fill the slot that was asked for from the choice that the customer picks."""
    if not ask.choices:
        return False
    place = picked(text, [each.words for each in ask.choices], by_words=ask.slot in _BY_WORDS)
    if place is None:
        return False
    value = ask.choices[place].value
    if ask.slot == "intent":
        about.intent = Intent(value) if value else about.intent
        about.chosen["intent"] = value
        return True
    about.chosen[ask.slot] = value
    return True


def _decide(talk: Talk, about: Task) -> None:
    """Of a return and an exchange that rule each other out the one that was not picked goes."""
    returns = about.chosen["either"] == "return"
    for each in talk.open:
        if each.intent in SWAPS | {"return_items"} and (each.intent == "return_items") != returns:
            _drop(talk, each)


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
    _drop(talk, about)
    return True


def _agreed(talk: Talk, about: Task) -> bool:
    ask = talk.ask
    if ask is None or talk.declined:
        return False
    if len(ask.choices) == 1:
        about.chosen[ask.slot] = ask.choices[0].value
        talk.noted = True
        return True
    if ask.slot == "revise":
        about.wait = ""
        talk.unwanted.clear()
        talk.noted = True
        return True
    return False


def _drop(talk: Talk, about: Task) -> None:
    about.closed, about.outcome = True, "dropped"
    talk.noted = True


def _replace(talk: Talk, about: Task, acts: list[Wish], told: Message) -> None:
    """Another change instead of the one at hand, about the same things unless it names others."""
    _drop(talk, about)
    talk.noted = False
    named = named_items(told.text, things_of(talk))
    talk.focus = talk.focus or next(iter(about.chosen.values()), None)
    if not named:
        words = [each for text in about.words for each in named_items(text, things_of(talk))]
        acts[0].guesses = acts[0].guesses
        about.items = about.items or [each.id for each in words]


def _take_up(talk: Talk, wish: Wish, told: Message) -> None:
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
            and not (wish.intent == "change_payment")
        ):
            task.otherwise.append(
                Task(Intent(wish.intent), deed, wish.guesses, message=task.message)
            )
        else:
            task.alternatives.append(deed)


def _point_back(talk: Talk, task: Task) -> None:
    """ "Cancel it": the order or the items that were spoken of last."""
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
    """ "And in green?": the product that was spoken of last, or that is to be exchanged."""
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
            _drop(talk, each)
    if not any(each.intent == "nothing_changes" and not each.closed for each in talk.requests):
        denied = {"denied": wish.intent} if wish.intent in ACTS else {}
        rest = {"rest": "yes"} if any(e.mode == "meant" for e in told.wishes) else {}
        talk.requests.append(
            Task(Intent("nothing_changes"), wish.text, chosen={**denied, **rest}, message=told.text)
        )


def _aside(talk: Talk, told: Message) -> None:
    """A message that asks for nothing: manners, chat, a no, or words that mean nothing."""
    kinds = set(told.asides)
    if told.loose and talk.about is not None and not talk.about.closed and talk.ask is not None:
        return
    if "yes" in kinds and _after_all(talk):
        return
    if "farewell" in kinds or "no" in kinds:
        talk.farewell = True
    elif talk.introduced:
        talk.opening = ""
    elif "about_clerk" in kinds or ("greeting" in kinds and talk.memory.user is not None):
        talk.requests.append(Task(Intent("greeting"), told.text))
    elif "identify" in kinds or talk.introduced:
        talk.opening = ""
    elif "yes" in kinds:
        return
    elif talk.memory.user is None:
        talk.opening = talk.opening or told.text
    elif not talk.open:
        talk.unclear = True


def _after_all(talk: Talk) -> bool:
    """ "Yes, do it after all": the change that was let go of last is wanted again."""
    dropped = next((e for e in reversed(talk.requests) if e.outcome == "dropped"), None)
    if dropped is None or talk.open or not has(talk.last.words if talk.last else (), "after all"):
        return False
    dropped.closed, dropped.outcome, dropped.wait = False, "", ""
    talk.unwanted.clear()
    talk.fresh = True
    return True


def scope_words(text: str) -> bool:
    """Whether a text only plays with a thought."""
    return scope.only_asks(tokens(text))


_ = ADDRESSES
