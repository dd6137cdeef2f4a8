"""The embedding process with the clerk's encoder, whose vectors are the same, and without torch.

``python -m tests.agent.context.numpy_worker [CACHE]``; all but what makes vectors is the program's.
"""

from __future__ import annotations

import sys

from agent.clerk.understanding.encoder import encode
from agent.context import embedding_worker


def main() -> int:
    """Serve as the program's own does."""
    return embedding_worker.main(lambda: encode)


if __name__ == "__main__":
    sys.exit(main())
