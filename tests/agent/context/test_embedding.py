from __future__ import annotations

import asyncio
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from agent.clerk.understanding.encoder import encode
from agent.clerk.understanding.transformer import Floats
from agent.context.embedding import NOT_STARTED, STOPPED, Embedder
from agent.context.embedding_worker import DIMENSION, WEIGHTS_SHA256
from agent.context.vector_cache import VectorCache
from tests.agent.clerk.understanding.test_encoder import SENTENCES
from tests.agent.context import numpy_worker

LONG = 60.0
"""Seconds that loading the model may take on a busy machine."""

WEATHER = "It rained all day in the mountains."
REFUND = "When do I get my money back for the lamp?"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the worker keeps its vectors."""
    return tmp_path_factory.mktemp("cache") / "deep" / "vectors.sqlite"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def embedder(file: Path) -> AsyncIterator[Embedder]:
    async with Embedder(file) as running:
        assert await running.rank(REFUND, [WEATHER], LONG) is not None
        yield running


def open_files() -> int:
    """How many files this process holds open, where the system tells."""
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0


async def counted(embedder: Embedder) -> dict[str, int]:
    stats = await embedder.stats()
    assert stats is not None
    return stats


def assert_same(found: list[float] | None) -> None:
    """A text was ranked against itself."""
    assert found is not None
    assert found == pytest.approx([1.0], abs=1e-4)


@pytest.mark.heavy
async def test_what_means_the_same_is_closer_than_what_does_not(embedder: Embedder) -> None:
    found = await embedder.rank(REFUND, [WEATHER, "refund for a lamp", REFUND], LONG)
    assert found is not None
    assert found[0] < 0.3 < found[1] < found[2]
    assert found[2] == pytest.approx(1.0, abs=1e-4)
    assert embedder.ready
    assert embedder.trouble == ""


@pytest.mark.heavy
async def test_the_clerks_encoder_gives_the_vectors_of_sentence_transformers(
    embedder: Embedder, file: Path
) -> None:
    def unknown(texts: list[str]) -> Floats:
        raise AssertionError(f"not in the worker's file: {texts}")

    assert await embedder.rank("", list(SENTENCES), LONG) is not None
    expected = VectorCache(unknown, WEIGHTS_SHA256, DIMENSION, file).vectors(SENTENCES)
    differences = np.abs(encode(SENTENCES) - expected).max(axis=1)
    worst = int(differences.argmax())
    assert differences[worst] < 1e-5, SENTENCES[worst][:80]


@pytest.mark.heavy
async def test_no_text_is_embedded_twice(embedder: Embedder) -> None:
    texts = ["first of two", "second of two", "first of two"]
    await embedder.rank("query of two", texts, LONG)
    before = await counted(embedder)
    await embedder.rank("second of two", [*texts, "query of two"], LONG)
    assert await counted(embedder) == before
    await embedder.rank("query of two", ["third, which is new"], LONG)
    after = await counted(embedder)
    assert (after["encode_calls"], after["encoded"]) == (
        before["encode_calls"] + 1,
        before["encoded"] + 1,
    )


@pytest.mark.heavy
async def test_ranking_nothing_is_no_work(embedder: Embedder) -> None:
    assert await embedder.rank("anything", [], LONG) == []


@pytest.mark.heavy
async def test_a_reply_that_nobody_waits_for_does_not_reach_the_next_question(
    embedder: Embedder,
) -> None:
    asking = asyncio.create_task(
        embedder.rank("slow", [f"a text that is new, number {n}" for n in range(64)], LONG)
    )
    await asyncio.sleep(0.05)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert_same(await embedder.rank(REFUND, [REFUND], LONG))


@pytest.mark.heavy
async def test_an_answer_that_takes_too_long_is_none_with_the_reason(embedder: Embedder) -> None:
    texts = [f"another new text, number {n}" for n in range(64)]
    assert await embedder.rank("slow", texts, 0.01) is None
    assert embedder.trouble == "the embedder took longer than 0.01 s"
    assert len(await embedder.rank("slow", texts, LONG) or []) == 64


@pytest.mark.heavy
async def test_questions_asked_at_once_each_get_their_own_answer(embedder: Embedder) -> None:
    texts = ["apples", "pears", "trains", "laws"]
    found = await asyncio.gather(*(embedder.rank(text, texts, LONG) for text in texts))
    assert [row.index(max(row)) for row in found if row] == [0, 1, 2, 3]


@pytest.mark.heavy
async def test_text_of_any_kind_comes_through(embedder: Embedder) -> None:
    texts = ["", "\n", '"quoted"\nlines', "日本語 🎈", "x" * 100_000]
    assert len(await embedder.rank("é", texts, LONG) or []) == len(texts)


@pytest.mark.heavy
async def test_it_works_inside_a_textual_app_and_a_dead_worker_is_replaced_once(
    tmp_path: Path,
) -> None:
    from textual.app import App

    file = tmp_path / "vectors.sqlite"
    async with App[None]().run_test(), Embedder(file, module=numpy_worker.__name__) as embedder:
        assert_same(await embedder.rank(REFUND, [REFUND], LONG))
        process = embedder._process
        assert process is not None
        process.kill()
        assert_same(await embedder.rank(REFUND, [REFUND], LONG))
        assert embedder._process is not process
        assert await counted(embedder) == {"encode_calls": 0, "encoded": 0}, "the file was not used"


def stand_in(folder: Path, code: str) -> str:
    """A module that speaks the protocol badly, to be run in the worker's place."""
    (folder / "stand_in_worker.py").write_text(textwrap.dedent(code), "utf-8")
    return "stand_in_worker"


