from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.assembly import Assembly, BadArguments, assemble, parse_arguments
from agent.models.protocol import CallPiece, Finish, ModelFault, Piece, ReasoningPiece, TextPiece
from sessions.cleaning import clean

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
objects = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), values, max_size=4)
names = st.sampled_from(["get_order_details", "cancel_pending_order", "calculate"])
calls = st.lists(st.tuples(names, objects), min_size=1, max_size=4)


def end(reason: str = "stop") -> Finish:
    return Finish(reason)


def cuts(draw: st.DrawFn, text: str) -> list[str]:
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@st.composite
def fragmentations(draw: st.DrawFn) -> tuple[list[tuple[str, dict[str, Any]]], list[Piece]]:
    wanted = draw(calls)
    own_index = draw(st.booleans())
    name_repeated = draw(st.booleans())
    streams: list[list[CallPiece]] = []
    for number, (name, arguments) in enumerate(wanted):
        index = number if own_index else 0
        first, *rest = cuts(draw, json.dumps(arguments))
        again = name if name_repeated else None
        stream = [CallPiece(index, f"id{number}", name, first)]
        streams.append(stream + [CallPiece(index, None, again, part) for part in rest])
    if not own_index or not draw(st.booleans()):
        return wanted, [piece for stream in streams for piece in stream]
    pieces: list[Piece] = [stream.pop(0) for stream in streams]
    while left := [stream for stream in streams if stream]:
        pieces.append(draw(st.sampled_from(left)).pop(0))
    return wanted, pieces


@given(fragmentations())
def test_any_fragmentation_of_calls_gives_the_same_calls(
    case: tuple[list[tuple[str, dict[str, Any]]], list[Piece]],
) -> None:
    wanted, pieces = case
    whole = assemble([*pieces, end("tool_calls")])
    assert [(c.name, parse_arguments(c.arguments)) for c in whole.calls] == wanted
    assert [call.id for call in whole.calls] == [f"id{n}" for n in range(len(wanted))]


@given(calls, st.lists(st.sampled_from(["", "a", "b", "call_1", None]), min_size=4, max_size=4))
def test_ids_are_unique_in_the_conversation_whatever_the_server_sends(
    wanted: list[tuple[str, dict[str, Any]]], ids: list[str | None]
) -> None:
    pieces: list[Piece] = [
        CallPiece(index, ids[index], name, json.dumps(arguments))
        for index, (name, arguments) in enumerate(wanted)
    ]
    whole = assemble([*pieces, end()], used_ids={"a", "call_2"})
    given_ids = [call.id for call in whole.calls]
    assert len({*given_ids, "a", "call_2"}) == len(given_ids) + 2
    assert all(given_ids)
    assert [call.name for call in whole.calls] == [name for name, _ in wanted]


def test_calls_under_one_index_without_ids_are_told_apart_by_their_names() -> None:
    pieces = [
        CallPiece(0, None, "read", '{"a": 1}'),
        CallPiece(0, None, "cancel", '{"id": '),
        CallPiece(0, None, None, '"W1"}'),
        CallPiece(0, None, "cancel", '{"id": "W2"}'),
    ]
    whole = assemble([*pieces, end()])
    assert [(c.name, parse_arguments(c.arguments)) for c in whole.calls] == [
        ("read", {"a": 1}),
        ("cancel", {"id": "W1"}),
        ("cancel", {"id": "W2"}),
    ]


@given(st.text(), st.text(), st.data())
def test_words_and_reasoning_are_the_same_however_they_are_cut(
    text: str, reasoning: str, data: st.DataObject
) -> None:
    draw = data.draw
    parts = cuts(draw, text)  # type: ignore[arg-type]
    thoughts = cuts(draw, reasoning)  # type: ignore[arg-type]
    whole = assemble([*map(ReasoningPiece, thoughts), *map(TextPiece, parts), end()])
    assert (whole.text, whole.reasoning) == (
        clean(text),
        clean(reasoning),
    )


