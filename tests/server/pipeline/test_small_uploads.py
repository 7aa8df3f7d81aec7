"""Small uploads, which one thread stores: answered as the careful way would, which does all that is refused."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from tests.server.api import Api, error_of
from tests.server.pipeline.places import figures_of, in_threads
from tests.server.uploading import described, form, upload

from skyshelf.server.api import uploads
from skyshelf.server.app import SkyshelfApp
from skyshelf.server.pipeline import small_uploads
from skyshelf.server.pipeline.admission.kinds import UPLOADS
from skyshelf.server.pipeline.bodies import BLOCK
from skyshelf.service.context import ServiceContext
from skyshelf.service.uploads import commit
from skyshelf.storage.errors import NameTaken, StoreUnavailable
from skyshelf.wire import error_codes as codes

Answer = tuple[int, dict[str, str], Any]
OF_THE_FILE = {"objectKey", "objectName", "displayName", "url"}


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each upload that was tried as a small one was stored so; one that raises was not refused."""
    noted: list[bool] = []

    async def note(*arguments: Any) -> Any:
        noted.append(True)
        stored = await small_uploads.store_small(*arguments)
        noted[-1] = stored is not None
        return stored

    monkeypatch.setattr(uploads, "store_small", note)
    return noted


def shown(answer: httpx2.Response) -> Answer:
    headers = {k: v for k, v in answer.headers.items() if k not in {"x-request-id", "date", "content-length"}}
    body = answer.json()
    return answer.status_code, headers, {k: v for k, v in body.items() if k not in OF_THE_FILE}


def asked_of_both(app: SkyshelfApp, call: Callable[[str], httpx2.Response]) -> tuple[Answer, Answer]:
    """The answers of the careful way and of the quick one."""
    with in_threads(app):
        slow = shown(call("slow.txt"))
    return slow, shown(call("fast.txt"))


@pytest.mark.parametrize("size", [0, 1, 100_000])
@pytest.mark.parametrize("file_first", [False, True])
def test_uploads_are_what_the_careful_way_answers(
    app: SkyshelfApp, api: Api, answered: list[bool], size: int, file_first: bool
) -> None:
    data = bytes(size)
    slow, fast = asked_of_both(app, lambda name: upload(api, name, data, file_first=file_first))
    assert fast == slow
    assert fast[0] == 201
    assert answered == [True]
    assert upload(api, "fast.txt", b"next").json()["version"] == 2
    assert answered == [True, True]


def test_each_upload_is_read_by_its_own_boundary_and_length(api: Api, answered: list[bool]) -> None:
    for number, boundary in enumerate(("one", "another-one", "x" * 70)):
        data = b"--one\r\n" * number
        body, headers = form(
            ("metadataString", json.dumps(described(api, f"{number}", data)).encode()),
            ("file", data),
            boundary=boundary,
        )
        stored = api.post("/upload/files", content=body, headers=headers)
        assert (stored.status_code, stored.json()["sizeInBytes"]) == (201, len(data))
    # The content of the second one holds what looks like the boundary of the first, which is not its own.
    assert answered == [True] * 3


def test_what_is_refused_goes_the_careful_way_and_leaves_no_byte(
    app: SkyshelfApp, api: Api, other_api: Api, ctx: ServiceContext, answered: list[bool]
) -> None:
    api.folder("taken")
    file = api.file("file.txt", b"")
    blobs = len(list(ctx.blobs.list()))
    refused: list[Callable[[str], httpx2.Response]] = [
        lambda name: upload(api, name, b"abc", hash="0" * 32),
        lambda name: upload(api, name, b"abc", size=4),
        lambda name: upload(api, name, b"abc", size=2),
        lambda name: upload(api, name, b"abc", folderKey=other_api.root_key),
        lambda name: upload(api, name, b"abc", folderKey=file.object_key),
        lambda _name: upload(api, "taken", b"abc"),
        lambda name: upload(api, name, b"abc", metadata="{"),
        lambda name: upload(api, name, b"abc", metadata={"name": name}),
        lambda _name: api.post("/upload/files", content=form(("file", b"a"))[0], headers=form()[1]),
        lambda _name: api.post("/upload/files", content=form(("file", b"a"), ("file", b"b"))[0], headers=form()[1]),
        lambda _name: api.post("/upload/files", content=b"no form", headers=form()[1]),
        lambda _name: api.post("/upload/files", content=b"x", headers={"content-type": "text/plain"}),
        lambda name: upload(api, name, b"abc", boardKey="0" * 32),
    ]
    for call in refused:
        slow, fast = asked_of_both(app, call)
        assert fast == slow
        assert fast[0] >= 400
    assert not any(answered)
    assert len(list(ctx.blobs.list())) == blobs


def test_a_large_upload_goes_the_careful_way_and_one_without_a_length_need_not(api: Api, answered: list[bool]) -> None:
    assert upload(api, "large", bytes(BLOCK)).status_code == 201
    assert answered == []
    body, headers = form(("metadataString", json.dumps(described(api, "a", b"a")).encode()), ("file", b"a"))
    assert api.post("/upload/files", content=iter([body]), headers=headers).status_code == 201
    assert answered == [True]


def test_a_session_that_has_ended_is_refused_at_its_next_upload(api: Api, answered: list[bool]) -> None:
    assert upload(api, "a", b"a").status_code == 201
    assert api.put("/security/users/logout").status_code < 300
    assert upload(api, "b", b"b").status_code == 401
    assert answered == [True]


def test_a_commit_that_fails_goes_the_careful_way_and_its_copy_is_deleted(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch, answered: list[bool]
) -> None:
    taken = [NameTaken("in that moment")]

    def fails_once(*arguments: Any) -> list[Any]:
        return [taken.pop()] if taken else put_together(*arguments)

    put_together = commit.put_together
    monkeypatch.setattr(commit, "put_together", fails_once)
    assert upload(api, "a", b"abc").status_code == 201
    assert answered == [False]
    assert len(list(ctx.blobs.list())) == 1


def test_an_upload_that_may_have_been_committed_is_not_tried_again(
    api: Api, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch, answered: list[bool]
) -> None:
    calls: list[object] = []

    def lost(_unit: object, puts: list[object]) -> list[Exception]:
        calls.extend(puts)
        return [StoreUnavailable("lost in the commit")]

    monkeypatch.setattr(commit, "put_together", lost)
    assert error_of(upload(api, "a", b"abc")) == (503, codes.STORE_UNAVAILABLE.code)
    assert (len(calls), answered) == (1, [True])
    # Its bytes stay: the sweeper finds out whether they are referred to.
    assert len(list(ctx.blobs.list())) == 1


def test_every_place_is_given_back(app: SkyshelfApp, api: Api, ctx: ServiceContext) -> None:
    for number in range(3 * UPLOADS.share):
        wrong: dict[str, Any] = {"hash": "0" * 32} if number % 2 else {}
        upload(api, "a", b"%d" % number, **wrong)
    figures = figures_of(app)
    assert (figures["uploads"].in_use, figures["uploads"].waiting) == (0, 0)
