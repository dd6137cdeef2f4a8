from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.assembly import assemble
from agent.models.litellm.line import (
    KEPT,
    LONGEST_PIECE,
    MOST_BRACKETS,
    MOST_BYTES,
    MOST_EMPTY,
    Line,
    Stopped,
)
from agent.models.litellm.line_reading import read
from agent.models.litellm.model import LiteLLMModel
from agent.models.litellm.parameters import LONGEST
from agent.models.protocol import ModelFault, ModelRequest, Piece
from tests.agent.hostile.floods import bomb, endless, flood, packed
from tests.agent.hostile.statuses import error, redirect
from tests.agent.hostile.zoo import DONE, STOP, WORDS, Answer, body, chunk, event
from tests.agent.models.litellm.wire_protocol import Exchange
from tests.agent.models.litellm.wire_server import WireServer

KEY = "a-planted-key-0001"
ASKED = ModelRequest([{"role": "user", "content": "Where is my order?"}], [])
EMPTY = event({"choices": []})


def serving(answers: Mapping[str, Answer]) -> WireServer:
    return WireServer(behaviours=answers)


async def ask(server: WireServer, name: str = "it", **named: float) -> list[Piece]:
    address = server.base
    model = LiteLLMModel(f"openai/{name}", api_base=address, api_key=KEY, **named)  # type: ignore[arg-type]
    return [piece async for piece in model.stream(ASKED)]


async def told(answer: Answer, **named: float) -> ModelFault:
    async with serving({"it": answer}) as server:
        with pytest.raises(ModelFault) as raised:
            await ask(server, "it", **named)
    return raised.value


async def read_all(blocks: list[bytes], line: Line, encoding: str = "") -> bytes:
    async def arriving() -> AsyncIterator[bytes]:
        for block in blocks:
            yield block

    return b"".join([piece async for piece in read(arriving(), encoding, line)])


def answering() -> Line:
    line = Line()
    line.begin(200, "text/event-stream")
    return line


@given(st.lists(st.binary(max_size=4_000), max_size=8))
def test_what_may_be_read_comes_through_byte_for_byte(blocks: list[bytes]) -> None:
    line = answering()
    blocks = [b"d", *(block.replace(b"{", b"").replace(b"[", b"") for block in blocks)]
    whole = b"".join(blocks)
    assert asyncio.run(read_all(blocks, line)) == whole
    assert line.length == len(whole)


@given(st.lists(st.binary(min_size=1, max_size=3_000), min_size=1, max_size=5))
def test_what_is_compressed_comes_through_unpacked(blocks: list[bytes]) -> None:
    plain = b"x" + b"".join(blocks).replace(b"{", b"").replace(b"[", b"")
    sent = gzip.compress(plain)
    halves = [sent[: len(sent) // 2], sent[len(sent) // 2 :]]
    assert asyncio.run(read_all(halves, answering(), "gzip")) == plain


@pytest.mark.parametrize(
    ("blocks", "why"),
    [
        ([b"x" * (LONGEST_PIECE + 1)], "long piece"),
        ([b"[" * (MOST_BRACKETS + 1)], "crowded piece"),
        ([b"\n" * (MOST_EMPTY + 1)], "empty"),
    ],
)
async def test_every_limit_ends_the_response(blocks: list[bytes], why: str) -> None:
    line = answering()
    with pytest.raises(Stopped):
        await read_all(blocks, line)
    assert line.stopped == why


async def test_bytes_are_counted_once_they_are_unpacked() -> None:
    line, several = answering(), bomb(b"data: x\n" * 100_000, 60, "gzip")
    assert len(several) < 200_000 < MOST_BYTES
    with pytest.raises(Stopped):
        await read_all([several], line, "gzip")


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "nonsense"])
async def test_what_cannot_be_unpacked_by_bits_is_not_unpacked(encoding: str) -> None:
    line = answering()
    with pytest.raises(Stopped):
        await read_all([b"x"], line, encoding)
    assert line.stopped == "packed"


