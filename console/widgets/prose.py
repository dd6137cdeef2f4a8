"""The agent's words: Markdown laid out as a single static text.

A Markdown widget consists of a dozen widgets; fifty of them make every key press slow, and one that
grows mounts new ones all the time. Nothing in this text can be clicked: a link shows its address.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive

from console.widgets.plain import LONGEST, MUTED, PlainText, shorten, shorten_and_clean

_STYLES = {"strong_open": "bold", "em_open": "italic", "s_open": "strike"}
_INDENT = "  "
Part = tuple[str, str]


class Prose(PlainText):
    """Shows words of the agent, laid out from Markdown."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)
    """Nothing scrolls in it, so a change must not lay the screen out again."""

    def __init__(self, markdown: str) -> None:
        """`markdown` may use Markdown; a text too long to lay out is shown as it is."""
        super().__init__(_lay_out(markdown), classes="prose")

    def write(self, markdown: str) -> None:
        """Show another text; the screen is laid out again only if its height changes."""
        laid_out = shorten_and_clean(_lay_out(markdown))
        content = Content(laid_out) if isinstance(laid_out, str) else laid_out
        width, height = self.content_size
        self.update(content, layout=not width or content.get_height({}, width) != height)


def _lay_out(markdown: str) -> str | Content:
    return shorten(markdown) if len(markdown) > LONGEST else style_markdown(markdown)


def style_markdown(markdown: str, *, line_break: str = "\n") -> Content:
    """Lay Markdown out as one text: paragraphs, lists, emphasis, code; tables stay as written.

    `line_break` replaces a line break inside a paragraph: a model means it as one, a file does not.
    """
    layout = _Layout(line_break)
    for token in _parser().parse(markdown):
        layout.take(token)
    return Content.assemble(*layout.parts).rstrip()


def last_part(markdown: str) -> tuple[int, bool]:
    """Return where the last block or bullet item begins, as an offset; all text before is finished.

    Also return whether a blank line precedes it, which is false between the items of one list.
    """
    blocks = [token for token in _parser().parse(markdown) if token.map and token.nesting >= 0]
    top = [token for token in blocks if token.level == 0]
    if not top:
        return 0, True
    last = top[-1]
    items = [token for token in blocks[blocks.index(last) :] if token.type == "list_item_open"]
    items = [item for item in items if item.level == 1 and last.type == "bullet_list_open"]
    line = (items or [last])[-1].map
    assert line is not None
    return sum(map(len, markdown.splitlines(keepends=True)[: line[0]])), len(items) < 2


def numbered_items(markdown: str) -> list[tuple[int, str, int]]:
    """The items of numbered lists that are in no other list: number, first line, line number."""
    tokens = _parser().parse(markdown)
    return [
        (
            int(item.info),
            "".join(text for text, _ in _inline(inner, "", "\n")).split("\n")[0],
            (item.map or [0])[0],
        )
        for item, inner in zip(tokens, tokens[2:], strict=False)
        if item.type == "list_item_open" and item.level == 1 and item.info
        if inner.type == "inline"
    ]


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable("strikethrough")


class _Layout:
    """Turns Markdown tokens into styled parts, one by one, keeping the numbering of open lists."""

    def __init__(self, line_break: str) -> None:
        self._line_break = line_break
        self.parts: list[Part] = []
        self._lists: list[int | None] = []
        self._marker = ""
        self._heading = False

    def take(self, token: Token) -> None:
        """Lay out the next token."""
        match token.type:
            case "inline":
                self._line(token)
            case "fence" | "code_block" | "html_block":
                self.parts += [(token.content.rstrip("\n"), "$text-accent"), ("\n\n", "")]
            case "hr":
                self.parts.append(("───\n\n", MUTED))
            case "heading_open" | "heading_close":
                self._heading = token.type == "heading_open"
            case _:
                self._list(token)

    def _list(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "list_item_open":
                self._marker = self._next_marker()
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._marker = ""
                if not self._lists:
                    self.parts.append(("\n", ""))

    def _next_marker(self) -> str:
        number = self._lists[-1]
        if number is None:
            return "• "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _line(self, token: Token) -> None:
        indent = _INDENT * max(0, len(self._lists) - 1)
        self.parts.append((indent + self._marker, "$primary"))
        self.parts += _inline(token, "bold" if self._heading else "", self._line_break)
        self.parts.append(("\n" if self._lists else "\n\n", ""))
        self._marker = _INDENT if self._lists else ""


def _inline(token: Token, base: str, line_break: str) -> Iterator[Part]:
    """Yield runs of text that have one style."""
    styles = [base] if base else []
    link = ""
    for child in token.children or []:
        style = " ".join(styles)
        if child.type in _STYLES:
            styles.append(_STYLES[child.type])
        elif child.type in ("strong_close", "em_close", "s_close"):
            styles.pop()
        elif child.type == "code_inline":
            yield child.content, f"{style} $text-accent".strip()
        elif child.type in ("softbreak", "hardbreak"):
            yield (line_break if child.type == "softbreak" else "\n"), ""
        elif child.type == "link_open":
            link = str(child.attrGet("href") or "")
        elif child.type == "link_close":
            yield f" ({link})", MUTED
        elif child.type == "image":
            yield f"{child.content} ({child.attrGet('src')})", MUTED
        else:
            yield child.content, style
