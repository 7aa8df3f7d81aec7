"""What a process remembers of its answers, and how much."""

import os
from typing import Any

import pytest
from starlette.types import Scope
from tests.server.api import Api
from tests.server.handlers.test_thumbnails import picture

from skyshelf.server import remembered_answers
from skyshelf.server.fast_path import FastPath
from skyshelf.server.remembered_answers import Answered, Known, RememberedAnswers
from skyshelf.service.context import ServiceContext


def known(version: object = 1) -> Known:
    return Known(Answered(200, [], b""), version, [])


def test_an_answer_holds_for_its_version_alone() -> None:
    answers = RememberedAnswers()
    one = known(1)
    answers.keep("question", one, 5)
    assert answers.get("question", 1) is one
    assert answers.get("question", 2) is None
    assert answers.get("another", 1) is None


def test_the_oldest_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_answers, "ANSWERS_REMEMBERED", 2)
    answers = RememberedAnswers()
    for number in range(3):
        answers.keep(number, known(), 5)
    assert [answers.get(number, 1) is not None for number in range(3)] == [False, True, True]


def test_contents_together_stay_within_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered_answers, "CONTENTS_BYTES_MAX", 25)
    answers = RememberedAnswers()
    ones = [known() for _ in range(3)]
    for number, one in enumerate(ones):
        answers.keep(number, one, 5)
        answers.keep_content(one, bytes(10))
    assert [one.content for one in ones] == [None, bytes(10), bytes(10)]
    answers.keep(1, known(), 6)
    answers.keep_content(ones[2], bytes(10))
    fourth = known()
    answers.keep(4, fourth, 6)
    answers.keep_content(fourth, bytes(10))
    assert (ones[1].content, ones[2].content, fourth.content) == (None, bytes(10), bytes(10))


def test_a_large_content_or_one_of_a_forgotten_answer_is_not_kept() -> None:
    answers = RememberedAnswers()
    one, forgotten = known(), known()
    answers.keep(1, one, 5)
    answers.keep_content(one, bytes(remembered_answers.CONTENT_BYTES_MAX + 1))
    answers.keep_content(forgotten, b"a")
    assert (one.content, forgotten.content) == (None, None)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Answered]:
    """The answers of the fast path, which was asked for open files."""
    found: list[Answered] = []
    answer = FastPath.answer

    def noted(self: FastPath, scope: Scope, **_: Any) -> Answered | None:
        answered = answer(self, scope, files=True)
        if answered is None:
            return None
        found.append(answered)
        return answered

    monkeypatch.setattr(FastPath, "answer", noted)
    return found


def test_a_verified_file_is_given_open_and_an_unverified_one_as_bytes(api: Api, given: list[Answered]) -> None:
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
    api: Api, ctx: ServiceContext, given: list[Answered], monkeypatch: pytest.MonkeyPatch
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
    one = Known(Answered(200, [], b""), 1, headers)
    assert one.lines == b'etag: "a"\r\ncontent-length: 3\r\n'
    assert one.lines is one.lines
    for value in (b"a\r\nset-cookie: b", b"a\nb"):
        with pytest.raises(ValueError, match="line break"):
            _ = Known(Answered(200, [], b""), 1, [(b"x-name", value)]).lines
