from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agent.comparison import NOTHING_SAID, Talk, compare, compare_call
from agent.comparison.talk import MAX_MESSAGES
from agent.comparison.utterance import Utterance
from domains.core.facts import Choice, Facts
from domains.core.tool import ToolCall
from sessions.events import AnyEvent, Disagreement
from tests.agent.comparison.phrasing import (
    YES,
    a_day,
    asking,
    naming,
    one_of,
    opening,
    telling,
)
from tests.agent.comparison.talking import agent, customer, read, talk, written
from tests.agent.comparison.trials import Trial, trials
from tests.effort import tries

TRIALS = st.sampled_from(trials())
LONG = 10_000
_TURNS = (
    "not don't no never only just keep except instead of if then unless but and or the second one "
    "option 1 cheapest more than up to yes wait stop please total refund ? . , ; : - 1. 2. **"
)


def bare(text: str) -> str:
    """Without white space and the marks of layout."""
    return re.sub(r"\*\*|__|`|\s", "", text)


def words_of(facts: Facts) -> list[str]:
    """What can be said of a change, and what turns its meaning."""
    known = {way for each in facts.choices for way in (*each.ways, *each.topic)}
    known |= {way for each in facts.selections for way in each.ways}
    known |= {*facts.about, *facts.others, *facts.verbs, *(leg.name for leg in facts.legs)}
    known |= {each.value for each in facts.sources} | {"$100", "2 bags", "May 20", "after 9am"}
    return [*sorted(known), *_TURNS.split(" "), "\n"]


