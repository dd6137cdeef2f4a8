"""Compares what a change settles on with what was asked for, among known alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.comparison.conditions import sentences_at_cost
from agent.comparison.mentions import (
    NOTHING,
    NOTHING_MENTIONED,
    PASSES,
    Mention,
    mention,
    speaks_of,
)
from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence, words
from agent.comparison.utterance import Utterance
from agent.comparison.verbs import has_verb
from domains.core.facts import Choice, Keys
from sessions.events import Disagreement

_REST = re.compile(
    r"\b(?:rest|remain\w*|balance|difference|then|also|too|first|second|left ?over)\b",
    re.IGNORECASE,
)
"""Words that mark what they name as an addition to what was named before."""


def compare_choices(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement for each choice that is not what was asked for or proposed."""
    for choice in scope.facts.choices:
        found = disagreement_on_choice(choice, scope)
        if found is not None:
            yield found


def disagreement_on_choice(choice: Choice, scope: Scope) -> Disagreement | None:
    """The disagreement on a choice, judged by the last word on it, or None.

    The last word is the customer's, or that of the agent's message which the customer answered.
    """
    if not _messages_naming(choice, scope, (*scope.said, *scope.talk.before_write)):
        return _disagreement_if_unmentioned(choice)
    answered = _by_customer(choice, scope, scope.answer) or _find_declined_offer(choice, scope)
    if answered is not None:
        return (
            None
            if _is_agreed_in_full(choice, scope, answered)
            else _disagreement_with(choice, answered)
        )
    if (line := _disagreement_with_proposal(choice, scope)) is not None:
        return line
    earlier = scope.said[len(scope.answer) :]
    told = _mention_by_agent(choice, scope, earlier[0]) if earlier else None
    if told is not None and told.wanted == choice.chosen:
        return None
    asked = _by_customer(choice, scope, earlier) or _by_customer(
        choice, scope, [each for each in scope.talk.before_write if scope.names_record_in([each])]
    )
    if asked is not None and (line := _disagreement_with(choice, asked)) is not None:
        return line
    if asked is not None:
        return None
    if told is not None and not _was_mentioned(choice, scope, earlier):
        return Disagreement(kind=choice.kind, does=choice.does, said=told.quote, by="agent")
    return None if _is_heard_of(choice, scope) else _disagreement_if_unmentioned(choice)


def _is_agreed_in_full(choice: Choice, scope: Scope, answered: Mention) -> bool:
    """Whether the agent had proposed all of the choice and the answer confirms part of it.

    An example of such an answer is *One certificate only, I see. Go ahead*.
    """
    told = scope.proposed(choice.ways) if choice.ways else NOTHING_MENTIONED
    return choice.chosen <= told.wanted and bool(choice.chosen & answered.wanted)


def _disagreement_with_proposal(choice: Choice, scope: Scope) -> Disagreement | None:
    """The disagreement if the customer agreed to a proposal with another value, or None.

    An example is a yes to *$128 from the gift card and $247 on the Visa, ok?* where the change uses
    the certificate.
    """
    if choice.things or choice.topic or choice.before or choice.whole:
        return None
    proposed = scope.proposed(choice.ways)
    other, instead = choice.chosen - proposed.wanted, proposed.wanted - choice.chosen
    one_for_one = len(other) == len(instead) or other == choice.chosen
    if not other or not instead or not one_for_one:  # or it covers several changes
        return None
    return Disagreement(kind=choice.kind, does=choice.does, said=proposed.quote, by="agent")


def _find_declined_offer(choice: Choice, scope: Scope) -> Mention | None:
    """The offer that the customer declined, or None: *insurance? No, thanks*."""
    told = scope.answered_message
    if told is None or choice.things or choice.lookup is not None or not told.may_name(choice.ways):
        return None
    said = [each for answer in scope.answer for each in answer.own[:1] if PASSES.search(each.text)]
    asked = [each for each in told.own if "?" in each.text and "else" not in each.words]
    keys = frozenset[str]().union(*(speaks_of(each.words, choice.ways) for each in asked))
    return Mention(refused=keys, refusal=said[0].words_to_quote) if said and keys else None