async def test_what_becomes_part_of_an_answer_is_not_empty() -> None:
    line = answering()
    for _ in range(4):
        for _ in range(MOST_EMPTY // 2):
            line.count(b"\n")
        line.note_progress()
    assert line.stopped is None


@given(st.text(min_size=1, max_size=60))
def test_words_are_the_servers_own_only_where_it_sent_them(words: str) -> None:
    line = answering()
    line.count(b'{"message": "Overloaded, come back later"}' + b" " * KEPT)
    line.count(b"data: the end of it\n")
    assert line.has_sent("Overloaded, come back later")
    assert line.has_sent("the end of it")
    assert not line.has_sent("'NoneType' object has no attribute " + words)


@pytest.mark.parametrize(
    "answer",
    [
        flood(EMPTY, 60_000, STOP, DONE),
        flood(event(chunk({})), 30_000, STOP, DONE),
        flood(event(chunk({"reasoning_content": "x"})), 30_000, STOP, DONE),
        endless(event(chunk({"content": ""}))),
        packed(lambda: bomb(EMPTY * 1_000, 500, "gzip"), "gzip"),
    ],
    ids=["no choices", "empty deltas", "letters of reasoning", "empty content", "gzip bomb"],
)
async def test_esc_is_heard_under_a_flood(answer: Answer) -> None:
    async with serving({"it": answer}) as server:
        task = asyncio.create_task(ask(server))
        await server.asked.wait()
        await asyncio.sleep(0.3)
        pressed = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - pressed < 1.0


async def test_a_deadline_holds_under_a_flood() -> None:
    began = time.monotonic()
    fault = await told(endless(event(chunk({"reasoning_content": "x"}))), deadline=1.0)
    assert time.monotonic() - began < 4.0
    assert "had not finished its answer after 1 seconds" in fault.sentence


async def test_nothing_but_empty_pieces_is_silence() -> None:
    fault = await told(endless(event(chunk({"content": ""}))), timeout=0.5)
    assert "nothing but empty pieces for 0.5 seconds" in fault.sentence


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("scheme", ["http://localhost:{port}/v1/x", "https://127.0.0.1:{port}/x"])
async def test_a_redirect_is_not_followed_to_another_origin(status: int, scheme: str) -> None:
    async with serving({"it": redirect(status, scheme)}) as server:
        with pytest.raises(ModelFault) as raised:
            await ask(server)
        assert len(server.requests) == 1
    assert not raised.value.retryable
    assert "was not followed" in raised.value.sentence
    assert "localhost" in raised.value.sentence or "https://127.0.0.1" in raised.value.sentence


async def test_a_redirect_is_not_followed_to_another_port() -> None:
    async with serving({}) as other:
        elsewhere = f"{other.base}/chat/completions"
        fault = await told(redirect(307, elsewhere))
        assert other.requests == []
    assert elsewhere in fault.sentence


async def test_a_redirect_within_the_server_is_followed_and_not_for_ever() -> None:
    async def once(exchange: Exchange) -> None:
        answer = body(WORDS, STOP, DONE) if exchange.hit > 1 else redirect(307, "/v1/other")
        await answer(exchange)

    async with serving({"it": once}) as server:
        assert assemble(await ask(server)).text == "Hello there. "
    assert "again and again" in (await told(redirect(307, "/v1/chat/completions"))).sentence


@pytest.mark.parametrize(
    ("answer", "says", "never"),
    [
        (error(418), "HTTP status 418 instead of an answer: “I would rather not”", "saber"),
        (body(b"<html>wifi</html>"), "a web page instead of an answer", "nothing"),
        (body(b'{"choices": [{"message": {"content": "x"}}]}'), "in one piece", "nothing"),
        (body(b'{"error": {"message": "No GPU."}}'), "internal error: “No GPU”", "piece"),
        (body(event({"choices": 7})), "cannot be read as an answer", "int"),
        (body(event({"choices": [[]]})), "cannot be read as an answer", "attribute"),
        (body(b"\x89PNG", kind="content-type: image/png"), "(it calls it image/png)", "litellm"),
    ],
)
async def test_what_is_no_answer_is_told_for_what_it_is(
    answer: Answer, says: str, never: str
) -> None:
    fault = await told(answer)
    assert says in fault.sentence
    assert never not in fault.sentence


@pytest.mark.parametrize("name", ["OPENAI_API_BASE", "OPENAI_BASE_URL"])
async def test_the_hint_names_the_variable_that_is_set(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, "http://127.0.0.1:1/v1")
    with pytest.raises(ModelFault) as raised:
        async for _ in LiteLLMModel("openai/it", api_key=KEY).stream(ASKED):
            pass
    assert f"({name})" in raised.value.sentence


async def plain(exchange: Exchange) -> None:
    await body(WORDS, STOP, DONE)(exchange)


@pytest.mark.parametrize(
    ("variable", "given", "sent"),
    [("", None, LONGEST), ("900", None, 900), ("many", None, LONGEST), ("900", 70, 70)],
)
async def test_a_cap_on_the_answers_length_is_sent(
    variable: str, given: int | None, sent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABER_MAX_TOKENS", variable)
    async with serving({"it": plain}) as server:
        model = LiteLLMModel("openai/it", api_base=server.base, api_key=KEY, longest=given)
        assert [piece async for piece in model.stream(ASKED)]
        assert server.requests[0].body["max_tokens"] == sent


async def test_a_cap_that_is_refused_is_asked_for_by_its_other_name_then_left_out() -> None:
    async def picky(exchange: Exchange) -> None:
        for name in ("max_tokens", "max_completion_tokens"):
            if name in exchange.request.body:
                await error(400, f"Unsupported parameter: '{name}'.")(exchange)
                return
        await plain(exchange)

    async with serving({"it": picky}) as server:
        assert assemble(await ask(server)).text == "Hello there. "
        sent = [sorted(each.body.keys() & {"max_tokens", "max_completion_tokens"}) for each in
                server.requests]  # fmt: skip
    assert sent == [["max_tokens"], ["max_completion_tokens"], []]


async def test_a_cap_for_which_there_is_no_room_is_left_out() -> None:
    words = (
        "maximum context length is 8192 tokens. However, you requested 17384 tokens (1000 in the \
messages, 16384 in the completion)."
    )

    async def small(exchange: Exchange) -> None:
        asks = {"max_tokens", "max_completion_tokens"} & exchange.request.body.keys()
        await (error(400, words) if asks else plain)(exchange)

    async with serving({"it": small}) as server:
        assert assemble(await ask(server)).text == "Hello there. "
