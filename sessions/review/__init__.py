"""What people say of recorded sessions afterwards: labels, and cards decided once more."""

from __future__ import annotations
