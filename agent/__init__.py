"""The agent side: the turn loop (``loop``), its next step (``next_step``), models and safeguards.

``loop`` is the place to start reading. The folders hold what it calls: ``models`` asks a language
model, ``clerk`` is the built-in agent, ``gate`` puts up cards, ``control`` and ``reflection`` are
further safeguards, ``context`` chooses what the model is sent, and ``session`` starts, resumes and
replays conversations. ``headless``, ``simulated`` and ``streaming`` run sessions without a person.
"""

from __future__ import annotations
