"""The confirmation card: asks for the user's decision before a change (law 8).

It replaces the composer. Half a second after it was painted it starts to accept keys, with the
focus on *reject*, and then only keys pressed on their own (:mod:`console.widgets.guarded`), so that
a key meant for something else never decides anything. Its text never changes while it is shown. The
future :attr:`CardView.decision` receives exactly one answer.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button

from agent.gate.operator import Decision
from console.widgets.card_face import CardFace, can_scroll, rows_in_talk
from console.widgets.card_lines import preconditions_to_show
from console.widgets.guarded import Guarded
from console.widgets.plain import PlainText, shorten_and_clean
from console.widgets.words import WordsInput
from domains.text.one_line import line, quotation
from sessions.events import Answerer, Card, Choice

TITLE = "Approve this change?"

_ASKS = {
    "reject": ("Why not? (optional)", "enter rejects · esc back to the card"),
    "change": ("What should be different?", "enter sends it to the agent · esc back to the card"),
    "ask": ("Your question about this change", "enter asks · esc back to the card"),
}
_READY = ("x exact call", "←→ choose", "enter press", "esc leave it for now")
SEEING = "checking that you are not typing · any key cancels"
"""The hint while a deciding key is held back to see whether another key follows."""

_MORE = "↑↓ read on"
_ONCE_MORE = "you were typing: enter once more sends it · esc back to the card"

LONGEST_ANSWER = 4_000
"""The most characters of the agent's answer under a card; the transcript has all of it."""


