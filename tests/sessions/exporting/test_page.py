from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import domains
from sessions.cleaning import clean
from sessions.events import (
    AgentSaid,
    CustomerSaid,
    Labelled,
    ModelFailed,
    Noted,
    ToolCalled,
    ToolReturned,
)
from sessions.exporting.page import SECURITY, page
from tests.sessions.recorded import events_of, right_steps
from tests.sessions.toy import decided, log_of, shown, started

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&</title></style>"
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "div", "p", "pre", "section", "dl",
    "dt", "dd", "strong", "details", "summary",
}  # fmt: skip


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.policy = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""


def parsed(text: str) -> _Tags:
    tags = _Tags()
    tags.feed(text)
    return tags


def hostile(text: str) -> str:
    events: list[Any] = [
        started(domain=text, scenario=text, model=text, source=text),
        CustomerSaid(text=text, turn=1),
        AgentSaid(text=text),
        ToolCalled(call_id="c", name=text, arguments={text: text}),
        ToolReturned(call_id="c", name=text, text=text),
        shown("a"),
        decided("a", "reject", text),
        ModelFailed(model=text, fault="cut", sentence=text, partial=text),
        Noted(text=text),
        Labelled(verdict="wrong", note=text, tags=(text,), by=text),
        Labelled(about="card", card_id=text, verdict="wrong", by=text),
    ]
    return "".join(page(log_of(*events)))


def test_nothing_that_was_said_is_ever_markup() -> None:
    found = parsed(hostile(EVIL))
    assert found.tags <= ALLOWED
    assert found.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert "script" not in found.tags


@given(text=st.text(max_size=60))
def test_whatever_the_text_the_page_has_no_other_tags(text: str) -> None:
    assert parsed(hostile(clean(text))).tags <= ALLOWED


def test_the_page_loads_nothing_and_says_so_to_the_browser() -> None:
    text = hostile("x")
    assert parsed(text).policy == SECURITY
    assert "default-src 'none'" in SECURITY
    assert "http" not in text.replace("http-equiv", "")


def test_the_whole_conversation_is_on_it() -> None:
    retail = domains.load("retail")
    scenario = retail.scenarios[0]
    log = log_of(*events_of(retail, scenario, right_steps(retail, scenario)))
    text = "".join(page(log))
    assert "I need something changed." in text
    assert text.count('<section class="card">') == 2 * sum(
        retail.tools.mutates(call.name) for call in scenario.ends[0]
    )
    assert "✗ declined by you" in text
    assert "✓ approved by you" in text
