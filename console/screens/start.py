"""The start screen: what the program is, and the choices for a new session.

It is drawn before any part of the engine is imported. Its offers (scenarios, models whose key was
found, sessions to resume) are passed to it afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button

from console.browser.session_request import SessionRequest
from console.catalogue import ModelLine, Roles, SessionLine
from console.setup import CLERK, Setup, Switches
from console.widgets.choice import Choice, Toggle
from console.widgets.key_line import KeyLine
from console.widgets.picker import NOTHING_FOUND, RolePreview, ScenarioPicker
from console.widgets.plain import MUTED, PlainText
from console.widgets.role_list import RoleList
from console.widgets.words import WordsInput

_WAIT = "One moment: the scenarios are still loading."

OTHER = "other"
"""The value that stands for a model whose name is typed in."""

_INTRO = (
    "You are the customer. The agent looks up what it needs, but every change waits for your "
    "decision: a card shows any objections and what will be different afterwards. Approve it, "
    "reject it, say what to change, or ask. Everything is recorded."
)
_BRIEFLY = "You are the customer: every change the agent makes waits for your decision."


class StartScreen(Screen[None]):
    """Lets the user choose a domain, a role, an agent and the safeguards; Enter starts."""

    AUTO_FOCUS = "#search"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    HELP = """\
## Start

Pick whom you play and who answers, then press **enter**.

- **tab** goes from one choice to the next, **left** and **right** change it, **space** switches
- a **scenario** tells you who you are and what you want; what the agent is expected to do is
  told at the end. *Free play* lists customers you can be, and leaves the rest to you
- the **clerk** is a built-in agent that needs no key and no network. It is not a language model.
- **ctrl+s** has more settings: what the agent remembers, a second model, limits, how the
  conversation is sent
