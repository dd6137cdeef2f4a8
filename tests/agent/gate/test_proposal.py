from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agent.gate.proposal import clean_arguments, read_arguments
from agent.models.assembly import parse_arguments
from sessions.events import ProposedCall

TEXTS = st.text(alphabet='aé"\\ \n\u200b\u202e\ud800', max_size=5)
VALUES = st.recursive(TEXTS | st.integers(), lambda inner: st.lists(inner, max_size=3))
KEYS = st.sampled_from(["order_id", "reason", "ab"])


@given(st.dictionaries(KEYS, VALUES, max_size=3), st.booleans())
def test_however_arguments_are_written_all_that_hides_is_taken_out_and_told(
    arguments: dict[str, object], escaped: bool
) -> None:
    text = json.dumps(arguments, ensure_ascii=escaped)
    call = ProposedCall.model_construct(id="c", name="f", arguments=text, removed=("U+0000",))
    cleaned, taken_out = clean_arguments(parse_arguments(text))
    assert read_arguments(call) == (cleaned, ("U+0000", *taken_out))
