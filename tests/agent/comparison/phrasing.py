"""How a customer may ask for exactly what a change does, and an agent tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from hypothesis import strategies as st

from domains.core.facts import Choice, Count, Facts, Keys, Leg, Selection, Source, Ways

DATES = ("{0:%Y-%m-%d}", "{0:%B} {0.day}", "{0.day} {0:%B}", "{0:%b} {0.day}, {0.year}")
_CHOICES = ("{}, please.", "Please make it {}.", "I want {}.", "I'd like {}, please.")
_METHODS = ("Use {}, please.", "Please put it on {}.", "Put it on my {}.", "I want {} for that.")
_ITEMS = ("It is about {}.", "I mean {}.", "That is {}.")
_DAYS = ("I want to fly on {}.", "{}, please.", "On {}.")
_OPENINGS = ("I want to {} {}.", "Can you {} {}?", "Please {} {}.", "Hi, I'd like to {} {}")
_CONTRASTS = (
    "{}, not {}.",
    "{} instead of {}, please.",
    "I want {} rather than {}.",
    "Not {1} but {0}.",
    "Please don't use {1}, use {0}.",
)
_YES = ("Yes.", "Yes, please.", "Sure, go ahead.", "That's right, please proceed.")

YES = st.sampled_from(_YES)


def meaning(ways: Ways, key: str) -> list[str]:
    """What one alternative may be called, and no other; *don't need* is no name."""
    named = (way for way, keys in ways.items() if keys == {key})
    return sorted(way for way in named if not way.startswith(("don't ", "do not ")))


def one_of(templates: Sequence[str], *fillings: str) -> st.SearchStrategy[str]:
    """A sentence."""
    return st.sampled_from(templates).map(lambda template: template.format(*fillings))


def all_of(keys: Keys, ways: Ways) -> st.SearchStrategy[str] | None:
    """Several alternatives in a row; None where one of them has no name of its own."""
    named = [meaning(ways, key) for key in sorted(keys)]
    if not named or not all(named):
        return None
    return st.tuples(*map(st.sampled_from, named)).map(" and ".join)


@st.composite
def opening(draw: st.DrawFn, facts: Facts) -> str:
    """What the customer wants: an act and a record."""
    verb = draw(st.sampled_from(sorted(facts.acts or facts.verbs)))
    record = sorted(facts.record.chosen) if facts.record else ["something"]
    return draw(one_of(_OPENINGS, verb, record[0]))


def asking(facts: Facts) -> Iterator[st.SearchStrategy[str]]:
    """A sentence for each value of a change, naming what the change settles on."""
    for choice in facts.choices:
        said = [naming(choice, choice.chosen), _contrasting(choice)]
        if any(each is not None for each in said):
            yield st.one_of([each for each in said if each is not None])
    for selection in facts.selections:
        listed = _listing(selection)
        if listed is not None:
            yield listed
    yield from (flying(leg) for leg in facts.legs if leg.is_new)
    yield from map(counting, facts.counts)
    yield from map(_stating, facts.sources)


def naming(choice: Choice, keys: Keys) -> st.SearchStrategy[str] | None:
    """A sentence that asks for these of a choice's alternatives; None where they have no name."""
    if choice.lookup is not None:
        return one_of(_CHOICES, " and ".join(sorted(keys)))
    named = all_of(keys, choice.ways)
    if named is None:
        return None
    templates = _METHODS if choice.kind == "payment method" else _CHOICES
    told = st.tuples(st.sampled_from(templates), named).map(lambda both: both[0].format(both[1]))
    topic = min(choice.topic, default="")
    return told.map(lambda text: f"For the {topic}: {text}") if topic else told


def _contrasting(choice: Choice) -> st.SearchStrategy[str] | None:
    """A sentence that asks for what is chosen and refuses something else."""
    known = {key for keys in choice.ways.values() for key in keys}
    others = [way for key in known - choice.chosen for way in meaning(choice.ways, key)]
    others = [way for way in others if not way.startswith("no ")]  # nobody says "not no sleeve"
    named = all_of(choice.chosen, choice.ways)
    if named is None or not others or choice.topic:
        return None
    parts = st.tuples(st.sampled_from(_CONTRASTS), named, st.sampled_from(sorted(others)))
    return parts.map(lambda each: each[0].format(each[1], each[2]))


def _listing(selection: Selection) -> st.SearchStrategy[str] | None:
    """A sentence that names what a change is about; what it leaves out may be refused too."""
    named = all_of(selection.chosen, selection.ways)
    if named is None:
        return None
    pair = st.tuples(st.sampled_from(_ITEMS), named)
    plain = pair.map(lambda both: both[0].format(f"the {both[1]}"))
    left = all_of(frozenset(selection.names) - selection.chosen, selection.ways)
    if left is None:
        return plain
    return plain | st.tuples(named, left).map(
        lambda both: f"I mean the {both[0]}. Keep the {both[1]} as it is."
    )


def flying(leg: Leg) -> st.SearchStrategy[str]:
    """A sentence that asks for the day of a departure."""
    return a_day(date.fromisoformat(leg.date)).flatmap(lambda day: one_of(_DAYS, day))


def a_day(day: date) -> st.SearchStrategy[str]:
    """A day in words or digits."""
    return st.sampled_from(DATES).map(lambda form: form.format(day))


def counting(count: Count) -> st.SearchStrategy[str]:
    """A sentence that gives a number."""
    return st.just(f"I want {count.total} {min(count.words)}s.")


def _stating(source: Source) -> st.SearchStrategy[str]:
    if source.is_date:
        return a_day(date.fromisoformat(source.value)).map(lambda day: f"Born {day}.")
    return st.just(f"That is {source.value}.")


def telling(facts: Facts) -> str:
    """What the agent tells of a change before it asks for a yes."""
    told = [f"This {choice.does}." for choice in facts.choices]
    if facts.money is not None:
        what = "The total is" if facts.money.due > 0 else "The refund is"
        told.append(f"{what} ${abs(facts.money.due):,.2f}.")
    return " ".join([*told, "Shall I go ahead?"])
