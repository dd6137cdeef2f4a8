from __future__ import annotations

import subprocess
import sys

HEAVY = ("torch", "litellm", "faiss", "sentence_transformers", "pydantic", "sqlite_utils", "numpy")

PAINT = f"""
import asyncio, sys
from pathlib import Path
from console.cli import main
from console.app import SaberApp
from console.setup import Setup

class App(SaberApp):
    def _first_step(self):
        print(",".join(name for name in {HEAVY!r} if name in sys.modules), file=sys.__stdout__)
        self.exit()

async def paint():
    app = App(Setup(db=Path("none.sqlite")))
    await app.run_async(headless=True, size=(80, 24))

asyncio.run(paint())
"""


def test_the_first_frame_is_painted_before_anything_heavy_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PAINT], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == ""


def test_listing_help_imports_no_screen() -> None:
    code = (
        "import sys\nfrom console.cli import saber\n"
        "try: saber(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('textual', 'pydantic', 'sqlite_utils') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
