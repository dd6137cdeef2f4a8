"""Compares a change as a whole with what the customer forbade or made depend on a price."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agent.comparison.amounts import CENT, amounts, stated_amounts
from agent.comparison.assent import agrees, declines
from agent.comparison.mentions import mention, names_any, speaks_of
from agent.comparison.moments import Bounds, bounds
from agent.comparison.requests import last_request, was_asked_for
from agent.comparison.scope import Scope
from agent.comparison.sentences import Clause, Sentence, words
from agent.comparison.utterance import Utterance
from agent.comparison.verbs import forms_of, has_verb, place_of_verb
from domains.core.facts import Keys, Requirements
from sessions.events import Disagreement

_CHEAPEST = re.compile(
    r"(?<!second )(?<!not the )(?<!2nd )(?<!third )(?<!next )"
    r"\b(?:cheapest|least expensive|costs? (?:me |us )?(?:the )?least"
    r"|lowest[- ](?:possible )?(?:price|fare|cost)\w*)\b",
    re.IGNORECASE,
)
_NOT_CHEAPEST = re.compile(r"\b(?:second|2nd|next|third|not the)[- ](?:cheapest|lowest)", re.I)
_DIRECT = re.compile(r"\b(?:direct|non-?stop)\b", re.IGNORECASE)
_FLEXIBLE = re.compile(
    r"\b(?:don['’]?t (?:care|mind)|either|also fine|one[- ]?stop|stopovers?)\b", re.I
)


_REMAINS = re.compile(
    r"\b(?:order|reservation|booking|trip|it|everything)\b[^,.]*\b(?:remain|stay)s?\b"
    r"|\b(?:leave|keep) (?:the |that |this |my )?"
    r"(?:order|reservation|booking|trip|it|everything)\b",
    re.IGNORECASE,
)


_OTHERS = re.compile(
    r"\b(?:(?:the|my|any|those|these) others?|another|anything else|the rest)\b", re.IGNORECASE
)
_STANDS_ALONE = re.compile(r"(?:no|nope|nah)(?:,? (?:thanks?|thank you))?[.!]*", re.IGNORECASE)
_REMAINS_WORDS = frozenset(words("remain stay leave keep"))


def compare_acts(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if the customer's last word is that they do not want this change."""
    for place, utterance in enumerate(scope.customer_messages):
        found = _find_prohibition(scope, utterance)
        goes_on = _asks_for_this(scope, utterance) or _answers_no_to_an_extra(scope, utterance)
        if found is None and place < len(scope.answer) and not goes_on:
            found = declines(utterance, scope.relevant(utterance), scope.answered_message) or None
        if found is None and place < len(scope.answer) and _is_act_agreed(scope, utterance):
            return
        if found is not None:
            if found:
                yield Disagreement(
                    kind="not wanted", does="makes this change", said=found, by="customer"
                )
            return


def _asks_for_this(scope: Scope, answer: Utterance) -> bool:
    """Whether a no names exactly what this change makes different.

    Examples are *no wait, large* where the change now makes it large, and *wait, only the mug*
    where it takes only the mug. Such an answer declined the previous proposal and asks for the
    present one.
    """
    own = scope.relevant(answer)
    taken = (
        (mention(own, each.ways, things="taken away").wanted, each.chosen)
        for each in scope.facts.selections
        if each.takes_away and answer.may_name(each.ways)
    )
    if any(wanted and wanted == chosen for wanted, chosen in taken):
        return True
    return any(
        bool(mention(own, choice.ways, choice.lookup).wanted & (choice.chosen - choice.before))
        for choice in scope.facts.choices
        if choice.before and answer.may_name(choice.ways)
    )


def _answers_no_to_an_extra(scope: Scope, answer: Utterance) -> bool:
    """Whether a no declines an extra such as insurance while the change goes on: *no. visa*."""
    told, own = scope.answered_message, answer.own
    asked = [each for each in told.own if "?" in each.text] if told is not None else []
    extra = asked and not any(has_verb(scope.facts.verbs, each.words) for each in asked)
    if len(own) < 2 or not extra or _STANDS_ALONE.fullmatch(own[0].text.strip()) is None:
        return False
    return any(
        bool(mention(own[1:], choice.ways, choice.lookup).wanted & choice.chosen)
        for choice in scope.facts.choices
        if answer.may_name(choice.ways)
    )


def _is_act_agreed(scope: Scope, answer: Utterance) -> bool:
    """Whether the agent had just proposed this act and the customer agrees to it."""
    told = scope.answered_message
    acts = scope.facts.acts
    return told is not None and told.has_verb(acts) and agrees(answer)


