"""The role picker: a search field, the matching roles, and a preview of the chosen role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message

from console.catalogue import Roles, ScenarioLine
from console.widgets.plain import PlainText, hanging, shorten_and_clean
from console.widgets.role_list import RoleList
from console.widgets.words import WordsInput

FREE = ScenarioLine(
    "",
    "Free play",
    (
        ("", ("No script: choose whom to be, and ask for anything you like.",)),
        ("Enter", ("lists the customers in the records, and what they have.",)),
    ),
)

BACK = ScenarioLine("", "‹ All scenarios", (("", ("Enter goes back to the scenarios.",)),))

_NONE = "No scenario matches. Try other words, or press esc to see all."
_NOBODY = "No customer matches. Try other words, or press esc to see all."
NOTHING_FOUND = frozenset({_NONE, _NOBODY})
"""The notices for a search without results."""

_LOADING = "one moment…"


class ScenarioPicker(Vertical):
    """Lets the user pick a role; typing narrows the list, the arrows move in it.

    In free play the same list shows the customers the user can play.
    """

    HELP = """\
## Scenario

- type **words** of a title, an id, a tag or the role to search; **esc** shows all again
- **up**, **down**, **page up** and **page down** choose; a click chooses, a double click starts
- *free play* has no script: **enter** on it lists customers to be, with what they have;
  **esc** goes back to the scenarios
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Previous", show=False),
        Binding("down", "move(1)", "Next", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("escape", "clear", "Show all", show=False),
    ]

    class Picked(Message):
        """The user picked the highlighted role."""

    def __init__(self) -> None:
        """Start empty, until the roles of a domain are offered."""
        super().__init__(id="right", classes="box")
        self._scenarios: Roles | None = None
        self._customers: Roles | None = None
        self._in_free_play = False
        self._by_id: dict[str, ScenarioLine] = {}
        self._id_width = 0
        self._last: str | None = None
        """The id of the last highlighted line; None to highlight the first role."""

    def compose(self) -> ComposeResult:
        """Lay out the search field and the list."""
        yield WordsInput(id="search", placeholder="Type to search…")
        yield RoleList()

    def on_mount(self) -> None:
        """Show that the roles are still being read."""
        self._list_anew()

    @property
    def highlighted_role(self) -> ScenarioLine | None:
        """The highlighted role; None if there are no results or the roles are not known yet."""
        waits = self.reading and not self._in_free_play
        return None if waits else self._list.line

    @property
    def reading(self) -> bool:
        """Whether the roles or customers to list are still being read."""
        return self._roles is None

    @property
    def nothing(self) -> str:
        """The notice that says why no role is highlighted."""
        if self.reading:
            return _LOADING
        return _NOBODY if self._in_free_play else _NONE

    def offer(self, roles: Roles, wanted: str | None = None) -> None:
        """List the roles of a domain; highlight `wanted`, or else the role that was highlighted."""
        self._scenarios = roles
        if not self._in_free_play:
            self._last = wanted if wanted is not None else self._last
            self._index_lines()
            self._search(self._words.value, highlight=self._last)

    def offer_customers(self, customers: Roles) -> None:
        """Take the customers for free play; without any, it starts without choosing one."""
        self._customers = customers
        if self._in_free_play and not customers.lines:
            self._leave_free_play()
        elif self._in_free_play:
            self._index_lines()
            self._search(self._words.value, highlight=self._last)

    def wait(self) -> None:
        """Clear the list, since the roles of another domain are being read."""
        self._scenarios = self._customers = None
        self._in_free_play = False
        self._last = None
        self._list_anew()

    def open(self) -> bool:
        """Open the list that the highlighted line leads to; False if the line can be played."""
        if self.highlighted_role is BACK:
            self._leave_free_play()
        elif self.highlighted_role is FREE and (self._customers is None or self._customers.lines):
            self._in_free_play, self._last = True, None
            self._list_anew()
        else:
            return False
        self._words.focus()
        return True

    def _leave_free_play(self) -> None:
        self._in_free_play, self._last = False, FREE.id
        self._list_anew()

    def action_clear(self) -> None:
        """Clear the search; if it is already empty, return from the customers to the scenarios."""
        if self._in_free_play and not self._words.value:
            self._leave_free_play()
        self._words.value = ""

    def action_move(self, lines: int) -> None:
        """Move the highlight while the search field keeps the focus."""
        self._list.move(lines)

    def action_page(self, pages: int) -> None:
        """Move the highlight by pages."""
        self._list.move_page(pages)

    @on(WordsInput.Changed, "#search")
    def _search_words(self, event: WordsInput.Changed) -> None:
        event.stop()
        if event.value == self._words.value:  # ignore a late event: the search was cleared since
            self._search(event.value)

    @on(WordsInput.Submitted, "#search")
    def _pick(self, event: WordsInput.Submitted) -> None:
        event.stop()
        self.post_message(self.Picked())

    @on(RoleList.Doubled)
    def _pick_by_mouse(self, event: RoleList.Doubled) -> None:
        event.stop()
        self.post_message(self.Picked())

    @on(RoleList.Highlighted)
    def _remember_role(self, event: RoleList.Highlighted) -> None:
        if event.line is not None and self.highlighted_role is not None:
            self._last = event.line.id

    @property
    def _roles(self) -> Roles | None:
        """The roles or customers to list; None while they are being read."""
        return self._customers if self._in_free_play else self._scenarios

    def _index_lines(self) -> None:
        lines = self._roles.lines if self._roles else ()
        self._by_id = {line.id: line for line in lines}
        self._id_width = max(map(len, self._by_id), default=0)

    def _list_anew(self) -> None:
        """Show the other list, with an empty search."""
        self.border_title = "Free play: who you are" if self._in_free_play else "Scenario"
        self._index_lines()
        self._words.value = ""
        self._search("")

    def _search(self, words: str, *, highlight: str | None = None) -> None:
        """List the roles that match; highlight the role `highlight`, or else the best match.

        Without words, list all roles and keep the one that was highlighted last.
        """
        if self._roles is None:
            self._show([BACK] if self._in_free_play else [FREE], None)
        elif words.strip():
            self._show([self._by_id[each] for each in self._roles.find(words)], highlight)
        else:
            first = BACK if self._in_free_play else FREE
            self._show([first, *self._roles.lines], self._last)

    def _show(self, lines: list[ScenarioLine], highlight: str | None) -> None:
        to_play = next((number for number, line in enumerate(lines) if line.id), 0)
        at = next((number for number, line in enumerate(lines) if line.id == highlight), to_play)
        self._list.show(lines, at, self._id_width, empty="" if lines else self._empty)
        self.border_subtitle = shorten_and_clean(Content(self._count_text(len(lines))))

    @property
    def _empty(self) -> str:
        return _LOADING if self.reading else "nothing found"

    def _count_text(self, found: int) -> str:
        roles = self._roles
        if roles is None:
            return _LOADING
        every = len(roles.lines)
        count = f"{found} of {every}" if self._words.value.strip() else f"{every}"
        return f"{count} · {roles.source}" if roles.source else ""

    @property
    def _list(self) -> RoleList:
        return self.query_one(RoleList)

    @property
    def _words(self) -> WordsInput:
        return self.query_one("#search", WordsInput)


