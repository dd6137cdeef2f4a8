"""What the customer asked for, forbade, or tied to a price: the change as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from agent.comparison.mentions import mention, speaks_of
from agent.comparison.moments import has_bounds
from agent.comparison.relevance import is_of_another
from agent.comparison.sentences import Clause, Sentence
from agent.comparison.talk import Talk, Utterance
from agent.comparison.verbs import has_verb, place_of_verb
from domains.facts import Facts, Keys
from sessions.events import Disagreement
from sessions.statistics.consenting import says_yes

_CHEAPEST = re.compile(
    r"(?<!second )(?<!not the )(?<!2nd )(?<!third )(?<!next )\b(?:cheapest|least expensive|lowest[- ](?:price|fare|cost)\w*|lowest possible price)\b",
    re.IGNORECASE,
)
_NOT_CHEAPEST = re.compile(r"\b(?:second|2nd|next|third|not the)[- ](?:cheapest|lowest)", re.I)
_DIRECT = re.compile(r"\b(?:direct|non-?stop)\b", re.IGNORECASE)
_FLEXIBLE = re.compile(r"\b(?:don['’]?t (?:care|mind)|either|also fine|or one[- ]?stop)\b", re.I)
_STOP = re.compile(
    r"\b(?:never ?mind|forget (?:it|about|the)|leave (?:it|that|everything|things|as|them)|hold off"
    r"|stop|then don['’]?t(?=[.!,]|$)|(?:don['’]?t|do not) (?:do|change|cancel|make|touch|proceed|go ahead)|not yet|not now"
    r"|(?:i['’]?ll|let me|need to|have to) think|(?:all|just|only) (?:that )?(?:i )?want(?:ed)? to know"
    r"|just (?:asking|checking|curious)|get back to you|keeping|i['’]?d rather (?:keep|not)|wait)\b",
    re.IGNORECASE,
)
_NO = re.compile(r"(?:^|[,;.!]\s*|\bbut )(?:no|nope|nah)(?:[,.!]|$| thank)", re.IGNORECASE)
_REQUEST = re.compile(
    r"\b(?:please|pls|go (?:on|ahead|for)|proceed|confirm\w*|you do|do it|do that|let['’]?s|instead"
    r"|i['’]?d like|i want(?!ed)|i need|use|make it|stick with|i['’]?ll take|i['’]?ll go|yes+|yep|yup)\b",
    re.IGNORECASE,
)
_ASSENT = re.compile(
    r"\b(?:mhm|uh-?huh|fine|alright|all right|good|perfect|great|ok(?:ay)?|sure|si|oui|both|go)\b",
    re.IGNORECASE,
)

MOST_LOOKED_AT = 12
"""Messages of the customer among which what they asked is looked for."""

MOST_ASKED = 2
"""Sentences of the customer that a card quotes under *You asked*."""


def asked(facts: Facts, talk: Talk) -> tuple[str, ...]:
    """The customer's own sentences that this change answers, the closest first."""
    scored: list[tuple[float, int, str]] = []
    said = (each for each in talk.newest if each.speaker == "customer")
    for place, utterance in enumerate(islice(said, MOST_LOOKED_AT)):
        for sentence in reversed(utterance.own):
            score = _closeness(facts, sentence)
            if score >= 2:
                scored.append((score - 0.1 * place, place, sentence.text))
    best = sorted(scored, key=lambda each: -each[0])[:MOST_ASKED]
    return tuple(text for _, _, text in sorted(best, key=lambda each: -each[1]))


def _closeness(facts: Facts, sentence: Sentence) -> float:
    """How much a sentence is about this change: its act, its record, its values."""
    score = 2.0 * has_verb(facts.verbs, sentence.words)
    score += min(2, len(speaks_of(sentence.words, facts.about)))
    if not score:
        return 0.0
    for choice in facts.choices:
        score += bool(speaks_of(sentence.words, choice.ways, choice.lookup) & choice.chosen)
    for selection in facts.selections:
        score += bool(speaks_of(sentence.words, selection.ways) & selection.chosen)
    return 0.0 if is_of_another(facts, sentence) else score - 0.5 * sentence.is_question


def compare_acts(facts: Facts, talk: Talk) -> Iterator[Disagreement]:
    """A line where the customer's last words are that this is not wanted."""
    answer = list(takewhile(lambda each: each.speaker == "customer", talk.since_write))
    for place, utterance in enumerate(talk.since_write):
        if utterance.speaker != "customer":
            continue
        found = _against_act(facts, utterance)
        if found is None and place < len(answer):
            found = _declined(utterance)
        if found is not None:
            if found:
                yield Disagreement(
                    kind="not wanted", does="makes this change", said=found, by="customer"
                )
            return


def _declined(utterance: Utterance) -> str | None:
    """The sentence of an answer that says no, or not yet; None where it says anything else."""
    if says_yes(utterance.text) or _REQUEST.search(utterance.text):
        return None
    for sentence in utterance.own:
        if _STOP.search(sentence.text):
            return sentence.text
        if _NO.search(sentence.text) and not _ASSENT.search(utterance.text):
            return sentence.text
    return None


def _against_act(facts: Facts, utterance: Utterance) -> str | None:
    """The sentence that forbids the act; empty where the act is asked for; None for neither."""
    verdict: str | None = None
    for sentence in utterance.own:
        if is_of_another(facts, sentence):
            continue
        for clause in sentence.clauses:
            if clause.mood in ("said", "then"):
                verdict = _of_clause(facts, sentence, clause, verdict)
    return verdict


def _of_clause(facts: Facts, sentence: Sentence, clause: Clause, before: str | None) -> str | None:
    places = [place_of_verb(verb, clause.words) for verb in facts.acts]
    found = [place for place in places if place is not None]
    if found:
        return sentence.text if min(found) > clause.denied_from else ""
    return before


def compare_price(facts: Facts, talk: Talk) -> Iterator[Disagreement]:
    """A line where the cheapest was asked for, and there is something cheaper."""
    if facts.cheaper is None:
        return
    for utterance in talk.since_write:
        if utterance.speaker != "customer":
            continue
        for sentence in utterance.own:
            if _CHEAPEST.search(sentence.text):
                if _NOT_CHEAPEST.search(utterance.text) or has_bounds(talk):
                    return
                does, names = facts.cheaper(_constraints(facts, talk))
                if does and not _was_told(names, talk):
                    yield Disagreement(kind="price", does=does, said=sentence.text, by="customer")
                return


def _was_told(names: Iterable[str], talk: Talk) -> bool:
    """Whether the agent told of something cheaper, so that the customer chose knowing of it."""
    told = [each for each in talk.since_write if each.speaker == "agent"]
    return any(all(name in each.text for name in names) for each in told)


def _constraints(facts: Facts, talk: Talk) -> Keys:
    """What else was asked for, which something cheaper would have to be as well."""
    said = [
        sentence
        for utterance in reversed(talk.since_write)
        if utterance.speaker == "customer"
        for sentence in utterance.sentences
    ]
    direct = any(_DIRECT.search(each.text) and not _FLEXIBLE.search(each.text) for each in said)
    wanted: Keys = frozenset({"direct"}) if direct else frozenset()
    for choice in facts.choices:
        wanted |= mention(said, choice.ways, choice.lookup).wanted
    return wanted
