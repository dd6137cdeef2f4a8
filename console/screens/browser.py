"""The session browser: search the recorded sessions, look through them, and open one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from console.browser import session_query
from console.browser.browsing import PAGE, PageRequest, Reader, SessionFile, as_text
from console.browser.session_query import Known, QueryError, parse, with_filter, write_query
from console.browser.session_request import SessionAction, SessionRequest
from console.screens.browser_dialogs import confirm_deletion, export_command, pick_filter
from console.widgets.key_line import KeyLine
from console.widgets.plain import PlainText, shorten_and_clean
from console.widgets.search_line import SearchLine
from console.widgets.session_about import SessionAbout
from console.widgets.session_list import SessionList
from console.widgets.session_row import heading
from sessions.store.finding import Page, SessionFilter
from sessions.store.listing import SessionRow

_NOTHING = (
    "Nothing has been recorded yet. Press esc, choose a role and an agent, and start: everything "
    "that is said and done is recorded, and listed here."
)
_NONE_FITS = "No sessions match. Press / to change the search, or ctrl+u in it to list all."
_SESSION_ACTIONS = frozenset({"open", "want", "compare", "delete", "export"})
"""The actions that need a highlighted session."""

_LETTER_ACTIONS = _SESSION_ACTIONS | {"search", "filter", "order"}
"""The actions whose keys type a letter while the search line has the focus."""


class BrowserScreen(Screen[None]):
    """Finds sessions by what was said in them and by filters; each can be opened or deleted."""

    CSS_PATH = "browser.tcss"
    AUTO_FOCUS = "#found"
    HELP = """\
# Sessions

Every recorded session, the newest first. **✓** came out right, **✗** wrong, **–** was not
scored, **●** is not finished. **T C W** count turns, cards, and writes that were carried out.