async def test_a_worker_that_always_dies_is_given_up_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    died = tmp_path / "died"
    module = stand_in(tmp_path, f"open({str(died)!r}, 'a').write('x')")
    async with Embedder(module=module) as dying:
        assert await dying.rank("a", ["b"], 20) is None
        assert dying.trouble == "the embedding process ended unexpectedly, twice"
        assert not dying.ready
    assert died.read_text() == "xx"


async def test_a_refusal_is_told_and_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    module = stand_in(tmp_path, """print('{"refused": "No weights here."}', flush=True)""")
    async with Embedder(module=module) as refused:
        assert await refused.rank("a", ["b"], 20) is None
        assert refused.trouble == "No weights here."


async def test_a_worker_that_talks_nonsense_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    module = stand_in(tmp_path, "print('Loading weights: 100%')")
    async with Embedder(module=module) as talking:
        assert await talking.rank("a", ["b"], 20) is None
        assert "cannot be used" in talking.trouble


async def test_while_it_loads_a_question_waits_no_longer_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    module = stand_in(tmp_path, "import time; time.sleep(60)")
    loading = Embedder(module=module)
    loading.start()
    assert await loading.rank("a", ["b"], 0.2) is None
    assert loading.trouble == "the embedder was still loading after 0.2 s"
    process = loading._process
    assert process is not None
    await asyncio.wait_for(loading.stop(), 5)
    assert process.returncode is not None, "a zombie was left"
    assert await loading.rank("a", ["b"], 0.2) is None
    assert loading.trouble == STOPPED


async def test_one_that_was_never_started_says_so_at_once() -> None:
    idle = Embedder()
    assert await idle.rank("a", ["b"], LONG) is None
    assert idle.trouble == NOT_STARTED
    await idle.stop()


async def test_stopping_before_the_process_is_up_leaves_nothing_behind() -> None:
    before = open_files()
    for _ in range(5):
        hasty = Embedder()
        hasty.start()
        await hasty.stop()
        hasty.start()
        await asyncio.sleep(0.02)
        await hasty.stop()
    assert open_files() <= before


async def test_a_folder_named_like_the_program_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "__init__.py").write_text("")
    (tmp_path / "agent" / "chat.py").write_text("open('was_run', 'w')")
    monkeypatch.chdir(tmp_path)
    async with Embedder(module="agent.models.protocol") as silent:
        assert await silent.rank("a", ["a"], LONG) is None
    assert not (tmp_path / "was_run").exists()