- a scenario that begins with *Gap* is about a point where the policy and what is right differ
- **ctrl+r** resumes the last unfinished session, **ctrl+o** lists and searches all recorded ones
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "begin", "Start"),
        Binding("ctrl+r", "resume", "Resume last", priority=True),
        Binding("ctrl+o", "sessions", "Sessions", priority=True),
        Binding("ctrl+s", "settings", "Settings"),
    ]

    @dataclass
    class Begin(Message):
        """The user wants to start a session with this setup."""

        setup: Setup

    @dataclass
    class Uncovered(Message):
        """Another screen no longer covers this one; the recorded sessions may have changed."""

        setup: Setup

    @dataclass
    class DomainChosen(Message):
        """Another domain was chosen, so its scenarios are needed."""

        setup: Setup

    def __init__(self, setup: Setup) -> None:
        """`setup` comes from the command line and provides the initial choices."""
        super().__init__()
        self._setup = setup
        self._domain = setup.domain
        self._wanted = setup.scenario
        self._latest: SessionLine | None = None
        self._models: dict[str, str] = {}
        self._memories: dict[str, str] = {}
        """Maps the name of each available memory to its domain."""

        self._offered = False
        """Whether the list of agents has been offered; before that there is only the clerk."""

        self._covered = False
        self._notice_text = ""

    def compose(self) -> ComposeResult:
        """Lay out the intro, the choices, the roles, the preview, and the buttons."""
        yield PlainText(
            Content.assemble(("saber-console", "bold $primary"), "  play the customer"),
            id="title",
        )
        yield PlainText(_INTRO, id="intro")
        yield PlainText(_BRIEFLY, id="briefly")
        with Grid(id="choices"):
            with Vertical(id="left"):
                with Vertical(id="with", classes="box"):
                    yield Choice("Domain", [(self._setup.domain, self._setup.domain)], id="domain")
                    yield Choice("Agent", [(CLERK, CLERK)], id="model")
                    yield PlainText("built in, offline, no key", id="model-note")
                    yield WordsInput(placeholder="litellm name, e.g. openai/gpt-4o", id="other")
                with Vertical(id="safeguards", classes="box"):
                    yield Toggle("gate", "asks before a change", id="gate")
                    yield Toggle("reflection", "thinks twice", id="reflection")
                    yield Toggle("context", "sends what matters", id="context")
                    yield Toggle("policy", "shown on the card", id="policy_on_card")
            yield ScenarioPicker()
            yield RolePreview()
        yield PlainText(id="notice")
        with Horizontal(id="buttons"):
            yield Button("Start ⏎", variant="primary", id="begin", compact=True)
            yield Button("Resume last", id="resume", compact=True, disabled=True)
            yield PlainText(id="resume-line")
        yield KeyLine()

    def on_mount(self) -> None:
        """Set the titles, and hide the input line for a model's name."""
        self.query_one("#with").border_title = "Conversation"
        self.query_one("#safeguards").border_title = "Safeguards"
        self._show_changed_settings()
        self.query_one("#other").display = False

    def on_screen_suspend(self) -> None:
        """Remember that another screen covers this one."""
        self._covered = True

    def on_screen_resume(self) -> None:
        """Ask for the last unfinished session again, which may have been finished or deleted."""
        if self._covered:
            self._covered = False
            self.post_message(self.Uncovered(self._setup))

    # -- what becomes known after the first frame

    def offer_scenarios(self, roles: Roles) -> None:
        """List the roles; the first time, highlight the one that the command line named."""
        wanted, self._wanted = self._wanted, None
        self.query_one(ScenarioPicker).offer(roles, wanted)

    def offer_no_scenarios(self, sentence: str) -> None:
        """List no roles, since the records or tasks cannot be read; `sentence` says why."""
        self.query_one(ScenarioPicker).offer(Roles(""))
        self.show_notice(sentence)

    def offer_customers(self, customers: Roles) -> None:
        """List the customers that the user can play in free play."""
        self.query_one(ScenarioPicker).offer_customers(customers)

    def offer_domains(self, names: list[str]) -> None:
        """Offer the available domains."""
        self.query_one("#domain", Choice).offer([(each, each) for each in names], self.setup.domain)

    def offer_models(self, lines: list[ModelLine]) -> None:
        """Offer the models that can be used here, and the choice to type another name."""
        self._models = {line.name: line.note for line in lines}
        options = [(line.name, line.name) for line in lines]
        choice = self.query_one("#model", Choice)
        chosen = choice.value if self._offered else self._setup.model
        self._offered = True
        if chosen not in (OTHER, *(line.name for line in lines)):
            options.append((chosen, chosen))
        options.append((OTHER, "another, by name"))
        choice.offer(options, chosen)

    def offer_memories(self, memories: dict[str, str]) -> None:
        """Keep the available memories for the settings dialog; `memories` maps name to domain."""
        self._memories = memories

    def offer_resume(self, latest: SessionLine | None) -> None:
        """Offer to resume the last unfinished session; None if there is none."""
        self._latest = latest
        self.query_one("#resume", Button).disabled = self._latest is None
        line = self._latest.line if self._latest else ""
        text = Content.styled(line, MUTED)
        self.query_one("#resume-line", PlainText).show(text)
        self.refresh_bindings()

    def show_notice(self, sentence: str) -> None:
        """Show what went wrong or what is going on."""
        self._notice_text = sentence
        self.query_one("#notice", PlainText).show(sentence)

    # -- what the user does

    @property
    def setup(self) -> Setup:
        """The setup with all current choices."""
        role = self.query_one(ScenarioPicker).highlighted_role
        model = self.query_one("#model", Choice).value
        if model == OTHER:
            model = self.query_one("#other", WordsInput).value.strip()
        return replace(
            self._setup,
            domain=self.query_one("#domain", Choice).value,
            model=model,
            scenario=(role.id or None) if role and not role.plays else None,
            customer_id=role.plays if role else None,
            resume=None,
            switches=self._switches,
            memory=self._memory,
        )

    @property
    def _memory(self) -> str | None:
        """The chosen memory; None if it belongs to another domain."""
        domain = self.query_one("#domain", Choice).value
        wanted = self._setup.memory
        return wanted if self._memories.get(wanted or "", domain) == domain else None

    @property
    def _switches(self) -> Switches:
        on = {each.id: each.on for each in self.query(Toggle)}
        return replace(
            self._setup.switches,
            gate=on["gate"],
            reflection=on["reflection"],
            context=on["context"],
            policy_on_card=on["policy_on_card"],
        )

    @on(Button.Pressed, "#begin")
    @on(ScenarioPicker.Picked)
    @on(WordsInput.Submitted, "#other")
    def action_begin(self) -> None:
        """Start a session with the current choices; in free play, choose the customer first."""
        picker = self.query_one(ScenarioPicker)
        if picker.highlighted_role is None:
            self.show_notice(_WAIT if picker.reading else picker.nothing)
        elif picker.open():
            pass
        elif self.setup.model:
            self.post_message(self.Begin(self.setup))
        else:
            self.show_notice("Type the name of a model, as litellm knows it, or choose the clerk.")

    @on(Button.Pressed, "#resume")
    def action_resume(self) -> None:
        """Resume the last unfinished session."""
        if self._latest is not None:
            self.post_message(self.Begin(replace(self._setup, resume=self._latest.id)))

    def action_settings(self) -> None:
        """Open the settings that are not on this screen: second model, limits, memory and so on."""
        from console.screens.settings import SettingsDialog

        setup = self.setup
        memories = [name for name, domain in self._memories.items() if domain == setup.domain]
        dialog = SettingsDialog(setup, self._models, memories=memories)
        self.app.push_screen(dialog, self._apply_settings)

    def _apply_settings(self, chosen: Setup | None) -> None:
        if chosen is not None:
            self._setup = replace(
                self._setup,
                auxiliary=chosen.auxiliary,
                switches=chosen.switches,
                budget=chosen.budget,
                memory=chosen.memory,
            )
            self._show_changed_settings()

    def _show_changed_settings(self) -> None:
        """Show how many of the other settings differ from their defaults."""
        changed = self._setup.changed_settings_count
        told = f", {changed} changed" if changed else ""
        self.query_one("#safeguards").border_subtitle = f"ctrl+s: more settings{told}"

    def action_sessions(self) -> None:
        """Open the browser of recorded sessions."""
        self.post_message(SessionRequest("browse"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the resume key if there is no session to resume."""
        return self._latest is not None if action == "resume" else True

    @on(RoleList.Highlighted)
    def _preview(self, event: RoleList.Highlighted) -> None:
        picker = self.query_one(ScenarioPicker)
        self.query_one(RolePreview).tell(event.line, picker.nothing)
        if self._notice_text == _WAIT or (event.line and self._notice_text in NOTHING_FOUND):
            self.show_notice("")

    @on(Choice.Changed, "#domain")
    def _domain_chosen(self, event: Choice.Changed) -> None:
        """Clear the old domain's roles at once, so that none of them can be started."""
        if event.value != self._domain:
            self._domain = event.value
            self.query_one(ScenarioPicker).wait()
            self.post_message(self.DomainChosen(self.setup))

    @on(Choice.Changed, "#model")
    def _model_chosen(self, event: Choice.Changed) -> None:
        other = self.query_one("#other", WordsInput)
        other.display = event.value == OTHER
        self.set_class(other.display, "-other")
        note = "any model that litellm reaches" if other.display else self._models.get(event.value)
        self.query_one("#model-note", PlainText).show(note or "")
        if other.display:
            other.focus()