class RolePreview(VerticalScroll):
    """Previews the highlighted role; the arrows scroll it once Tab has focused it."""

    BINDING_GROUP_TITLE = "Role"
    can_focus = True

    def __init__(self) -> None:
        """Start empty, until :meth:`tell` is called."""
        super().__init__(id="role", classes="box")
        self._line: ScenarioLine | None = None
        self._nothing = _LOADING

    def compose(self) -> ComposeResult:
        """Lay out a single text."""
        yield PlainText(id="preview")

    def on_mount(self) -> None:
        """Show that the roles are still being read."""
        self.tell(None, _LOADING)

    def on_resize(self) -> None:
        """Redraw, since the line breaks depend on the width."""
        self._draw()

    def tell(self, line: ScenarioLine | None, nothing: str = _NONE) -> None:
        """Show a role from its beginning, or the notice why there is none."""
        self._line = line
        self._nothing = nothing
        self._draw()
        self.border_title = shorten_and_clean(Content(line.title if line else "Role"))
        self.border_subtitle = shorten_and_clean(Content(" · ".join(_about(line)) if line else ""))
        self.scroll_home(animate=False)

    def _draw(self) -> None:
        room = max(20, self.scrollable_content_region.width)
        parts = list(_role_parts(self._line, room)) if self._line else [(self._nothing, "")]
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
