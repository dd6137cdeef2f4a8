"""The bare call for a reviewer, as other programs show it: the baseline for comparing cards."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from console.widgets.call_text import exactly
from console.widgets.card_face import CardFace
from console.widgets.card_rows import CardRows
from console.widgets.plain import PlainText
from console.widgets.review_card import ReviewCard


class RawFace(CardFace):
    """Shows only the call, which scrolls if it is long."""

    def compose(self) -> ComposeResult:
        """Lay out the whole call, and nothing else."""
        with VerticalScroll(id="card-body", can_focus=False):
            yield PlainText(exactly(self.card.tool, self.card.arguments), classes="card--call")

    def fit(self, room: CardRows, width: int) -> None:
        """Take all the rows of a room."""
        for body in self.query("#card-body"):
            body.styles.max_height = room.middle(0)


class RawCard(ReviewCard):
    """A recorded call with the buttons of a card, and nothing else of the card."""

    HELP = """\
## The call

The tool and the arguments of a change that an agent wanted to make, and nothing else. Decide as the
customer would. Nothing is carried out.

- **a** approve
- **r** reject, with a reason if you like
- **c** say what should be different
- **s** skip: it stays undecided and is shown to you again another time
- **page up / down** scroll the conversation
"""

    def _face(self) -> CardFace:
        return RawFace(self.card)

    @property
    def overridden(self) -> tuple[str, ...]:
        """Empty: no check is shown, so none can be approved against."""
        return ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable unfolding, since the call is all there is."""
        return False if action == "exact_call" else super().check_action(action, parameters)

    def _hint(self) -> str:
        hint = super()._hint()
        return hint.replace("x exact call · ", "") if self.stage == "ready" else hint
