from __future__ import annotations

import pytest

from agent.comparison.mentions import mention
from agent.comparison.sentences import sentences
from domains.retail.spoken import PLACES


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Send just this order to my aunt.", {"order"}),
        ("It is only for that order.", {"order"}),
        ("Put it on my profile, please.", {"default"}),
        ("Only this order, and then my default as well.", {"order", "default"}),
        ("I moved.", set()),
    ],
)
def test_an_address_is_for_one_order_or_for_the_customer(text: str, wanted: set[str]) -> None:
    assert mention(sentences(text), PLACES).wanted == wanted
