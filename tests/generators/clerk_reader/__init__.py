"""What the clerk's reader is trained with: ``python -m tests.generators.clerk_reader.train``.

The reader (``agent.clerk.understanding.labelling``) tells of each clause of a message what it asks
for and how it is meant. Its examples were written for it, by people who saw no code:

- ``messages_*.jsonl``: whole messages, each after the question that it replies to, cut into clauses
  with an intent and a stance each.
- ``openings_*.json`` and ``replies_*.json``: single sentences by their intent, as they begin a
  conversation and as they come in the middle of one.
- ``stances.json``: sentences about changes by their stance, in whatever domain.
- ``tails.json``: what may stand behind any request, taking it back or not.
"""

from __future__ import annotations
