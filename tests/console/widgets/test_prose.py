from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from console.widgets.plain import PlainText, hanging, shorten
from console.widgets.prose import style_markdown
from sessions.cleaning import clean


def test_lists_emphasis_and_links_become_one_plain_text() -> None:
    written = "Hello **you**:\n\n1. one\n2. two\n   - deep\n\nSee [here](http://x.example)."
    assert style_markdown(written).plain == (
        "Hello you:\n\n1. one\n2. two\n  • deep\n\nSee here (http://x.example)."
    )


def test_markup_html_and_tables_stay_as_they_were_written() -> None:
    for written in ("[bold red]x[/]", "a <b>c</b>", "| a | b |\n|---|---|\n| 1 | 2 |"):
        assert style_markdown(written).plain == written


@given(st.text(max_size=400))
def test_any_text_can_be_laid_out_and_words_survive(written: str) -> None:
    assert isinstance(style_markdown(clean(written)), Content)


@given(st.text(alphabet=st.sampled_from("ab cd\n"), max_size=200), st.integers(10, 40))
def test_hanging_text_loses_no_word_and_keeps_to_its_room(text: str, room: int) -> None:
    broken = hanging(text, room, indent=2, first=4)
    assert "".join(broken.split()) == "".join(text.split())
    first, *rest = broken.split("\n")
    assert len(first) + 4 <= max(room, 4 + len(first.split(" ")[0]))
    assert all(len(line) <= room for line in rest)


def test_what_is_too_long_says_how_much_is_left_out() -> None:
    assert shorten("x" * 100, 90).endswith("(10 more characters; the log has them all)")
    assert len(str(PlainText("y" * 1_000_000).visual)) < 30_000
