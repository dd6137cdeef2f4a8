"""Compares the things that a change is about with those asked for: none added, none left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.comparison.mentions import NOTHING, Mention, mention, speaks_of
from agent.comparison.refusals import Things
from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence, words
from agent.comparison.utterance import Speaker
from agent.comparison.verbs import has_verb
from domains.core.facts import Keys, Selection
from domains.text.phrasing import CORRECTION
from sessions.events import Disagreement


def compare_selections(scope: Scope) -> Iterator[Disagreement]:
    """Yield for each selection its first disagreement: something not asked for, or left out."""
    for selection in scope.facts.selections:
        found = next(_disagreements(selection, scope), None)
        if found is not None:
            yield found


def _disagreements(selection: Selection, scope: Scope) -> Iterator[Disagreement]:
    said = _naming(selection, scope)
    asked = mention(said, selection.ways, things=_things(selection))
    proposed = scope.proposed(selection.ways, _things(selection))
    settled = bool(said) and proposed.wanted == selection.chosen
    refused = selection.chosen & asked.refused if selection.refusable else frozenset()
    if refused and not settled:
        yield _line(selection, f"the {_names_of(selection, refused)}", asked.refusal)
    if asked.alone and not settled and not selection.chosen <= asked.alone | asked.possible:
        more = selection.chosen - asked.alone
        yield _line(selection, f"the {_names_of(selection, more)} too", asked.alone_quote)
    elif left := selection.chosen & scope.proposed_to_stay(selection.ways) - asked.refused:
        yield _line(selection, f"the {_names_of(selection, left)}", proposed.refusal, "agent")
    elif more := _more_than_proposed(selection, scope, proposed):
        too = " too" if proposed.wanted <= selection.chosen else ""
        yield _line(selection, f"the {_names_of(selection, more)}{too}", proposed.quote, "agent")
    for other, sentence in () if settled else _taken_instead(selection, said):
        yield _line(selection, f"the {_names_of(selection, other)}", sentence)
    unasked = _additions(selection, scope)
    if unasked:
        yield Disagreement(
            kind="item", does=f"{selection.kind} the {_names_of(selection, unasked)} too"
        )
    if selection.is_final and (missed := _left_out_of_proposal(selection, scope, proposed)):
        does = f"leaves out the {_names_of(selection, missed)}"
        yield Disagreement(kind="item", does=does, said=proposed.quote, by="agent")
    elif selection.is_final:
        missing, sentence = _omission(selection, scope, said, asked, settled=settled)
        if missing and not _was_spoken_of(selection, scope, missing):
            does = f"leaves out the {_names_of(selection, missing)}"
            yield Disagreement(kind="item", does=does, said=sentence, by="customer")


def _more_than_proposed(selection: Selection, scope: Scope, proposed: Mention) -> Keys:
    """The things taken besides, or instead of, those that the agent summed up before the yes."""
    told = scope.agreed_message
    if (
        told is None
        or not selection.is_final
        or not proposed.wanted
        or selection.chosen <= proposed.wanted
    ):
        return NOTHING
    about = scope.relevant(told)
    summed_up = _is_summed_up(selection, scope, proposed)
    if not summed_up or _SEVERAL.search(told.text):
        return NOTHING
    said = (*about, *(each for answer in scope.answer for each in answer.own))
    spoken = NOTHING.union(*(speaks_of(each.words, selection.ways) for each in said))
    return selection.chosen - spoken


_SEVERAL = re.compile(
    r"\b(?:both|all|them|these|those|everything|each|(?:two|three|four|five|\d) items)\b", re.I
)
_QUALIFIES = re.compile(
    r"\b(?:but|just|only|except|keep\w*|changed|without|minus|instead|not)\b|n['’]t\b", re.I
)
"""Words that limit a yes to a part of what was proposed."""


_ALL_TOLD = re.compile(r"\ball (?:the |of the |these )?([2-9])\b")


def _left_out_of_proposal(selection: Selection, scope: Scope, proposed: Mention) -> Keys:
    """The things left out of the agent's list, to which the customer said yes or *all four*."""
    if scope.agreed_message is None or not selection.chosen < proposed.wanted:
        return NOTHING
    missed = proposed.wanted - selection.chosen
    answers = (" ".join(each.words) for said in scope.answer for each in said.own)
    counted = {int(found[1]) for each in answers if (found := _ALL_TOLD.search(each))}
    if len(proposed.wanted) in counted:
        return missed
    whole = _is_summed_up(selection, scope, proposed) and not any(
        _QUALIFIES.search(each.text) or speaks_of(words(each.text), selection.ways)
        for each in scope.answer
    )
    return _unlike_chosen(selection, missed) - selection.also_in_other_records if whole else NOTHING


def _unlike_chosen(selection: Selection, missed: Keys) -> Keys:
    """The missed things that are not of the same kind as something chosen.

    Of two speakers, the name of the one that stays may be another name of the one that is taken.
    """
    alike = {key: group for group in selection.alike for key in group}
    return frozenset(each for each in missed if not alike.get(each, NOTHING) & selection.chosen)


