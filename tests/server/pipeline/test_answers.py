"""What a process remembers of its answers, and how much."""

import os
from typing import Any

import pytest
from starlette.types import Scope
from tests.server.api import Api
from tests.server.handlers.test_thumbnails import picture

from skyshelf.server.api.endpoints import EndpointOperation
from skyshelf.server.api.table import HANDLERS
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.pipeline import answers as answers_module
from skyshelf.server.pipeline.answers import Answer, RememberedAnswer, RememberedAnswers
from skyshelf.server.pipeline.pipeline import Pipeline
from skyshelf.server.pipeline.request import Head, ServerRequest
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import ServiceContext
from skyshelf.wire.endpoints import BY_NAME


def asking(ctx: ServiceContext, number: int = 0) -> ServerRequest:
    """A request whose answer is remembered."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/{number}",
        "query_string": b"",
        "headers": [],
        "client": ("203.0.113.1", 1),
    }
    request = ServerRequest(scope)
    request.operation = EndpointOperation(ctx, Threads(), BY_NAME["profile"], HANDLERS["profile"])
    request.head = Head(request.headers, Proxies(None, ()).client_of(request))
    return request


def remembered(version: object = 1, answer: Any = None) -> RememberedAnswer:
    return RememberedAnswer(answer or Answer(200, [], b""), version, [])


class Content:
    """A file of so many bytes, made from another."""

    is_derived = True

    def __init__(self, size: int) -> None:
        self.size = size

    def is_undamaged(self) -> bool:
        return True

    def read(self) -> bytes:
        return bytes(self.size)


def kept(answers: RememberedAnswers, ctx: ServiceContext, number: int, size: int = 10) -> RememberedAnswer:
    """An answer with its content, if that is kept."""
    one: Any = Content(size)
    found = remembered(answer=one)
    answers.keep(asking(ctx, number), found)
    assert answers.content_of(found, one) == bytes(size)
    return found


def test_an_answer_holds_for_its_version_and_question_alone(ctx: ServiceContext) -> None:
    answers, one = RememberedAnswers(ctx), remembered(1)
    answers.keep(asking(ctx), one)
    assert answers.find(asking(ctx), 1) is one
    assert answers.find(asking(ctx), 2) is None
    assert answers.find(asking(ctx, 1), 1) is None


def test_the_oldest_is_forgotten_first(ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "ANSWERS_REMEMBERED", 2)
    answers = RememberedAnswers(ctx)
    for number in range(3):
        answers.keep(asking(ctx, number), remembered())
    assert [answers.find(asking(ctx, number), 1) is not None for number in range(3)] == [False, True, True]


def test_contents_together_stay_within_their_limit(ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "CONTENTS_BYTES_MAX", 25)
    answers = RememberedAnswers(ctx)
    ones = [kept(answers, ctx, number) for number in range(3)]
    assert [one.content for one in ones] == [None, bytes(10), bytes(10)]
    again = kept(answers, ctx, 1)
    fourth = kept(answers, ctx, 4)
    assert (ones[1].content, ones[2].content, again.content, fourth.content) == (None, None, bytes(10), bytes(10))


def test_a_large_content_or_one_of_a_forgotten_answer_is_not_kept(ctx: ServiceContext) -> None:
    answers, file = RememberedAnswers(ctx), Content(10)
    large = kept(answers, ctx, 1, answers_module.CONTENT_BYTES_MAX + 1)
    one: Any = file
    forgotten = remembered(answer=one)
    assert answers.content_of(forgotten, one) == bytes(10)
    assert (large.content, forgotten.content) == (None, None)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """The answers of the event loop, which was asked for open files."""
    found: list[Answer] = []
    answer = Pipeline.answer_now

    def noted(self: Pipeline, scope: Scope, **_: Any) -> Answer | None:
        answered = answer(self, scope, files=True)
        if answered is None:
            return None
        found.append(answered)
        return answered

    monkeypatch.setattr(Pipeline, "answer_now", noted)
    return found


def test_a_verified_file_is_given_open_and_an_unverified_one_as_bytes(api: Api, given: list[Answer]) -> None:
    data = os.urandom(100_000)
    path = f"/download/files/{api.file('a.bin', data).object_key}"
    assert api.get(path).content == data
    api.get(path)
    first, second = given
    assert (first.file, first.body) == (None, data)
    assert second.file is not None
    assert (os.pread(second.file, second.file_bytes, 0), second.file_bytes) == (data, len(data))
    os.close(second.file)


def test_a_thumbnail_is_sent_from_memory_and_a_small_file_is_read_again(
    api: Api, ctx: ServiceContext, given: list[Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = f"/download/avimages/{api.file('a.jpg', picture(64, 48)).object_key}?size=256"
    text = f"/download/files/{api.file('a.txt', b'text').object_key}"
    shown = api.get(small).content
    assert (api.get(small).content, api.get(text).content) == (shown, b"text")
    reads: list[str] = []
    read = ctx.blobs.read_if_cached

    def noted(location: str, start: int, length: int) -> tuple[str, bytes] | None:
        reads.append(location)
        return read(location, start, length)

    monkeypatch.setattr(ctx.blobs, "read_if_cached", noted)
    given.clear()
    assert (api.get(small).content, api.get(text).content) == (shown, b"text")
    assert (len(given), len(reads)) == (2, 1)


def test_headers_are_written_once_and_none_becomes_two() -> None:
    headers = [(b"etag", b'"a"'), (b"content-length", b"3")]
    one = RememberedAnswer(Answer(200, [], b""), 1, headers)
    assert one.lines == b'etag: "a"\r\ncontent-length: 3\r\n'
    assert one.lines is one.lines
    for value in (b"a\r\nset-cookie: b", b"a\nb"):
        with pytest.raises(ValueError, match="line break"):
            _ = RememberedAnswer(Answer(200, [], b""), 1, [(b"x-name", value)]).lines
