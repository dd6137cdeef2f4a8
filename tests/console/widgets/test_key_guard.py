from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from console.widgets.key_guard import LONGEST, TICK, WATCHED_SECONDS, KeyGuard
from console.widgets.press_log import PressLog
from tests.console.typist import ARROW, ENTER, Standstill, Typist, typed
from tests.effort import tries

pytestmark = pytest.mark.real_spans
GRACE, ALONE, WORD = 0.5, 0.25, 2.0
"""What is promised, in seconds: named here, so that it cannot be lowered unnoticed."""

STALL = 1.2
"""A standstill of so many seconds is a long one for certain, whatever a beat more or less."""

LAG = 3 * TICK
"""What the clock of a loop that beats every `TICK` cannot tell apart."""

PAINTED = 3.0
KEYS = st.sampled_from(["a", "a", "a", "r", "x", "n", " ", ARROW, ENTER])
GAPS = st.one_of(
    st.sampled_from([0.0, 0.001, 0.03, 0.2, 0.3, 0.5, 0.7, 1.5, 2.0, 2.3, 4.1]),
    st.floats(0, 5),
)
SEQUENCES = st.lists(st.tuples(GAPS, KEYS), min_size=1, max_size=12)
STANDSTILLS = st.lists(
    st.builds(Standstill, st.floats(0.1, 12), st.floats(0.01, 3), st.booleans()), max_size=3
)
SENTENCES = (
    "have a nice day", "are you sure", "say a word", "okay a then", "x a y", "maybe another day",
    "what about a refund", "ok\n", "really?\n", "yes\na word", "no\n\na\n", "pay all\n", "anyway",
)  # fmt: skip


def pressed(gaps: list[tuple[float, str]]) -> list[tuple[float, str]]:
    at, keys = 0.0, []
    for gap, key in gaps:
        at += gap
        keys.append((at, key))
    return keys


@settings(max_examples=tries(1000))
@given(SEQUENCES, STANDSTILLS, st.booleans())
@example([(2.0, "n"), (0.3, ENTER), (1.3, "a")], [], False)
def test_what_approves_stood_alone_when_it_was_really_pressed(
    gaps: list[tuple[float, str]], standstills: list[Standstill], notes_first: bool
) -> None:
    keys = pressed(gaps)
    typist = Typist(keys, PAINTED, standstills, notes_first)
    typist.run()
    for at in typist.approved:
        others = list(keys)
        others.remove((at, "a"))
        assert at >= PAINTED + GRACE - LAG
        assert not [each for each, _ in others if at - ALONE + LAG < each < at + ALONE - LAG / 10]
        letters = [each for each, key in others if key in "n " and each > typist.closed]
        assert not [each for each in letters if at - WORD + LAG < each <= at]


@given(
    st.floats(0.0, 8.0), st.lists(st.tuples(GAPS, KEYS), max_size=8), st.floats(0.0, 1.0)
)  # fmt: skip
def test_a_lone_key_always_approves(
    later: float, before: list[tuple[float, str]], stood_still: float
) -> None:
    earlier = [(at, key) for at, key in pressed(before) if at < PAINTED - LONGEST / 2]
    at = PAINTED + LONGEST + GRACE + LAG + later
    typist = Typist(
        [*earlier, (at, "a")], PAINTED, [Standstill(PAINTED + 1, stood_still, whole=True)]
    )
    typist.run()
    assert typist.approved == [at]


@given(st.floats(GRACE + LAG, 60))
def test_with_nothing_typed_lately_half_a_second_is_enough(after: float) -> None:
    typist = Typist([(PAINTED + after, "a"), (PAINTED + after + ALONE + LAG, "n")], PAINTED)
    typist.run()
    assert typist.approved == [PAINTED + after]


