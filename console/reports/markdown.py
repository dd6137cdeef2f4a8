"""Convert terminal output to Markdown, and Markdown to an HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sessions.cleaning import clean
from sessions.exporting.page import SECURITY

_SPECIAL = re.compile(r"([\\`*_\[\]<>#!|~&])")
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #8886; text-align: left; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; } img { max-width: 100%; }
"""


def plain(text: object) -> str:
    """The text on one line, escaped so that Markdown shows it literally."""
    return _SPECIAL.sub(r"\\\1", " ".join(clean(str(text)).split()))


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table, whose cells have to be Markdown already."""
    named = list(headings)
    lines = [named, ["---"] * len(named), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_markdown(parts: Iterable[RenderableType]) -> Iterator[str]:
    """Yield texts and tables made for a terminal as Markdown paragraphs and tables."""
    for part in parts:
        if isinstance(part, Table):
            cells = [[plain(cell) for cell in column.cells] for column in part.columns]
            yield table((plain(each.header) for each in part.columns), zip(*cells, strict=True))
        elif isinstance(part, Text | str) and (told := plain(part)):
            yield told


def page(title: str, markdown: str) -> str:
    """An HTML page that loads only the pictures beside it and runs nothing."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("js-default").render(markdown)
    security = SECURITY.replace("default-src 'none'", "default-src 'none'; img-src 'self'")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{security}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}"
        "</body>\n</html>\n"
    )
