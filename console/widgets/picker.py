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

from console.catalogue import Roles, ScenarioLine
from console.widgets.plain import PlainText, fitting, hanging
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

_NONE = "No scenario has these words. Other words, or esc to see all of them."
_NOBODY = "No customer has these words. Other words, or esc to see all of them."
NOTHING_FOUND = frozenset({_NONE, _NOBODY})
"""What is said of words that are in none of the lines."""

_LOADING = "one moment…"


class ScenarioPicker(Vertical):
    """One role of many; what is typed narrows the list, the arrows choose from it.

    Free play lists the customers to be instead, in the same place.
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
        """The highlighted role is the one to play."""

    def __init__(self) -> None:
        """Nothing, until the roles of a domain are offered."""
        super().__init__(id="right", classes="box")
        self._scenarios: Roles | None = None
        self._customers: Roles | None = None
        self._in_free_play = False
        self._by_id: dict[str, ScenarioLine] = {}
        self._id_width = 0
        self._last: str | None = None
        """The line that was highlighted last; None for the first there is to play."""

    def compose(self) -> ComposeResult:
        """The words, and what they find."""
        yield WordsInput(id="search", placeholder="Type to search…")
        yield RoleList()

    def on_mount(self) -> None:
        """There is nothing to choose yet."""
        self._list_anew()

    @property
    def highlighted_role(self) -> ScenarioLine | None:
        """The role that is highlighted; None where the words find none, or none is known yet."""
        waits = self.reading and not self._in_free_play
        return None if waits else self._list.line

    @property
    def reading(self) -> bool:
        """Whether what is to be listed is still being read."""
        return self._roles is None

    @property
    def nothing(self) -> str:
        """Why no line is chosen."""
        if self.reading:
            return _LOADING
        return _NOBODY if self._in_free_play else _NONE

    def offer(self, roles: Roles, wanted: str | None = None) -> None:
        """The roles of a domain; `wanted` is highlighted, or else the one that was."""
        self._scenarios = roles
        if not self._in_free_play:
            self._last = wanted if wanted is not None else self._last
            self._take()
            self._search(self._words.value, highlight=self._last)

    def offer_customers(self, customers: Roles) -> None:
        """Whom one can be in free play; where there is nobody, it begins at once."""
        self._customers = customers
        if self._in_free_play and not customers.lines:
            self._leave_free_play()
        elif self._in_free_play:
            self._take()
            self._search(self._words.value, highlight=self._last)

    def wait(self) -> None:
        """The roles of another domain are being read."""
        self._scenarios = self._customers = None
        self._in_free_play = False
        self._last = None
        self._list_anew()

    def open(self) -> bool:
        """Follow the chosen line where it leads to another list; false where it can be played."""
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
        """Forget the words and show every line; without words, leave the customers."""
        if self._in_free_play and not self._words.value:
            self._leave_free_play()
        self._words.value = ""

    def action_move(self, lines: int) -> None:
        """Move in the list while the line above keeps the focus."""
        self._list.move(lines)

    def action_page(self, pages: int) -> None:
        """Move by pages."""
        self._list.move_page(pages)

    @on(WordsInput.Changed, "#search")
    def _search_words(self, event: WordsInput.Changed) -> None:
        event.stop()
        if event.value == self._words.value:  # and not words that were forgotten since
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
        """What is listed; None while it is being read."""
        return self._customers if self._in_free_play else self._scenarios

    def _take(self) -> None:
        lines = self._roles.lines if self._roles else ()
        self._by_id = {line.id: line for line in lines}
        self._id_width = max(map(len, self._by_id), default=0)

    def _list_anew(self) -> None:
        """Another list, and no words."""
        self.border_title = "Free play: who you are" if self._in_free_play else "Scenario"
        self._take()
        self._words.value = ""
        self._search("")

    def _search(self, words: str, *, highlight: str | None = None) -> None:
        """Show what fits; what is typed highlights the best of it, unless another is wanted."""
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
        self.border_subtitle = fitting(Content(self._count_text(len(lines))))

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
    """Whom one would play; arrows scroll it once tab has reached it."""

    BINDING_GROUP_TITLE = "Role"
    can_focus = True

    def __init__(self) -> None:
        """Filled by :meth:`tell`."""
        super().__init__(id="role", classes="box")
        self._line: ScenarioLine | None = None
        self._nothing = _LOADING

    def compose(self) -> ComposeResult:
        """One text."""
        yield PlainText(id="preview")

    def on_mount(self) -> None:
        """Nobody, to begin with."""
        self.tell(None, _LOADING)

    def on_resize(self) -> None:
        """Lines hang, so they are broken anew."""
        self._draw()

    def tell(self, line: ScenarioLine | None, nothing: str = _NONE) -> None:
        """Show a role from its beginning, or why there is none."""
        self._line = line
        self._nothing = nothing
        self._draw()
        self.border_title = fitting(Content(line.title if line else "Role"))
        self.border_subtitle = fitting(Content(" · ".join(_about(line)) if line else ""))
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
