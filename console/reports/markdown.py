"""What a terminal is shown, as Markdown; and Markdown as a page of its own."""

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
    """Text that is shown as it is, on one line, whatever it holds."""
    return _SPECIAL.sub(r"\\\1", " ".join(clean(str(text)).split()))


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are Markdown already."""
    named = list(headings)
    lines = [named, ["---"] * len(named), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_markdown(parts: Iterable[RenderableType]) -> Iterator[str]:
    """Texts and tables that a terminal is shown, as paragraphs and tables."""
    for part in parts:
        if isinstance(part, Table):
            cells = [[plain(cell) for cell in column.cells] for column in part.columns]
            yield table((plain(each.header) for each in part.columns), zip(*cells, strict=True))
        elif isinstance(part, Text | str) and (told := plain(part)):
            yield told


def page(title: str, markdown: str) -> str:
    """A page of Markdown that loads nothing but pictures beside it and runs nothing."""
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