def _is_summed_up(selection: Selection, scope: Scope, proposed: Mention) -> bool:
    """Whether one sentence of the agent's names the act, all it proposed, and no other act."""
    told = scope.relevant(scope.agreed_message) if scope.agreed_message is not None else ()
    return any(
        has_verb(scope.facts.verbs, each.words)
        and not scope.is_of_another_act(each.words)
        and proposed.wanted <= speaks_of(each.words, selection.ways)
        for each in told
    )


def _was_spoken_of(selection: Selection, scope: Scope, missing: Keys) -> bool:
    """Whether the agent said, before the customer's yes, what happens to what is left out."""
    told = scope.relevant(scope.agreed_message) if scope.agreed_message is not None else ()
    spoken = frozenset().union(*(speaks_of(each.words, selection.ways) for each in told))
    if not any(_QUALIFIES.search(each.text) for each in scope.answer):
        proposed = scope.proposed(selection.ways, _things(selection)).wanted
        return missing <= spoken and not missing | selection.chosen <= proposed
    return missing <= spoken


def _things(selection: Selection) -> Things:
    return "taken away" if selection.takes_away else "replaced"


def _line(selection: Selection, what: str, said: str, by: Speaker = "customer") -> Disagreement:
    return Disagreement(kind="item", does=f"{selection.kind} {what}", said=said, by=by)


def _naming(selection: Selection, scope: Scope) -> list[Sentence]:
    """The customer's sentences about this change, in messages that name any of the things."""
    naming = scope.messages_naming(reversed(scope.customer_messages), selection.ways)
    return [
        each
        for said in naming
        for each in scope.relevant(said)
        if not scope.is_of_another_act(each.words)
    ]


def _sentences_about_change(scope: Scope) -> list[Sentence]:
    """The customer's sentences about this change, oldest message first."""
    return [each for said in reversed(scope.customer_messages) for each in scope.relevant(said)]


def _taken_instead(selection: Selection, said: Sequence[Sentence]) -> Iterator[tuple[Keys, str]]:
    """Yield things taken in place of a named one of the same kind, and the words to quote."""
    for sentence in reversed(said) if selection.alike else ():
        wanted = mention([sentence], selection.ways, things=_things(selection)).wanted
        for group in selection.alike:
            one, other = wanted & group, selection.chosen & group
            if len(one) == 1 and other and not one & other:
                yield other, sentence.words_to_quote
                return
            if len(one) == 1:
                return


_EVERYTHING = re.compile(
    r"\b(?:all of (?:it|them)|everything (?:in|from|goes)|all (?:the |my |of the )?items"
    r"|(?:whole|entire) order|the lot)\b(?!.*\b(?:but|except|apart|besides|minus|other than)\b)",
    re.IGNORECASE,
)


_ALL_EXCEPT = re.compile(
    r"(?<!them )\b(?:everything|all|whole|entire|lot)\b[^.;]{0,60}"
    r"\b(?:but(?! keep| leave)|bar|except|apart from|besides|minus|other than)\b",
    re.IGNORECASE,
)


def _omission(
    selection: Selection,
    scope: Scope,
    said: Sequence[Sentence],
    asked: Mention,
    *,
    settled: bool,
) -> tuple[Keys, str]:
    """The things named together with the act but not taken, and the words to quote."""
    partly = asked.refused or asked.alone or settled or not selection.takes_away
    everything = None if asked and partly else _first(_EVERYTHING, _sentences_about_change(scope))
    if everything is not None:
        return frozenset(selection.names) - selection.chosen, everything.words_to_quote
    excepting = _first(_ALL_EXCEPT, _sentences_about_change(scope)) if asked.refused else None
    if excepting is not None and selection.takes_away and not settled and not asked.wanted:
        kept = asked.refused | asked.possible | selection.also_in_other_records
        return frozenset(selection.names) - selection.chosen - kept, excepting.words_to_quote
    for sentence in said:
        if not has_verb(scope.facts.verbs, sentence.words) or sentence.is_question:
            continue
        if CORRECTION.search(sentence.text):
            continue
        if any(each.denies or each.keeps_at is not None for each in sentence.clauses):
            continue
        found = mention([sentence], selection.ways, things=_things(selection)).wanted & asked.wanted
        missing = _unlike_chosen(
            selection, found - selection.chosen - selection.also_in_other_records
        )
        if missing:
            return missing, sentence.words_to_quote
    return frozenset(), ""


def _first(pattern: re.Pattern[str], said: Iterable[Sentence]) -> Sentence | None:
    return next((each for each in said if pattern.search(each.text)), None)


def _names_of(selection: Selection, keys: Iterable[str]) -> str:
    return ", ".join(selection.names.get(each, each) for each in sorted(keys))


_ALL = re.compile(
    r"\b(?:all|everything|whole|entire|both|every|each|rest|them|these|those|items|order|things|full)\b",
    re.IGNORECASE,
)


def _additions(selection: Selection, scope: Scope) -> Keys:
    """The things taken besides those named, which neither side named."""
    spoken: Keys = frozenset()
    for utterance in scope.messages_naming(scope.said, selection.ways):
        for sentence in utterance.sentences:
            spoken |= speaks_of(sentence.words, selection.ways)
    unasked = selection.chosen - spoken
    if (
        not unasked
        or unasked == selection.chosen
        or _first(_ALL, _sentences_about_change(scope)) is not None
    ):
        return frozenset()
    return unasked