class CardView(Guarded):
    """Shows one card from its first appearance until it is decided."""

    HELP = """\
## The card

The agent wants to change your records, and nothing happens unless you approve it. What is shown
under *After* was found by trying the change on a copy of the records. What speaks against it (✗,
and ≠ where it does not fit what was said) and what cannot be undone is at the top.

- **a** approve: exactly this call runs, once (an *a* that begins a word decides nothing)
- **r** reject, with a reason if you like (where the card starts)
- **c** say what should be different
- **k** ask the agent about it; the card waits
- **x** show the exact call, what every check read, and all that was cut or counted
- **up / down** scroll what is between the top and the buttons
- **esc** closes what is open; then it leaves the card. Nothing is changed, and **ctrl+r** brings
  it back

A key counts only if it stands alone: not in the first half second, not while you are typing, and
not if another one follows. So nothing that you type or paste by mistake decides anything. If a
policy check fails (✗), approving takes a second key.
"""
    BINDING_GROUP_TITLE = "Card"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "choose('approve')", "Approve", show=False, id="card.approve"),
        Binding("r", "choose('reject')", "Reject", show=False, id="card.reject"),
        Binding("c", "choose('change')", "Change", show=False, id="card.change"),
        Binding("k", "choose('ask')", "Ask", show=False, id="card.ask"),
        Binding("x", "exact_call", "Exact call", show=False, id="card.exact"),
        Binding("y", "override", "Approve against the policy", show=False, id="card.override"),
        Binding("left", "app.focus_previous", "Previous", show=False),
        Binding("right", "app.focus_next", "Next", show=False),
        Binding("up", "read(-1)", "Scroll up", show=False),
        Binding("down", "read(1)", "Scroll down", show=False),
    ]
    can_focus = True

    def __init__(self, card: Card, *, title: str = TITLE) -> None:
        """`title` is what the user has to know about the card before reading it."""
        super().__init__(id="card")
        self.card = card
        self.decision: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self.border_title = title
        self.border_subtitle = shorten_and_clean(Content(line(card.tool, 60)))
        self._unlocked = False
        """Whether the hint already says that the second key is accepted."""

        self._intent: Choice = "reject"
        self._begun: dict[str, str] = {}
        """What was typed but not sent, by the choice it was typed for."""

    def compose(self) -> ComposeResult:
        """Lay out the words of the card and, always visible, the buttons.

        Whether there is room for blank rows is set first: set later, it would restyle every line.
        """
        self.set_class(rows_in_talk(self)[0].airy, "-airy")
        yield self._face()
        with VerticalScroll(id="card-said", can_focus=False):
            yield PlainText(id="card-note")
        yield WordsInput(id="card-words")
        with Horizontal(id="card-buttons"):
            yield Button("[u]a[/u] Approve", id="approve", classes="-approve", compact=True)
            yield Button("[u]r[/u] Reject", id="reject", compact=True)
            yield Button("[u]c[/u] Change…", id="change", compact=True)
            yield self._last_button()
        yield PlainText(id="card-hint")

    def _face(self) -> CardFace:
        return CardFace(self.card)

    def _last_button(self) -> Button:
        return Button("[u]k[/u] Ask…", id="ask", compact=True)

    def on_mount(self) -> None:
        """Take the focus and start the guard, which accepts keys some time after a paint."""
        self.focus()
        self.trap_focus()
        self.query_one("#card-said").display = False
        self.fit()
        self._begin_guard()
        self.watch_stage(self.stage)

    @property
    def _has_parts(self) -> bool:
        """Whether all parts are mounted; the contents of nested containers are mounted last."""
        parts = ("#card-hint", "#card-note", "#reject")
        return all(self.query_one_optional(each) is not None for each in parts)

    def fit(self) -> None:
        """Distribute the rows: the head and the buttons stay visible, the rest scrolls."""
        if not self._has_parts:
            return
        said, note = self.query_one("#card-said"), self.query_one("#card-note", PlainText)
        _, columns = rows_in_talk(self)
        needed = note.rows_in(columns - 1) if said.display else 0
        room, columns = rows_in_talk(self, needed)
        self.styles.max_height = room.inside + 2
        self.set_class(room.airy, "-airy")
        said.styles.max_height = max(1, room.note)
        self.query_one(CardFace).fit(room, columns)
        self.call_after_refresh(self._show_hint)

    def begin_grace(self) -> None:
        """Restart the time in which keys are ignored, as when something covered the card."""
        if not self._has_parts or self.stage not in ("grace", "ready", "override"):
            return
        if self.stage == "override":
            self._note("")
        self.stage = "grace"
        self.focus()
        self._wait_for_paint()

    def _listen(self) -> None:
        self.stage = "ready"
        self.query_one("#reject", Button).focus()
        self.call_after_refresh(self._tell_hint)

    def _follow(self, now: float) -> None:
        """Update the hint when the second key starts or stops being accepted."""
        super()._follow(now)
        if self.stage == "override" and self._guard.listens(now) != self._unlocked:
            self._unlocked = not self._unlocked
            self._hint_line.show(self._hint())

    def _tell_hint(self) -> None:
        """Show which keys work; only after layout is it known whether there is more to read."""
        if not self._guard.pending:
            self._hint_line.show(self._hint())

    def watch_stage(self, stage: str) -> None:
        """Update buttons, hint and bindings for the stage."""
        if not self._has_parts:
            return
        for button in self.query(Button):
            button.disabled = stage not in ("ready", "override")
        self.query_one("#card-words").display = stage == "words"
        self.query_one("#card-buttons").display = stage != "words"
        self._hint_line.show(self._hint())
        self.refresh_bindings()

    @property
    def _hint_line(self) -> PlainText:
        return self.query_one("#card-hint", PlainText)

    def _hint(self) -> str:
        match self.stage:
            case "grace":
                return "Keys unlock in a moment"
            case "override" if self._guard.listens(monotonic()):
                return "y approves against the policy · any other key goes back"
            case "override":
                return "y unlocks in a moment · any other key goes back"
            case "words":
                return _ASKS[self._intent][1]
            case "asked":
                return "waiting for the agent's answer · esc stop the agent"
            case _:
                return self._as_fits(_READY)

    def _as_fits(self, keys: tuple[str, ...]) -> str:
        """As many of the keys as fit the width of the card, in order."""
        hint = _MORE if self._long else ""
        for key in keys:
            longer = f"{hint} · {key}" if hint else key
            if len(longer) > (self.content_size.width or 80):
                break
            hint = longer
        return hint

    def _show_hint(self) -> None:
        if self._has_parts:
            self._hint_line.show(self._hint())

    @property
    def _long(self) -> bool:
        return any(can_scroll(each, way) for each in self._scrolling for way in (-1, 1))

    @property
    def _scrolling(self) -> tuple[Widget, ...]:
        """The containers that scroll, from the top."""
        return self.query_one("#card-body"), self.query_one("#card-said")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the keys that do not apply in the current stage."""
        if action == "override":
            return self.stage == "override"
        if action in ("choose", "exact_call"):
            return self.stage == "ready"
        return True

    def action_choose(self, choice: str) -> None:
        """Act on a choice; pressed keys come by ``Guarded``, which calls ``_act_on`` itself."""
        self._act_on(choice, monotonic())

    def action_override(self) -> None:
        """Approve despite a failing policy check: the second, deliberate key."""
        self._act_on("override", monotonic())

    def _act_on(self, meaning: str, at: float) -> None:
        """Approve if no policy check fails; any other choice opens something first."""
        decides = self.stage == "override" or not self.overridden
        if meaning == "override" or (meaning == "approve" and decides):
            self._watch_decision(at, self._approve)
        elif self._guard.try_accept(at, monotonic(), "opens"):
            self._open(meaning, at)
        else:
            self._return_to_grace()

    def _open(self, what: str, at: float) -> None:
        if what == "exact_call":
            self.action_exact_call()
        elif what == "approve":
            self._warn()  # decides nothing yet: the second key has to stand alone
        else:
            self._ask_for_words(what)
            self._guard.open_field(at, monotonic())

    def _approve(self, at: float) -> None:
        self._decide(self._decision("approve", at, overrode=self.overridden))

    def _show_watching(self) -> None:
        if self.stage != "words":
            self._hint_line.show(SEEING)

    def _tell_taken_back(self) -> None:
        if self.stage == "words":
            self._hint_line.show(_ONCE_MORE)
        else:
            self._note("You seem to be typing: c says what should be different, k asks the agent.")
            self._return_to_grace()

    def _close(self) -> bool:
        """Close what Esc closes first; if nothing is open, the screen leaves the card."""
        if self.stage == "override":
            self._back()
            return True
        opened = self.query_one(CardFace).is_unfolded
        if opened:
            self.action_exact_call()
        return opened

    def action_exact_call(self) -> None:
        """Show or hide the exact call and the checks."""
        self.query_one(CardFace).turn()
        self.call_after_refresh(self._show_hint)

    def action_read(self, lines: int) -> None:
        """Scroll by lines: going down, the note first, then the body; going up, the reverse."""
        body, said = self._scrolling
        for place in (said, body) if lines > 0 else (body, said):
            if place.display and can_scroll(place, lines):
                place.scroll_relative(y=lines, animate=False)
                return

    def action_page(self, pages: int) -> None:
        """Scroll the body by pages."""
        body = self.query_one("#card-body")
        body.scroll_relative(y=pages * max(1, body.size.height - 1), animate=False)

    @property
    def overridden(self) -> tuple[str, ...]:
        """The names of the failing policy checks that are visible on this card.

        Each requires the second key, even if memory says that it need not be true: no code has seen
        whether this is such a case, so a person has to look before saying yes.
        """
        return tuple(
            each.name for each in preconditions_to_show(self.card) if each.verdict == "fails"
        )

    def _warn(self) -> None:
        self._wait_for_paint()  # the second key counts from when the note can be read
        self._unlocked = False
        self.stage = "override"
        names = "; ".join(line(each) for each in self.overridden)
        self._note(
            f"The policy requires this, but it is not so: {names}. Press y to approve anyway."
        )

    def _ask_for_words(self, choice: str) -> None:
        self._intent = "change" if choice == "change" else "ask" if choice == "ask" else "reject"
        self.stage = "words"
        words = self.query_one("#card-words", WordsInput)
        words.select_on_focus = False
        words.value = self._begun.get(self._intent, "")
        words.cursor_position = len(words.value)
        words.placeholder = _ASKS[self._intent][0]
        words.focus()

    def _enter(self, at: float) -> None:
        """Send the words on Enter, unless it seems to belong to text typed for something else."""
        empty = not self.query_one("#card-words", WordsInput).value.strip()
        if empty and self._intent != "reject":
            self._note("Say it in a few words first, or press esc to go back.")
        elif self._guard.hear_enter(at, monotonic(), empty=empty):
            self._watch_over(self._send)
        else:
            self._hint_line.show(_ONCE_MORE)

    def _send(self, at: float) -> None:
        words = self.query_one("#card-words", WordsInput).value.strip()
        self._decide(self._decision(self._intent, at, words))

    def _back(self) -> None:
        if self.stage == "words":
            self._begun[self._intent] = self.query_one("#card-words", WordsInput).value
            self._guard.close_field()
        self.stage = "grace"
        self._note("")
        self.focus()
        self._wait_for_paint()

    def _note(self, text: str) -> None:
        note = self.query_one("#card-note", PlainText)
        note.show(text)
        said = self.query_one("#card-said")
        said.display = bool(text)
        said.scroll_home(animate=False)
        self.fit()

    def show_answer(self, by: Answerer, text: str) -> None:
        """Show the answer to a question under the card, which itself does not change."""
        if by == "trial":
            self._note(f"From the records: {line(text, LONGEST_ANSWER)}")
        else:
            lines = "\n".join(filter(str.strip, text.splitlines()))
            self._note(f"Agent: {quotation(lines, LONGEST_ANSWER)}")

    def wait_again(self) -> asyncio.Future[Decision]:
        """Accept keys again after a question was answered; return the next decision's future."""
        self.decision = asyncio.get_running_loop().create_future()
        self.stage = "grace"
        self.focus()
        self.begin_grace()
        return self.decision

    def _decision(
        self, choice: Choice, at: float, words: str = "", *, overrode: tuple[str, ...] = ()
    ) -> Decision:
        """Build a decision made by a key that was pressed at the time `at`."""
        since = self._readable_since or at
        return Decision(choice, words, round((at - since) * 1000), overrode)

    def _decide(self, decision: Decision) -> None:
        self.stage = "asked" if decision.choice == "ask" else "decided"
        if decision.choice == "ask":
            self._note(f"You asked: {quotation(decision.words)}")
            self.focus()
        self._begun.pop(decision.choice, None)
        if not self.decision.done():
            self.decision.set_result(decision)