def test_an_answer_without_an_end_is_cut() -> None:
    with pytest.raises(ModelFault) as raised:
        assemble([TextPiece("Your order is"), CallPiece(0, "c1", "cancel", '{"id": "W1"}')])
    assert (raised.value.kind, raised.value.retryable) == ("cut", True)


@pytest.mark.parametrize(
    "flood",
    [
        [TextPiece("x" * 999_999), TextPiece("yy")],
        [CallPiece(0, "c", "f", "x" * 1_000_001)],
        [CallPiece(index, f"c{index}", "f", "{}") for index in range(65)],
    ],
)
def test_an_answer_that_grows_beyond_all_bounds_is_stopped(flood: list[Piece]) -> None:
    with pytest.raises(ModelFault, match="did not end"):
        assemble([*flood, end()])


def test_pieces_are_clean_before_they_are_shown() -> None:
    clean_piece = Assembly().clean_piece
    assert clean_piece(TextPiece("a\x1b[31m\u202e")) == TextPiece("a[31m")
    assert clean_piece(ReasoningPiece("\x9bb")) == ReasoningPiece("b")
    assert clean_piece(CallPiece(0, "i\x07", "n\x07", "{\x07}")) == CallPiece(0, "i", "n", "{}")
    assert clean_piece(end()) == end()


def test_a_name_with_hidden_characters_is_shown_and_run_as_what_is_left() -> None:
    whole = assemble([CallPiece(0, "c\x1b1", "can\u200bcel", "{}"), end()])
    assert (whole.calls[0].id, whole.calls[0].name) == ("c1", "cancel")


@given(objects)
def test_arguments_are_read_as_they_were_written(arguments: dict[str, Any]) -> None:
    assert parse_arguments(json.dumps(arguments)) == arguments
    assert parse_arguments(json.dumps(arguments, ensure_ascii=False)) == arguments


@pytest.mark.parametrize("nothing", ["", "  ", "\n", "{}"])
def test_no_text_means_no_arguments(nothing: str) -> None:
    assert parse_arguments(nothing) == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"id": 1,', "not valid JSON"),
        ('{"a": 1}{"id": "W1"}', "Extra data"),
        ('{"a": 1} and more', "Extra data"),
        ('{"order_id": "#W1", "order_id": "#W2"}', "more than once"),
        ('{"order_id": "#W1", "order_id\u200b": "#W2"}', "more than once"),
        ('{"in": {"a": 1, "a": 1}}', "more than once"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "digits"),
        ('{"a": 0.' + "9" * 5000 + "}", "too large or too long"),
        ("[1]", "one JSON object"),
        ('"text"', "one JSON object"),
        ("null", "one JSON object"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", "too deeply"),
        ('{"a": ' + "[" * 40_000 + "]" * 40_000 + "}", "too deeply"),
        ('{"a": "' + "x" * 100_000 + '"}', "longer than"),
        ("{'a': 1}", "not valid JSON"),
        ('{"a": "line\nbreak"}', "not valid JSON"),
    ],
)
def test_what_is_not_exactly_one_plain_object_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadArguments, match=says):
        parse_arguments(text)


@given(st.text() | st.text('{}[]",:0123456789eE+-.\\ \nabcNIf'))
def test_any_text_at_all_is_read_or_refused_and_nothing_else(text: str) -> None:
    with contextlib.suppress(BadArguments):
        assert parse_arguments(text) == json.loads(text if text.strip() else "{}")


@pytest.mark.parametrize("text", ['{"a": "\ud83d"}', '{"a": "\ud83d\ude00"}', '{"\udc00": 1}'])
def test_lone_surrogates_are_stored_as_escapes_that_mean_the_same(text: str) -> None:
    whole = assemble([CallPiece(0, "c", "f", text), end()])
    whole.calls[0].arguments.encode("utf-8")
    assert parse_arguments(whole.calls[0].arguments) == json.loads(
        json.dumps(json.loads(text, strict=False))
    )
