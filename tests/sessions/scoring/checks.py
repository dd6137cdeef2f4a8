"""Attention checks written by hand, for tests of what reads a log."""

from __future__ import annotations

from sessions.events import AttentionCheckDecided, AttentionCheckShown
from tests.sessions.toy import CANCEL, card

ALTERED = "order id #W2 in place of #W1"


def check_shown(card_id: str, call_id: str = "c1") -> AttentionCheckShown:
    wrong = card(card_id, call_id=call_id).model_copy(
        update={"arguments": {"order_id": "#W2"}, "sentence": "Cancel order #W2."}
    )
    return AttentionCheckShown(
        card=wrong, words_digest="w", meant=dict(CANCEL.arguments), altered=ALTERED
    )


def check_decided(
    card_id: str, decision: str, words: str = "", by: str = "person", milliseconds: int = 700
) -> AttentionCheckDecided:
    return AttentionCheckDecided.model_validate(
        {
            "card_id": card_id, "decision": decision, "words": words, "by": by,
            "milliseconds": milliseconds,
        }
    )  # fmt: skip
