from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_CODE = (
    "import sys; from pathlib import Path; from sessions.store.store import Store;"
    "from tests.sessions.toy import started;"
    "print('ready', flush=True); sys.stdin.readline();"
    "store = Store.open(Path(sys.argv[1])); store.start(started()); store.close()"
)


def begin_sessions_at_once(path: Path, programs: int) -> list[tuple[str, int]]:
    """What each of so many programs says on stderr, and how it ends, when all open a file at once.

    They are told to as soon as the last of them has imported what it needs.
    """
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _CODE, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(programs)
    ]
    for program in running:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in running:
        assert program.stdin is not None
        program.stdin.write("\n")
        program.stdin.flush()
    return [(program.communicate()[1], program.returncode) for program in running]