def _disagreement_if_unmentioned(choice: Choice) -> Disagreement | None:
    """The disagreement on a value that neither side mentioned; None if it is the usual one."""
    if not choice.usual or choice.chosen <= choice.usual:
        return None
    return Disagreement(kind=choice.kind, does=f"{choice.does}, which nobody mentioned")


def _is_heard_of(choice: Choice, scope: Scope) -> bool:
    """Whether either side mentioned any of its alternatives."""
    return any(
        speaks_of(sentence.words, choice.ways, choice.lookup)
        for utterance in _messages_naming(choice, scope, scope.said)
        for sentence in utterance.sentences
    )


def _disagreement_with(choice: Choice, asked: Mention) -> Disagreement | None:
    """The disagreement if the chosen value is not the wanted one, or is a refused one."""
    if asked.wanted:
        said = asked.quote if _is_wrong_choice(choice, asked) else ""
    else:
        said = asked.refusal if choice.chosen & asked.refused else ""
    if not said:
        return None
    return Disagreement(kind=choice.kind, does=choice.does, said=said, by="customer")


def _is_wrong_choice(choice: Choice, asked: Mention) -> bool:
    """Whether something else is chosen, or a requested part of a ``whole`` choice is missing."""
    if choice.whole:
        return bool(asked.wanted - choice.chosen - choice.before)
    return bool(choice.chosen - asked.wanted - asked.possible)


def _by_customer(choice: Choice, scope: Scope, said: Sequence[Utterance]) -> Mention | None:
    """The customer's last mention of a choice, or None."""
    for utterance in _messages_naming(choice, scope, said):
        if utterance.speaker == "customer":
            found = mention(
                _sentences_about(choice, scope, utterance),
                choice.ways,
                choice.lookup,
                things=choice.things,
            )
            if found.wanted and _REST.search(utterance.text):
                found = _with_earlier(found, choice, scope, (*said, *scope.said))
            if found and (not _describes(choice, found) or _should_stay(choice, scope, utterance)):
                return found
    return None


def _describes(choice: Choice, found: Mention) -> bool:
    """Whether the message only describes the current value, which the change replaces."""
    if found.refused or choice.chosen <= choice.before:
        return False
    return found.wanted <= choice.before


_STAYS = frozenset(words("still stay stays remain remains same keep keeping"))
_STAYS_OR_SUITS = _STAYS | {"is", "are"}
_SUITS = re.compile(r"\b(?:is|are) (?:fine|good|ok(?:ay)?|perfect|enough|great)\b", re.IGNORECASE)


_TOWARDS = frozenset(words("for with into"))
"""Words that separate what is changed from what it should become."""


def _should_stay(choice: Choice, scope: Scope, said: Utterance) -> bool:
    """Whether the current value is also named as the wanted one."""
    return _stays(choice, scope, said) or any(
        _names_target(sentence, choice) for sentence in _sentences_about(choice, scope, said)
    )


def _names_target(sentence: Sentence, choice: Choice) -> bool:
    """Whether the current value is named as part of what the thing should become.

    In *exchange it for a clicky one, full size*, it is full size now and should stay so.
    """
    at = next((at for at, word in enumerate(sentence.words) if word in _TOWARDS), None)
    if at is None or not has_verb(_CHANGES, sentence.words[:at]):
        return False
    return bool(speaks_of(sentence.words[at:], choice.ways) & choice.before)


_CHANGES = frozenset({"exchange", "swap", "change", "switch", "replace", "trade"})


def _stays(choice: Choice, scope: Scope, said: Utterance) -> bool:
    """Whether the current value is said to remain: *still in blue*, *the standard one is fine*."""
    return said.has_any(_STAYS_OR_SUITS) and any(
        clause.mood == "said"
        and (not _STAYS.isdisjoint(clause.words) or _SUITS.search(clause.text) is not None)
        and bool(speaks_of(clause.words, choice.ways) & choice.before)
        for sentence in _sentences_about(choice, scope, said)
        for clause in sentence.clauses
    )


