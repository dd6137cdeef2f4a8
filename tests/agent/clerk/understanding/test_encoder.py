"""That the vectors are sentence-transformers' own: ``tests/agent/context/test_embedding.py``."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.clerk.understanding import encoder
from agent.clerk.understanding.encoder import encode
from agent.clerk.understanding.transformer import Floats, erf
from agent.context.embedding_worker import WeightsRefused, weights_folder
from tests.effort import tries

ROOT = Path(encoder.__file__).parents[3]

SENTENCES = (
    "",
    " ",
    "\n\t \r\n",
    "a",
    "?",
    "...!!!",
    "hi",
    "Hi there!",
    "I want to return the desk lamp.",
    "i want 2 return teh dsek lmap",
    "Can I get my money back for order #W1234567?",
    "cancel order W1234567, W7654321 and #W0000001",
    "Don't cancel it; change the address instead.",
    "It’s “odd” — isn’t it…",
    "Where is my parcel",
    "My email is mei.kovacs8020@example.com and my zip is 28236.",
    "The total should be $1,234.56, not 1.234,56 €.",
    "Flight HAT170 on 2024-05-20 from JFK to SEA, economy, 2 bags",
    "yes",
    "YES",
    "no, thank you",
    "I AM VERY ANGRY AND I WANT A REFUND NOW",
    "CANCEL EVERYTHING!!!!",
    "cAnCeL mY oRdEr",
    "😀",
    "😀😀😀 thanks 👍🏽",
    "👨‍👩‍👧‍👦 and 🇫🇷 and ❤️",
    "Sí, quiero devolver la lámpara, por favor.",
    "Ich möchte die Lampe zurückgeben; das Maß stimmt nicht.",
    "İstanbul'a uçuş, ağ, ığdır",
    "Crème brûlée, naïve façade, Ångström, œuvre",
    "Cre\u0300me bru\u0302le\u0301e",
    "Я хочу вернуть лампу",
    "Θέλω να επιστρέψω τη λάμπα",
    "我想退货，谢谢",
    "ランプを返品したいです。",
    "램프를 반품하고 싶어요",
    "أريد إرجاع المصباح",
    "אני רוצה להחזיר את המנורה",
    "मैं लैंप वापस करना चाहता हूँ",
    "ฉันต้องการคืนโคมไฟ",
    "𐍈𐌰𐌹 𝒻𝒶𝓃𝒸𝓎 𝐛𝐨𝐥𝐝 ｆｕｌｌｗｉｄｔｈ",
    "zero\u200bwidth\u200dand\ufeffmarks\u202eturned",
    "nul\x00bell\x07escape\x1b[31mred\x1b[0m",
    "\x00\x01\x02\x1f\x7f",
    "\x85\u2028\u2029line ends\x1c",
    "\ufffd\ufffe\uffff",
    "[CLS] [SEP] [MASK] [PAD] [UNK]",
    "[sep]and[MASK]between",
    "##ing un##related",
    "a_b-c/d\\e|f~g^h`i",
    '{"order_id": "#W1", "items": [1, 2]}',
    "<b>bold</b> &amp; https://example.com/a?b=c&d=%20e",
    "x" * 100,
    "x" * 101,
    "antidisestablishmentarianism floccinaucinihilipilification",
    "word " * 253,
    "word " * 254,
    "word " * 255,
    "I want to return the lamp and keep the chair. " * 300,
    "😀" * 2000,
    "退" * 2000,
    "1234567890" * 500,
)

SHORT = [sentence for sentence in SENTENCES if len(sentence) < 200]

LIGHT = """
import sys
from agent.clerk.understanding.encoder import encode
heavy = {"torch", "sentence_transformers", "transformers", "scipy", "huggingface_hub"}
print(heavy & set(sys.modules), encode(["hi"]).shape, heavy & set(sys.modules))
"""

ONE_VECTOR = """
import sys
from agent.clerk.understanding.encoder import encode
print(encode([sys.argv[1]]).tobytes().hex())
"""


@pytest.fixture(scope="module")
def alone() -> dict[str, Floats]:
    """Each sentence's vector when nothing is encoded with it."""
    return {sentence: encode([sentence])[0] for sentence in SENTENCES}


