"""The zoo's server, in a process of its own so that it takes no time from the one it attacks.

python -m tests.agent.hostile.serving        serves until its input ends; prints its address
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from tests.agent.hostile import calls, floods, statuses, streams
from tests.agent.hostile.zoo import ZOO
from tests.agent.models.litellm.wire_process import process_of, serve

KEEPERS = (floods, statuses, streams, calls)
"""The modules that fill the zoo."""


def model_of(name: str) -> str:
    """The model whose answer it is: no name that litellm would read anything into."""
    return f"hostile-{list(ZOO).index(name)}"


def serving() -> AbstractContextManager[str]:
    """The zoo open to visitors; gives its address."""
    return process_of("tests.agent.hostile.serving")


if __name__ == "__main__":
    serve({model_of(name): each.answer for name, each in ZOO.items()})
