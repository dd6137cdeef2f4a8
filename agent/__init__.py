"""Who answers: the turn loop (``loop``), what comes next in it (``next_step``), its safeguards."""

from __future__ import annotations