- **/** goes to the line above, and so does any letter that is not a key here. Type words of one
  message, in any order; "in quotes" as an exact phrase. Filters can be mixed in:
  `refund domain:retail result:wrong since:2026-11-01 off:gate`. **tab** completes what is begun,
  **enter** goes back to the list
- **a** adds a filter from a list, **o** reverses the order
- **enter** continues a session that is not finished and replays any other, **r** replays any
- **f** forks it: a new session that can take another course
- **c** marks one to compare; **c** on another shows the two side by side
- **e** shows the command that exports it, **d** deletes it after you confirm
- **esc** leaves

Before the role are the labels that people gave it or anything in it: `[2✓ 1✗ 1?]`.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open"),
        Binding("slash", "search", "Search"),
        Binding("a", "filter", "Add a filter", show=False),
        Binding("r", "want('replay')", "Replay"),
        Binding("f", "want('fork')", "Fork", show=False),
        Binding("c", "compare", "Compare"),
        Binding("d", "delete", "Delete"),
        Binding("o", "order", "Order", show=False),
        Binding("e", "export", "Export", show=False),
        Binding("escape,q", "dismiss(None)", "Leave"),
    ]

    def __init__(self, file: SessionFile, open_one: str = "") -> None:
        """`open_one` is the id of the session open in the conversation below this screen."""
        super().__init__()
        self._file = file
        self._open_session_id = open_one
        self._known: Known = {}
        self._marked: SessionRow | None = None
        self._shown = SessionFilter()
        """The query whose results are listed."""

        self._next: int | None = None
        self._reader = Reader(file)

    def compose(self) -> ComposeResult:
        """Lay out the search line, its hint, the list and the highlighted session's details."""
        yield SearchLine(lambda line: session_query.complete(line, self._known))
        yield PlainText(id="hint")
        yield PlainText(id="heading")
        yield SessionList()
        yield SessionAbout()
        yield KeyLine()

    def on_mount(self) -> None:
        """Read the newest sessions and the values that filters can have."""
        self._hint("")
        self._request_page(PageRequest(SessionFilter()))
        self._learn()

    def on_resize(self) -> None:
        """Redraw the heading, which is as wide as the list."""
        self.call_after_refresh(self._show_heading)

    def _show_heading(self) -> None:
        width = self.query_one(SessionList).scrollable_content_region.width
        self.query_one("#heading", PlainText).show(heading(width))

    # -- reading: one page at a time; of several requests made meanwhile, only the last is read

    def _request_page(self, asked: PageRequest) -> None:
        if self._reader.ask(asked):
            self._read()

    @work(group="read")
    async def _read(self) -> None:
        await self._reader.read(self._show_page)

    def _show_page(self, asked: PageRequest, page: Page, fault: str) -> None:
        found = self.query_one(SessionList)
        self._shown, self._next = asked.wanted, page.next
        if asked.before is None or fault:
            every = replace(asked.wanted, oldest_first=False) == SessionFilter()
            empty = _NOTHING if every else _NONE_FITS
            excerpts = bool(asked.wanted.words)
            found.show(page.found, fault or empty, excerpts=excerpts, keep=asked.keep)
        else:
            found.extend(page.found)
        if not found.rows:  # every session on this page was damaged, or has been deleted since
            self.call_later(self._read_on)
        self._show_position()
        for warning in self._file.new_warnings():
            self._warn(warning)

    @work(group="learn")
    async def _learn(self) -> None:
        try:
            self._known = await asyncio.to_thread(self._file.known_values)
        except Exception as error:
            self.log(as_text(error))  # the list already says why the file cannot be read

    @on(SessionList.NearEnd)
    def _read_on(self) -> None:
        if self._next is not None and not self._reader.busy:
            self._request_page(PageRequest(self._shown, self._next))

    # -- the search line

    @property
    def _line(self) -> SearchLine:
        return self.query_one(SearchLine)

    @on(SearchLine.Changed)
    def _look_for(self, event: SearchLine.Changed) -> None:
        """Search for what the line says; while it cannot be parsed, leave the list as it is."""
        try:
            wanted = parse(event.value, self._known)
        except QueryError as error:
            self._hint(str(error), warn=not error.unfinished)
            if error.before is not None:
                self._want_listed(error.before)
        else:
            self._hint(session_query.hint(event.value, self._known))
            self._want_listed(wanted)

    def _want_listed(self, wanted: SessionFilter) -> None:
        if wanted != self._shown or self._reader.busy:
            self._request_page(PageRequest(wanted))

    def _hint(self, text: str, *, warn: bool = False) -> None:
        hint = self.query_one("#hint", PlainText)
        hint.set_class(warn, "-warn")
        hint.show(text or session_query.hint("", {}), layout=False)

    @on(SearchLine.Left)
    def _to_list(self) -> None:
        self.query_one(SessionList).focus()

    def action_search(self) -> None:
        """Move the focus to the search line."""
        self._line.focus()

    def on_key(self, event: events.Key) -> None:
        """Append a printable key that the list does not use to the search line, and go there."""
        words = event.character if event.is_printable else None
        from_list = isinstance(self.focused, SessionList)
        if from_list and words and not words.isspace() and event.key not in self.active_bindings:
            event.stop()
            self._line.focus()
            self._line.write(self._line.value + words)

    def action_order(self) -> None:
        """Reverse the order of the list: oldest first, or newest first again."""
        self._change(lambda wanted: replace(wanted, oldest_first=not wanted.oldest_first))

    @work(group="dialog", exclusive=True)
    async def action_filter(self) -> None:
        """Let the user pick a filter and its value from lists, and add it to the search line."""
        picked = await pick_filter(self.app, self._known)
        if picked is not None:
            self._change(lambda wanted: with_filter(wanted, *picked))

    def _change(self, change: Callable[[SessionFilter], SessionFilter]) -> None:
        """Rewrite the search line; the change event then starts the new search."""
        try:
            self._line.write(write_query(change(parse(self._line.value))))
        except QueryError as error:
            self._hint(str(error), warn=True)

    # -- the highlighted session

    @on(SessionList.Highlighted)
    def _about(self, event: SessionList.Highlighted) -> None:
        self.query_one(SessionAbout).tell(event.row)
        self._show_position()
        self.refresh_bindings()

    def on_screen_resume(self) -> None:
        """Reset the "opening" note and refresh the list, which may have changed in the meantime."""
        for about in self.query(SessionAbout):
            about.clear_opening()
        if self._row is not None:
            self._read_again()
            self._learn()

    def _read_again(self) -> None:
        """Read the listed sessions again, keeping the highlighted one."""
        row, listed = self._row, len(self.query_one(SessionList).rows)
        keep = row.id if row else ""
        self._request_page(PageRequest(self._shown, limit=max(PAGE, listed), keep=keep))

    def _show_position(self) -> None:
        """Show the position of the highlighted session and the number of sessions read so far."""
        found = self.query_one(SessionList)
        self.query_one(SessionAbout).place(
            (found.highlighted or 0) + 1,
            len(found.rows),
            more=self._next is not None,
            oldest_first=self._shown.oldest_first,
            marked=self._marked is not None,
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable letter keys in the search line, and session actions without a session."""
        if action in _SESSION_ACTIONS and self._row is None:
            return False
        return not (isinstance(self.focused, SearchLine) and action in _LETTER_ACTIONS)

    @property
    def _row(self) -> SessionRow | None:
        for found in self.query(SessionList):
            return found.row
        return None

    @on(SessionList.Chosen)
    def action_open(self) -> None:
        """Continue an unfinished session; replay any other."""
        if row := self._row:
            self._request("open" if row.status == "open" else "replay", row)

    def action_want(self, what: SessionAction) -> None:
        """Ask the app to replay or fork the highlighted session."""
        if row := self._row:
            self._request(what, row)

    def action_compare(self) -> None:
        """Mark a session; on a second session, show the two side by side."""
        row, marked = self._row, self._marked
        if row is None:
            return
        if marked is not None and marked.id != row.id:
            self._request("compare", marked, other=row.id)
            return
        self._mark(None if marked else row)

    def _mark(self, row: SessionRow | None) -> None:
        self._marked = row
        self.query_one(SessionList).mark(row.id if row else None)
        self._show_position()

    def _request(self, what: SessionAction, row: SessionRow, other: str = "") -> None:
        self.query_one(SessionAbout).opening()
        self.post_message(SessionRequest(what, row.id, other=other))

    def action_export(self) -> None:
        """Show the command that exports the session, and copy it to the clipboard."""
        if row := self._row:
            command = export_command(row.id, self._file.path)
            self.app.copy_to_clipboard(command)
            told = f"{command}\n(copied; other formats: saber export --help)"
            self.notify(told, markup=False, timeout=15, title="Export")

    @work(group="dialog", exclusive=True)
    async def action_delete(self) -> None:
        """Delete the session for good if the user confirms."""
        row = self._row
        if row is not None and row.id == self._open_session_id:
            self._warn("This session is open: leave it before you delete it.")
        elif row is not None and await confirm_deletion(self.app, row):
            await self._delete(row)

    async def _delete(self, row: SessionRow) -> None:
        try:
            await asyncio.to_thread(self._file.delete, row.id)
        except Exception as error:
            self._warn(as_text(error))
            return
        if self._marked and self._marked.id == row.id:
            self._mark(None)
        self.query_one(SessionList).forget(row.id)
        self._read_again()  # also replaces a page that was read before the deletion
        self._show_position()

    def _warn(self, sentence: str) -> None:
        text = str(shorten_and_clean(sentence))
        self.notify(text, markup=False, severity="warning")