@pytest.fixture
def nothing_loaded() -> Iterator[None]:
    encoder._read_model.cache_clear()
    yield
    encoder._read_model.cache_clear()


def test_vectors_are_unit_rows_of_float32() -> None:
    vectors = encode(SHORT)
    assert vectors.shape == (len(SHORT), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert encode([]).shape == (0, 384)


def test_what_means_the_same_is_closer_than_what_does_not() -> None:
    refund, close, far = encode(
        ["When do I get my money back for the lamp?", "refund for a lamp", "It rained all day."]
    )
    assert refund @ far < 0.3 < refund @ close


@settings(max_examples=tries(25), deadline=None)
@given(st.lists(st.sampled_from(SENTENCES), max_size=12))
@pytest.mark.heavy
def test_a_vector_does_not_depend_on_what_is_encoded_with_it(
    alone: dict[str, Floats], batch: list[str]
) -> None:
    for sentence, vector in zip(batch, encode(batch), strict=True):
        assert vector.tobytes() == alone[sentence].tobytes(), sentence[:80]


@settings(max_examples=tries(20), deadline=None)
@given(st.lists(st.text(max_size=80), min_size=1, max_size=4))
def test_any_text_at_all_has_one_vector(batch: list[str]) -> None:
    together = encode(batch)
    assert np.isfinite(together).all()
    backwards = [encode([sentence])[0] for sentence in reversed(batch)]
    assert together.tobytes() == np.stack(backwards[::-1]).tobytes()


def test_a_vector_does_not_depend_on_other_threads(alone: dict[str, Floats]) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda sentence: encode([sentence])[0].tobytes(), SHORT)
        assert list(found) == [alone[sentence].tobytes() for sentence in SHORT]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_vector_does_not_depend_on_how_many_threads_blas_has(
    alone: dict[str, Floats], threads: str
) -> None:
    text = SENTENCES[10]
    ended = subprocess.run(
        [sys.executable, "-c", ONE_VECTOR, text],
        env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
        capture_output=True,
        cwd=ROOT,
        text=True,
        timeout=60,
    )
    assert ended.stdout.strip() == alone[text].tobytes().hex(), ended.stderr


def test_half_a_surrogate_pair_is_read_as_a_question_mark() -> None:
    assert (encode(["what \ud83d now"]) == encode(["what ? now"])).all()


def test_256_tokens_are_read() -> None:
    base = "lamp " * 253
    read, unread, different = encode([f"{base}red", f"{base}red chair", f"{base}chair"])
    assert (read == unread).all()
    assert (read != different).any()


@pytest.mark.usefixtures("nothing_loaded")
def test_the_model_is_read_once_however_many_threads_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Path] = []
    monkeypatch.setattr(encoder, "check_weights", checked.append)
    with ThreadPoolExecutor(4) as threads:
        models = list(threads.map(lambda _: encoder.load_model(), range(8)))
    assert len({id(model) for model in models}) == 1
    assert checked == [weights_folder()]


@pytest.mark.usefixtures("nothing_loaded")
def test_weights_that_are_not_the_published_ones_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr(encoder, "weights_folder", lambda: tmp_path)
    with pytest.raises(WeightsRefused, match="not the published ones"):
        encode(["hi"])


def test_no_torch_is_imported() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LIGHT], capture_output=True, cwd=ROOT, text=True, timeout=60
    )
    assert ended.stdout.strip() == "set() (1, 384) set()", ended.stderr


def test_the_error_function_is_near_enough() -> None:
    x = np.linspace(-8, 8, 20001).astype(np.float32)
    assert erf(x) == pytest.approx([math.erf(value) for value in x], abs=1e-6)
