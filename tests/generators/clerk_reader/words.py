"""Writes which words customers use: ``python -m tests.generators.clerk_reader.words``.

``agent.clerk.understanding.spelling`` corrects mistakes to these words. They are those of the
examples that the reader is trained with.
"""

from __future__ import annotations

import json
import re
from collections import Counter

from agent.clerk.understanding.intents import UNKNOWN
from agent.clerk.understanding.spelling import CUSTOMER_WORDS
from tests.generators.clerk_reader.examples import all_examples

LEAST = 30
"""How often a word must occur; what occurs less may be a mistake itself."""

_WORD = re.compile(r"(?<![\w'’])[a-z]{2,}(?![\w'’])")


def customer_words() -> list[str]:
    """The words that customers use, the most frequent first."""
    single, messages = all_examples()
    counts: Counter[str] = Counter()
    for example in (*single, *messages):
        for part in example.parts:
            if part.intent != UNKNOWN:
                counts.update(_WORD.findall(part.text.lower()))
    usual = [each for each in counts.items() if each[1] >= LEAST]
    return [word for word, _ in sorted(usual, key=lambda each: (-each[1], each[0]))]


def main() -> None:
    """Write the words, one a line."""
    words = ",\n".join(json.dumps(each) for each in customer_words())
    CUSTOMER_WORDS.write_text(f"[\n{words}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