def _with_earlier(
    found: Mention, choice: Choice, scope: Scope, said: Sequence[Utterance]
) -> Mention:
    """The mention with those named earlier as possible too: *the rest with my Visa*."""
    possible = found.possible
    for utterance in scope.messages_naming(said, choice.ways):
        if utterance.speaker == "customer":
            earlier = mention(_sentences_about(choice, scope, utterance), choice.ways).wanted
            # where one of "my certificates" is wanted now, the other is not
            possible |= earlier if earlier.isdisjoint(found.wanted) else NOTHING
    return replace(found, possible=possible)


def _mention_by_agent(choice: Choice, scope: Scope, said: Utterance) -> Mention | None:
    """The agent's mention of a choice in a message, or None.

    A message that names more alternatives than the change chooses does not count.
    """
    about = _sentences_about(choice, scope, said)
    found = mention(about, choice.ways, choice.lookup, stated=True)
    changes = not choice.chosen <= choice.before
    leaves = choice.before - _said_to_stay(choice, about) if changes else NOTHING
    wanted = found.wanted - leaves
    if wanted and (choice.whole or len(wanted) <= len(choice.chosen)):
        return Mention(wanted=wanted, quote=found.quote)
    return None


def _said_to_stay(choice: Choice, about: Sequence[Sentence]) -> Keys:
    """The alternatives that are said to stay as they are: *the same size M*."""
    clauses = (clause.words for sentence in about for clause in sentence.clauses)
    staying = (each for each in clauses if not _STAYS.isdisjoint(each))
    return NOTHING.union(*(speaks_of(each, choice.ways, choice.lookup) for each in staying))


def _was_mentioned(choice: Choice, scope: Scope, said: Sequence[Utterance]) -> bool:
    """Whether earlier messages mention what the change settles on.

    Only the agent's messages count, except for a ``whole`` choice.
    """
    spoken: Keys = frozenset()
    for utterance in _messages_naming(choice, scope, said):
        if utterance.speaker == "agent" or choice.whole:
            for sentence in _sentences_about(choice, scope, utterance):
                spoken |= speaks_of(sentence.words, choice.ways, choice.lookup)
    if choice.whole:
        return choice.chosen - choice.before <= spoken
    return bool(choice.chosen & spoken)


_IF = frozenset({"if"})


def _sentences_about(choice: Choice, scope: Scope, said: Utterance) -> Sequence[Sentence]:
    """The sentences about this record, and within it about the thing that the choice belongs to."""
    if not _messages_naming(choice, scope, [said]):
        return ()
    sentences: Sequence[Sentence] = scope.relevant(said)
    if said.speaker == "customer":
        sentences = [each for each in sentences if not scope.is_of_another_act(each.words)]
    money = scope.facts.money
    if money is not None and said.speaker == "customer" and said.has_any(_IF):
        sentences = list(sentences_at_cost(sentences, abs(money.due)))
    if not choice.topic:
        return sentences
    mine = (_without_other_acts(each, scope) for each in sentences)
    return [each for each in mine if speaks_of(each.words, choice.topic)]


def _without_other_acts(sentence: Sentence, scope: Scope) -> Sentence:
    """The sentence without its clauses about another act on another record.

    *Cancel the lamp, and return the mug to my Visa* says nothing about the lamp's refund.
    """
    others = scope.facts.other_acts - scope.facts.verbs
    if not has_verb(others, sentence.words) or not has_verb(scope.facts.verbs, sentence.words):
        return sentence
    kept: list[str] = []
    is_other = False
    for clause in sentence.clauses:
        if has_verb(scope.facts.verbs, clause.words):
            is_other = False
        elif has_verb(others, clause.words) and speaks_of(clause.words, scope.facts.others):
            is_other = True
        kept += () if is_other else (clause.text,)
    if len(kept) == len(sentence.clauses):
        return sentence
    return Sentence(", ".join(kept), quote=sentence.words_to_quote)


def _messages_naming(
    choice: Choice, scope: Scope, said: Sequence[Utterance]
) -> Sequence[Utterance]:
    """The messages that may mention the choice; all of them if it has a look-up function."""
    return said if choice.lookup is not None else scope.messages_naming(said, choice.ways)