@given(
    st.sampled_from([each for each in SENTENCES if each[0] not in "a"]),
    st.floats(0.01, 1.5),
    st.floats(-6, 4),
    STANDSTILLS,
)
@example("have a nice day", 0.7, 0.6, [])
@example("have a nice day", 1.5, 0.6, [])
@example("x a y", 0.7, 0.6, [])
def test_no_sentence_approves_however_slowly_it_is_typed(
    text: str, pace: float, begins: float, standstills: list[Standstill]
) -> None:
    typist = Typist(typed(text, PAINTED + begins, pace), PAINTED, standstills)
    typist.run()
    assert typist.approved == []


@given(st.sampled_from(["are you sure", "a", "anyway"]), st.floats(0.0, ALONE - 0.01))
def test_no_sentence_typed_in_a_burst_approves_though_it_begins_with_the_key(
    text: str, pace: float
) -> None:
    typist = Typist(typed(text * 2, PAINTED + 3, pace), PAINTED)
    typist.run()
    assert typist.approved == []


@given(st.floats(0.05, 1.45), st.floats(GRACE + LAG, 10))
def test_whoever_typed_slowly_is_watched_for_longer(pace: float, later: float) -> None:
    sent = typed("i want a refund please\n", PAINTED - 23 * pace, pace)
    typist = Typist([*sent, *typed("are you sure", PAINTED + later, pace)], PAINTED)
    typist.run()
    assert typist.approved == []


@given(st.floats(0.05, 0.4), st.floats(0.05, 0.7), st.floats(GRACE + LAG, 10))
@example(0.1, 0.4, 3.0)
@example(0.2, 0.5, 3.0)
def test_whoever_typed_quickly_may_hesitate_over_the_first_letter(
    pace: float, hesitates: float, later: float
) -> None:
    sent = typed("is it cheap\n", PAINTED - 23 * pace, pace)
    rest = typed("nd also the blue jar", PAINTED + later + hesitates, pace)
    typist = Typist([*sent, (PAINTED + later, "a"), *rest], PAINTED)
    typist.run()
    assert typist.approved == []


@given(st.floats(0.02, 0.06), st.floats(0.2, 0.7), st.floats(-2, GRACE - LAG))
def test_a_key_held_down_from_before_never_approves(
    rate: float, delay: float, begins: float
) -> None:
    first = PAINTED + begins
    held = [(first, "a"), *typed("a" * 80, first + delay, rate)]
    typist = Typist(held, PAINTED)
    typist.run()
    assert typist.approved == []


@given(
    st.sampled_from(["ok\n", "really?\n", "cancel it\n", "no\n", "r\n", "\n\n", "c\na\n"]),
    st.floats(0.0, 0.24),
    st.floats(-2, 4),
)
def test_no_words_typed_for_something_else_are_sent_with_their_enter(
    text: str, pace: float, begins: float
) -> None:
    typist = Typist(typed(text, PAINTED + begins, pace), PAINTED)
    typist.run()
    assert typist.sent == []
    assert typist.approved == []


@given(st.floats(0.6, 5), st.floats(0.08, 0.4), st.sampled_from(["wrong one", "no", ""]))
def test_words_written_into_the_field_on_purpose_are_sent(
    looked: float, pace: float, words: str
) -> None:
    opened = PAINTED + 2
    typist = Typist(
        [(opened, "r"), *typed(f"{words}\n", opened + looked, pace)], PAINTED
    )  # fmt: skip
    typist.run()
    assert len(typist.sent) == 1


@given(st.floats(0.3, GRACE - LAG))
def test_no_words_are_sent_before_their_field_was_there_as_long_as_the_grace(sent: float) -> None:
    opened = PAINTED + 2
    keys = [(opened, "r"), (opened + 0.26, "n"), (opened + sent, ENTER)]
    typist = Typist(keys, PAINTED)
    typist.run()
    assert typist.sent == []