def compare_mention(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if this act was neither proposed nor asked for.

    That is so if the customer agreed to another act, or if the conversation had moved on.
    """
    acts = scope.facts.acts
    if acts and (told := _other_act_agreed(scope)):
        yield Disagreement(
            kind="not asked for", does="makes another kind of change", said=told, by="agent"
        )
        return
    if not acts or not scope.answer or _was_proposed(scope):
        return
    if was_asked_for(scope):
        return
    last = last_request(scope)
    said = last.own if last is not None else ()
    yield Disagreement(
        kind="not asked for",
        does="makes a change that nobody asked for",
        said=said[-1].text if said else "",
        by="customer",
    )


def _other_act_agreed(scope: Scope) -> str:
    """The sentence that the customer agreed to if it is only about another act, else empty."""
    told, verbs = scope.agreed_message, scope.facts.verbs
    if told is None or told.has_verb(verbs) or any(each.has_verb(verbs) for each in scope.answer):
        return ""
    asked = [each for each in told.own if scope.is_of_another_act(each.words)]
    return asked[-1].text if asked else ""


def _was_proposed(scope: Scope) -> bool:
    """Whether the agent proposed it last, or at any time and the customer agreed."""
    if _was_offered(scope):
        return True
    acts = scope.facts.acts
    speaking = scope.talk.messages_with(scope.said, forms_of(acts))
    told = next(
        (each for each in speaking if each.speaker == "agent" and each.has_verb(acts)), None
    )
    if told is None:
        return False
    answer = next(
        (each for each in reversed(scope.customer_messages) if each.place > told.place), None
    )
    return answer in scope.answer or (answer is not None and agrees(answer))


_OTHER_ACTS = frozenset({"cancel", "return", "exchange", "book", "modify", "change", "send back"})


def _was_offered(scope: Scope) -> bool:
    """Whether the customer agreed to its exact amount, offered without any other act.

    An example of such an offer is *$94.38 to your Visa then?*
    """
    told, money = scope.answered_message, scope.facts.money
    other_way = "due" if money is not None and money.due < 0 else "back"
    return (
        told is not None
        and money is not None
        and "?" in told.text
        and any(abs(each - abs(money.due)) < CENT for each in amounts(told.text))
        and not any(each.way == other_way for each in stated_amounts(told))
        and not told.has_verb(_OTHER_ACTS - scope.facts.verbs)
        and any(agrees(each) for each in scope.answer)
    )


def _find_prohibition(scope: Scope, utterance: Utterance) -> str | None:
    """The sentence that forbids the act; empty if the act is asked for; None if neither."""
    verdict: str | None = None
    if not utterance.has_any(_REMAINS_WORDS) and not utterance.has_any(forms_of(scope.facts.acts)):
        return verdict
    for sentence in scope.relevant(utterance):
        for clause in () if sentence.quote else sentence.clauses:
            if clause.mood in ("said", "then"):
                verdict = _verdict_of_clause(scope, sentence, clause, verdict)
    return verdict


def _verdict_of_clause(
    scope: Scope, sentence: Sentence, clause: Clause, before: str | None
) -> str | None:
    places = [place_of_verb(verb, clause.words) for verb in scope.facts.acts]
    found = [place for place in places if place is not None]
    if found and min(found) > clause.start_of_denial:
        return before if _is_of_something_else(scope, clause) else sentence.text
    if found:
        return ""
    if scope.facts.acts and _REMAINS.search(clause.text):
        return sentence.text
    return before


def _is_of_something_else(scope: Scope, clause: Clause) -> bool:
    """Whether a prohibition is about something other than this change.

    *Don't return the mug* does not forbid returning the lamp, and *don't cancel the other one*
    forbids nothing about this one.
    """
    if _OTHERS.search(clause.text):
        return True
    if any(names_any(clause.words, choice.ways) for choice in scope.facts.choices):
        return True
    selections = scope.facts.selections
    named = [each for each in selections if names_any(clause.words, each.ways)]
    return bool(named) and not any(
        speaks_of(clause.words, each.ways) & each.chosen for each in named
    )


def compare_price(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if the cheapest was asked for and something cheaper exists."""
    look = scope.facts.cheaper
    sentence = _asks_for_cheapest(scope) if look is not None else None
    limits = bounds(scope.customer_messages) if sentence is not None else Bounds()
    if look is None or sentence is None or limits.of_arrival:
        return
    found = look(_other_wishes(scope, limits))
    asked_again = any(sentence in each.own for each in scope.answer)
    if found is not None and (asked_again or not _was_told(found.names, scope)):
        yield Disagreement(kind="price", does=found.words, said=sentence.text, by="customer")


def _asks_for_cheapest(scope: Scope) -> Sentence | None:
    for utterance in scope.customer_messages:
        for sentence in utterance.own:
            if _CHEAPEST.search(sentence.text):
                return None if _NOT_CHEAPEST.search(utterance.text) else sentence
    return None


def _was_told(names: Iterable[str], scope: Scope) -> bool:
    """Whether the agent mentioned the cheaper option, so that the customer chose knowingly."""
    told = [each for each in scope.said if each.speaker == "agent"]
    return any(all(name in each.text for name in names) for each in told)


def _other_wishes(scope: Scope, limits: Bounds) -> Requirements:
    """The customer's other requests, which a cheaper option must satisfy as well."""
    said = [each for utterance in reversed(scope.customer_messages) for each in utterance.sentences]
    direct = any(_DIRECT.search(each.text) and not _FLEXIBLE.search(each.text) for each in said)
    keys: Keys = frozenset()
    for choice in scope.facts.choices:
        keys |= mention(said, choice.ways, choice.lookup).wanted
    earliest, latest, *_ = limits
    return Requirements(
        keys,
        direct,
        earliest.time if earliest is not None else "",
        latest.time if latest is not None else "",
    )
