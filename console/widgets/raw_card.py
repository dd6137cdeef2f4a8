"""The bare call before a reviewer, as other programs show it: what a card is compared with."""

from __future__ import annotations

from textual.widget import Widget

from console.widgets.call_text import exactly
from console.widgets.plain import PlainText
from console.widgets.review_card import ReviewCard


class RawCard(ReviewCard):
    """A recorded call, with the card's buttons and nothing else of the card."""

    HELP = """\
## The call

The tool and the arguments of a change that an agent wanted to make, and nothing else. Decide as the
customer would. Nothing is carried out.

- **a** approve
- **r** reject, with a reason if you like
- **c** say what should be different
- **s** skip: it stays undecided and is put to you again another time
- **page up / down** scroll the conversation
"""

    def _words(self) -> Widget:
        return PlainText(exactly(self.card.tool, self.card.arguments), classes="card--call")

    @property
    def overridden(self) -> tuple[str, ...]:
        """No check is shown, so that none is approved against."""
        return ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to unfold: the call is all there is."""
        return False if action == "exact_call" else super().check_action(action, parameters)

    def _hint(self) -> str:
        hint = super()._hint()
        return hint.replace(" · x exact call", "") if self.stage == "ready" else hint
