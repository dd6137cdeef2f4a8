"""Finding a role: words to search by, the roles that fit, and whom one would play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message

from console.survey import Roles, ScenarioLine
from console.widgets.plain import PlainText, fitting, hanging
from console.widgets.role_list import RoleList
from console.widgets.words import WordsInput

FREE = ScenarioLine(
    "", "Free play", (("", ("No script: pick a customer from the records and go.",)),)
)

_NONE = "No scenario has these words. Other words, or esc to see all of them."


class ScenarioPicker(Vertical):
    """One role of many; what is typed narrows the list, the arrows choose from it."""

    HELP = """\
## Scenario

- type **words** of a title, an id, a tag or the role to search; **esc** shows all again
- **up**, **down**, **page up** and **page down** choose; a click chooses, a double click starts
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Previous", show=False),
        Binding("down", "move(1)", "Next", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("escape", "clear", "Show all", show=False),
    ]

    class Picked(Message):
        """The highlighted role is the one to play."""

    def __init__(self) -> None:
        """Free play, until the roles of a domain are offered."""
        super().__init__(id="right", classes="box")
        self._roles = Roles("")
        self._by_id: dict[str, ScenarioLine] = {}
        self._id_width = 0
        self._last = FREE.id

    def compose(self) -> ComposeResult:
        """The words, and what they find."""
        yield WordsInput(id="search", placeholder="Type to search…")
        yield RoleList()

    def on_mount(self) -> None:
        """Free play is highlighted."""
        self.border_title = "Scenario"
        self._show([FREE], FREE.id)

    @property
    def chosen(self) -> ScenarioLine | None:
        """The role that is highlighted; None where the words find none."""
        return self._list.line

    def offer(self, roles: Roles, wanted: str | None = None) -> None:
        """The roles of a domain; `wanted` is highlighted, or else the one that was."""
        self._take(roles)
        self._last = wanted if wanted is not None else self._last
        self._search(self._words.value, highlight=self._last)

    def clear(self, reason: str) -> None:
        """No roles for now; the reason stands below."""
        self._last = FREE.id
        self._take(Roles(""))
        self._words.value = ""
        self._show([FREE], FREE.id)
        self.border_subtitle = Content(reason)

    def action_clear(self) -> None:
        """Forget the words and show every role."""
        self._words.value = ""

    def action_move(self, lines: int) -> None:
        """Move in the list while the line above keeps the focus."""
        self._list.move(lines)

    def action_page(self, pages: int) -> None:
        """Move by pages."""
        self._list.move_page(pages)

    @on(WordsInput.Changed, "#search")
    def _typed(self, event: WordsInput.Changed) -> None:
        event.stop()
        self._search(event.value)

    @on(WordsInput.Submitted, "#search")
    def _entered(self, event: WordsInput.Submitted) -> None:
        event.stop()
        self.post_message(self.Picked())

    @on(RoleList.Doubled)
    def _doubled(self, event: RoleList.Doubled) -> None:
        event.stop()
        self.post_message(self.Picked())

    @on(RoleList.Highlighted)
    def _highlighted(self, event: RoleList.Highlighted) -> None:
        if event.line is not None:
            self._last = event.line.id

    def _take(self, roles: Roles) -> None:
        self._roles = roles
        self._by_id = {line.id: line for line in roles.lines}
        self._id_width = max(map(len, self._by_id), default=0)

    def _search(self, words: str, *, highlight: str | None = None) -> None:
        """Show what fits; what is typed highlights the best of it, unless another is wanted."""
        if words.strip():
            self._show([self._by_id[each] for each in self._roles.find(words)], highlight)
        else:
            self._show([FREE, *self._roles.lines], self._last)

    def _show(self, lines: list[ScenarioLine], highlight: str | None) -> None:
        at = next((number for number, line in enumerate(lines) if line.id == highlight), 0)
        self._list.show(lines, at, self._id_width)
        self.border_subtitle = fitting(Content(self._counted(len(lines))))

    def _counted(self, found: int) -> str:
        every = len(self._roles.lines)
        count = f"{found} of {every}" if self._words.value.strip() else f"{every}"
        return f"{count} · {self._roles.source}" if self._roles.source else ""

    @property
    def _list(self) -> RoleList:
        return self.query_one(RoleList)

    @property
    def _words(self) -> WordsInput:
        return self.query_one("#search", WordsInput)


class RolePreview(VerticalScroll):
    """Whom one would play; arrows scroll it once tab has reached it."""

    BINDING_GROUP_TITLE = "Role"
    can_focus = True

    def __init__(self) -> None:
        """Filled by :meth:`tell`."""
        super().__init__(id="role", classes="box")
        self._line: ScenarioLine | None = FREE

    def compose(self) -> ComposeResult:
        """One text."""
        yield PlainText(id="preview")

    def on_mount(self) -> None:
        """Free play, to begin with."""
        self.tell(FREE)

    def on_resize(self) -> None:
        """Lines hang, so they are broken anew."""
        self._draw()

    def tell(self, line: ScenarioLine | None) -> None:
        """Show a role from its beginning, or that there is none."""
        self._line = line
        self._draw()
        self.border_title = fitting(Content(line.title if line else "Nobody"))
        self.border_subtitle = fitting(Content(" · ".join(_about(line)) if line else ""))
        self.scroll_home(animate=False)

    def _draw(self) -> None:
        room = max(20, self.scrollable_content_region.width)
        parts = list(_role_parts(self._line, room)) if self._line else [(_NONE, "")]
        self.query_one("#preview", PlainText).show(Content.assemble(*parts))


def _role_parts(line: ScenarioLine, room: int) -> Iterator[tuple[str, str]]:
    for heading, entries in line.role:
        if heading:
            yield f"{heading}\n", "bold"
        for entry in entries:
            mark = "• " if heading else ""
            yield mark, "$primary"
            yield f"{hanging(entry, room, indent=len(mark))}\n", ""


def _about(line: ScenarioLine) -> list[str]:
    return [part for part in (line.id, line.note) if part]
