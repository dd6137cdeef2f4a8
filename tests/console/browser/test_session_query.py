from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.browser.session_query import (
    FILTERS,
    QueryError,
    complete,
    hint,
    parse,
    with_filter,
    write_query,
)
from sessions.events import Verdict
from sessions.store.finding import RESULTS, SessionFilter

VALUES = st.none() | st.text(max_size=12)
DATES = (
    st.none()
    | st.dates().map(str)
    | st.datetimes().map(lambda at: at.isoformat(timespec="minutes"))
)
SWITCHES = st.lists(st.sampled_from(["gate", "reflection", "context"]), unique=True).map(tuple)
WORDS = st.lists(
    st.from_regex(r"[^\s\":][^\s:]*", fullmatch=True)
    | st.from_regex(r"\"[^\"]*[^\s\"][^\"]*\"", fullmatch=True)
).map(" ".join)

WANTED = st.builds(
    SessionFilter,
    words=WORDS,
    domain=VALUES,
    model=VALUES,
    scenario=VALUES,
    run=VALUES,
    since=DATES,
    until=DATES,
    result=st.none() | st.sampled_from(RESULTS),
    on=SWITCHES,
    off=SWITCHES,
    label=st.none() | st.sampled_from(get_args(Verdict)),
    tag=VALUES,
    oldest_first=st.booleans(),
)


@given(WANTED)
def test_what_is_written_is_read_as_what_it_was_written_for(wanted: SessionFilter) -> None:
    assert parse(write_query(wanted)) == wanted


@given(st.text() | st.text(alphabet='ab":-domainresultwrong 2026'))
def test_every_line_is_refused_or_understood_in_one_way(line: str) -> None:
    try:
        wanted = parse(line)
    except QueryError:
        return
    assert parse(write_query(wanted)) == wanted


def test_words_and_filters_stand_in_any_order() -> None:
    line = 'refund domain:retail "late again" RESULT:wrong since:2026-11-01 off:gate off:context'
    assert parse(line) == SessionFilter(
        words='refund "late again"',
        domain="retail",
        result="wrong",
        since="2026-11-01",
        off=("gate", "context"),
    )


def test_dates_are_understood_by_the_names_of_the_options_as_well() -> None:
    assert parse("from:2026-11-01 to:2026-11") == SessionFilter(since="2026-11-01", until="2026-11")
    with pytest.raises(QueryError, match="since: is given twice"):
        parse("from:2026-11-01 since:2026-11-01")
    assert hint("from:", {}) == hint("since:", {})


def test_a_value_with_spaces_and_quotes_stands_in_quotes() -> None:
    wanted = SessionFilter(scenario='the "old" mug', model="")
    assert write_query(wanted) == 'model:"" scenario:"the ""old"" mug"'
    assert parse(write_query(wanted)) == wanted


@pytest.mark.parametrize(
    ("line", "sentence", "unfinished"),
    [
        ("foo:bar", "There is no foo: filter", False),
        ("http://x", "There is no http: filter", False),
        ("result:good", "result: is right, wrong, open or unscored.", False),
        ("result:wr", "result: is right, wrong, open or unscored.", True),
        ("domain:", "domain: the domain it was held in.", True),
        ("since:yesterday", "since: takes a date", False),
        ("since:2026-1", "since: takes a date", True),
        ("until:2026-13-01", "until: takes a date", True),
        ("off:seatbelt", "off: is gate, reflection, context, judge_declared or policy_on_", False),
        ("model:a model:b", "model: is given twice.", False),
    ],
)
def test_what_is_not_understood_is_said(line: str, sentence: str, unfinished: bool) -> None:
    with pytest.raises(QueryError) as refused:
        parse(line)
    assert str(refused.value).startswith(sentence)
    assert refused.value.unfinished == unfinished


def test_in_quotes_a_word_that_looks_like_a_filter_is_looked_for() -> None:
    assert parse('"domain:retail"') == SessionFilter(words='"domain:retail"')


def test_what_is_begun_at_the_end_is_left_out_until_it_is_finished() -> None:
    known = {"model": ("gpt-4o", "gpt-4o-mini")}
    with pytest.raises(QueryError) as refused:
        parse("refund model:gpt", known)
    assert refused.value.before == SessionFilter(words="refund")
    assert "gpt-4o-mini" in str(refused.value)
    assert parse("refund model:gpt-4o", known).model == "gpt-4o"
    assert parse("refund model:gpt ", known).model == "gpt"
    assert parse("refund model:else", known).model == "else"


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("refund res", "refund result:"),
        ("refund r", None),
        ("result:w", "result:wrong"),
        ("off:", "off:gate"),
        ("model:gpt", "model:gpt-4o"),
        ("model:gpt-4o", None),
        ("scenario:", 'scenario:"a mug"'),
        ("run:", None),
        ("foo:", None),
        ("refund ", None),
    ],
)
def test_what_is_begun_is_written_out(line: str, whole: str | None) -> None:
    assert complete(line, {"model": ("gpt-4o", "gpt-4o-mini"), "scenario": ("a mug",)}) == whole


def test_the_hint_tells_what_can_stand_there() -> None:
    assert hint("refund", {}) == " ".join(f"{name}:" for name in FILTERS)
    assert len(hint("", {})) <= 78
    assert "unscored" in hint("refund result:", {})
    assert hint("model:", {"model": ("clerk",)}).endswith(": clerk")


def test_a_filter_that_is_picked_takes_the_place_of_the_one_before() -> None:
    wanted = with_filter(
        SessionFilter(words="mug", domain="air", off=("gate",)), "domain", "retail"
    )
    wanted = with_filter(with_filter(wanted, "off", "context"), "sort", "oldest")
    assert write_query(wanted) == "mug domain:retail off:gate off:context sort:oldest"
    with pytest.raises(QueryError):
        with_filter(wanted, "since", "tomorrow")