@pytest.mark.parametrize("whole", [True, False])
def test_what_was_pressed_within_the_grace_does_not_count_though_it_is_heard_after_it(
    whole: bool,
) -> None:
    for begins in (0.0, 0.1, 0.3, 0.4):
        for lasts in (0.3, 0.6, 0.9, 1.2, 4.0):
            still = Standstill(PAINTED + begins, lasts, whole)
            typist = Typist([(PAINTED + begins + 0.05, "a")], PAINTED, [still])
            typist.run()
            assert typist.approved == []


@given(st.floats(0.01, GRACE - LAG), st.floats(GRACE + LAG, 10))
def test_a_key_of_the_grace_that_lay_in_a_queue_while_the_loop_ran_decides_nothing(
    pressed_at: float, heard_at: float
) -> None:
    presses = PressLog()
    guard = KeyGuard(presses, 0.0)
    guard.show(0.0)
    presses.note(pressed_at, "letter")
    for beat in range(1, int(heard_at / TICK) + 1):
        guard.beat(beat * TICK)
    assert not guard.try_accept(pressed_at, heard_at, "decides")


@given(st.floats(STALL, 12), st.floats(0, 4), st.floats(0, 1), st.booleans())
def test_a_key_pressed_while_everything_stood_still_for_long_never_approves(
    lasts: float, later: float, place: float, whole: bool
) -> None:
    """Whoever pressed it saw a screen that did not move, and it may be stamped when it was over."""
    begins = PAINTED + GRACE + LAG + later
    pressed_at = begins + (0.001 + place * 0.99) * lasts
    typist = Typist([(pressed_at, "a")], PAINTED, [Standstill(begins, lasts, whole)])
    typist.run()
    assert typist.approved == []


@given(st.floats(STALL, 12), st.floats(GRACE + LAG, 9))
def test_after_a_long_standstill_the_grace_is_waited_for_anew(lasts: float, later: float) -> None:
    still = Standstill(PAINTED + 1, lasts, whole=False)
    for after, approved in ((LAG, False), (GRACE - LAG, False), (later, True)):
        at = still.ends + after
        typist = Typist([(at, "a")], PAINTED, [still])
        typist.run()
        assert typist.approved == [at] * approved


@given(st.floats(0.001, ALONE - 0.01))
def test_a_key_that_went_elsewhere_takes_an_approval_back_too(later: float) -> None:
    presses = PressLog()
    guard = KeyGuard(presses, 0.0)
    guard.show(0.0)
    for beat in range(1, 100):
        guard.beat(beat * TICK)
    at = 99 * TICK
    presses.note(at, "letter")
    assert guard.try_accept(at, at, "decides")
    presses.note(at + later, "letter")  # in the composer, say: the card never hears it
    for beat in range(100, 120):
        guard.beat(beat * TICK)
    assert guard.stands(119 * TICK) is False


def test_whoever_types_slowest_waits_no_longer_than_a_few_seconds() -> None:
    assert max(GRACE, WORD, LONGEST, WATCHED_SECONDS) <= 4


@given(st.integers(0, 12), st.floats(0.05, 1.9), st.floats(0, 1))
def test_a_word_that_begins_with_both_keys_of_a_failing_check_approves_nothing(
    letters: int, pace: float, faster: float
) -> None:
    """*a* opens the warning and decides nothing; *y* decides: *ayran*, at any even pace.

    Whoever typed lately did so at that pace, or as much faster as one may hesitate.
    """
    presses = PressLog()
    for place in reversed(range(letters)):
        presses.note(20 - place * max(0.05, pace - 0.7 * faster), "letter")
    presses.note(21.0, "enter")
    now, due = 23.0, [(25.0, "opens"), (25.0 + pace, "decides")]
    guard = KeyGuard(presses, now)
    guard.show(now)
    while (now := now + TICK / 2) < 25.0 + 2 * pace:
        if due and due[0][0] <= now:
            at, meaning = due.pop(0)
            presses.note(at, "letter")
            if guard.try_accept(at, now, meaning) and meaning == "opens":  # type: ignore[arg-type]
                guard.hide()
                guard.show(now)
        guard.beat(now)
        assert not guard.stands(now)