@st.composite
def chatter(draw: st.DrawFn, trial: Trial) -> list[AnyEvent]:
    """Anything that either side may say, and that may be read or written between."""
    near = st.lists(st.sampled_from(words_of(trial.facts)), max_size=25).map(" ".join)
    long = near.map(lambda text: (text + " ") * (LONG // (len(text) + 1) + 1))
    text = st.one_of(near, near, near, st.text(max_size=80), long)
    makers = st.sampled_from((customer, customer, customer, agent, agent, read, None))
    events: list[AnyEvent] = []
    for make in draw(st.lists(makers, max_size=8)):
        events.append(written() if make is None else make(draw(text)))
    return events


def said_by(speaker: str, found: Talk) -> list[str]:
    return [each.text for each in found.utterances if each.speaker == speaker]


def is_said(words: str, texts: Sequence[str]) -> bool:
    return any(bare(words) in bare(text) for text in texts)


@settings(max_examples=tries(120), deadline=None)
@given(st.data())
def test_whatever_is_said_lines_quote_who_said_it(data: st.DataObject) -> None:
    trial = data.draw(TRIALS)
    found = talk(*data.draw(chatter(trial)))
    made = compare_call(trial.domain, trial.records, trial.preview, found)
    for line in made.disagreements:
        assert line.by or not line.said
        assert line.kind
        assert line.does
        if line.said:
            assert is_said(line.said, said_by(line.by, found))
    assert all(is_said(each, said_by("customer", found)) for each in made.asked)


@settings(max_examples=tries(60), deadline=None)
@given(st.data())
def test_what_only_the_agent_or_a_tool_said_is_never_the_customers(data: st.DataObject) -> None:
    trial = data.draw(TRIALS)
    others = [each for each in data.draw(chatter(trial)) if each.type != "customer_said"]
    made = compare(trial.facts, talk(customer("Hello there."), *others, customer("Hm hm.")))
    assert made.asked == ()
    for line in made.disagreements:
        assert line.by != "customer" or line.said in ("Hello there.", "Hm hm.")


@st.composite
def agreements(draw: st.DrawFn, trial: Trial) -> list[AnyEvent]:
    """The customer asks for exactly what the change does, the agent tells exactly that."""
    asked = [draw(opening(trial.facts)), *(draw(each) for each in asking(trial.facts))]
    at_once = draw(st.booleans())
    said: list[AnyEvent] = [customer("\n".join(asked))] if at_once else []
    for sentence in () if at_once else asked:
        said += [customer(sentence), agent("I see. What else?")]
    return [*said, agent(telling(trial.facts)), customer(draw(YES))]


@settings(max_examples=tries(120), deadline=None)
@given(st.data())
def test_agreement_costs_no_line(data: st.DataObject) -> None:
    trial = data.draw(TRIALS)
    made = compare(trial.facts, talk(*data.draw(agreements(trial))))
    assert made.disagreements == ()


def other_than(choice: Choice, trial: Trial) -> list[str]:
    """Alternatives that the change does not settle on, each with a name of its own."""
    if choice.lookup is not None:
        known = [key for key, _ in trial.records.items("flights")]
    else:
        known = sorted({key for keys in choice.ways.values() for key in keys})
    taken = choice.chosen | choice.before
    return [
        each
        for each in known
        if each not in taken and naming(choice, frozenset({each})) is not None
    ]


def has_line(trial: Trial, kind: str, sentence: str, by: str, *events: AnyEvent) -> bool:
    wanted = (kind, sentence, by)
    made: tuple[Disagreement, ...] = compare(trial.facts, talk(*events)).disagreements
    return wanted in [(each.kind, each.said, each.by) for each in made]


SWAPS = [
    (trial, choice)
    for trial in trials()
    for choice in trial.facts.choices
    if other_than(choice, trial)
]


@settings(max_examples=tries(120), deadline=None)
@given(st.data())
def test_another_value_than_was_asked_for_is_told_with_the_very_words(
    data: st.DataObject,
) -> None:
    trial, choice = data.draw(st.sampled_from(SWAPS))
    other = data.draw(st.sampled_from(other_than(choice, trial)))
    said = naming(choice, frozenset({other}))
    assert said is not None
    sentence = data.draw(said)
    events = (customer(data.draw(opening(trial.facts))), agent("How?"), customer(sentence))
    assert has_line(trial, choice.kind, sentence, "customer", *events)
    more = (agent("I see. Shall I go ahead?"), customer(data.draw(YES)))
    assert has_line(trial, choice.kind, sentence, "customer", *events, *more)


def ways_of_others(record: Choice) -> list[str]:
    return sorted(way for way, keys in record.ways.items() if not keys & record.chosen)


OF_SEVERAL = [each for each in trials() if each.facts.record and ways_of_others(each.facts.record)]


@settings(max_examples=tries(50), deadline=None)
@given(st.data())
def test_another_record_than_was_named_is_told_with_the_very_words(data: st.DataObject) -> None:
    trial = data.draw(st.sampled_from(OF_SEVERAL))
    record = trial.facts.record
    assert record is not None
    other = data.draw(st.sampled_from(ways_of_others(record)))
    verb = data.draw(st.sampled_from(sorted(trial.facts.acts or trial.facts.verbs)))
    sentence = data.draw(one_of(("Please {} {}.", "I want to {} {}."), verb, other))
    events = (customer(sentence), agent("Shall I go ahead?"), customer(data.draw(YES)))
    assert has_line(trial, record.kind, sentence, "customer", *events)


MOVED = [each for each in trials() if any(leg.is_new for leg in each.facts.legs)]


@settings(max_examples=tries(50), deadline=None)
@given(st.data())
def test_another_day_than_was_named_is_told_with_the_very_words(data: st.DataObject) -> None:
    trial = data.draw(st.sampled_from(MOVED))
    flown = {*trial.facts.dates_before, *(leg.date for leg in trial.facts.legs)}
    near = date.fromisoformat(max(flown))
    other = near + timedelta(days=data.draw(st.integers(1, 60)))
    sentence = f"I want to fly on {data.draw(a_day(other))}."
    assume(any(leg.is_new and leg.date not in trial.facts.dates_before for leg in trial.facts.legs))
    events = (customer(sentence), agent("Shall I go ahead?"), customer(data.draw(YES)))
    assert has_line(trial, "date", sentence, "customer", *events)


PAID = [each for each in trials() if each.facts.money and each.facts.money.due >= 1]


@settings(max_examples=tries(50), deadline=None)
@given(st.data())
def test_more_than_was_told_or_would_be_paid_is_told_with_the_very_words(
    data: st.DataObject,
) -> None:
    trial = data.draw(st.sampled_from(PAID))
    money = trial.facts.money
    assert money is not None
    less = data.draw(st.integers(1, int(100 * money.due) - 1)) / 100
    assume(less not in money.parts and money.people * less < money.due)
    told = f"The total is ${less:,.2f}."
    limit = data.draw(st.sampled_from((f"Not more than ${less:,.2f}.", f"Up to ${less:,.2f}.")))
    first, yes = customer(data.draw(opening(trial.facts))), customer(data.draw(YES))
    assert has_line(trial, "amount", told, "agent", first, agent(told), yes)
    assert has_line(trial, "limit", limit, "customer", first, customer(limit), agent("OK?"), yes)


COUNTED = [(each, count) for each in trials() for count in each.facts.counts]


@settings(max_examples=tries(50), deadline=None)
@given(st.data())
def test_another_number_than_was_given_is_told_with_the_very_words(data: st.DataObject) -> None:
    trial, count = data.draw(st.sampled_from(COUNTED))
    number = data.draw(st.integers(0, 20).filter(
        lambda each: each not in (count.total, count.total - count.before)
    ))  # fmt: skip
    word = data.draw(st.sampled_from(sorted(count.words)))
    sentence = f"I want {number} {word}s."
    kind = f"number of {min(count.words)}s"
    assert has_line(trial, kind, sentence, "customer", customer(sentence), agent("OK?"))


def looked_at(trial: Trial, length: int) -> int:
    """How many messages of a talk of that length are cut up again to compare it."""
    found = Talk()
    for number in range(length):
        few = number % 8  # the same amounts, however long the talk is
        found.add(customer(f"The visa, {few} bags.") if number % 2 else agent(f"${few}."))
        if number == length // 2:
            found.add(written())
    for each in found.utterances:
        _forget(each)
    compare(trial.facts, found)
    return sum("own" in vars(each) for each in found.utterances)


def _forget(said: Utterance) -> None:
    for part in ("own", "sentences"):
        vars(said).pop(part, None)


@pytest.mark.parametrize("number", range(0, len(trials()), 5))
def test_a_card_costs_the_same_however_long_the_talk_was(number: int) -> None:
    trial = trials()[number]
    assert (
        looked_at(trial, 40 * MAX_MESSAGES)
        == looked_at(trial, 4 * MAX_MESSAGES)
        <= 2 * MAX_MESSAGES
    )


def test_where_nothing_was_said_nothing_is_quoted() -> None:
    for trial in trials():
        made = compare(trial.facts, Talk())
        assert made.asked == ()
        assert all(not line.said for line in made.disagreements)
    assert compare(None, talk(customer("Hello"))) is NOTHING_SAID


def test_arguments_that_no_values_can_be_told_of_are_compared_with_nothing() -> None:
    trial = next(each for each in trials() if each.call.name == "book_reservation")
    odd = trial.records.preview(ToolCall("book_reservation", {"user_id": "nobody"}))
    assert compare_call(trial.domain, trial.records, odd, talk(customer("Hi"))) is NOTHING_SAID
