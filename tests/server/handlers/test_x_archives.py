"""One ZIP of what somebody has chosen: folders, files, and files on boards."""

import io
import zipfile
from typing import Any

import httpx2
import pytest
from tests.server.api import Api, HeldClock
from tests.server.on_boards import add, create, join
from tests.server.sharing import share

from skyshelf.service.archives.archive import LIFETIME_MS
from skyshelf.storage.metadata.sqlite.dialect import SqliteSql


def prepared(api: Api, *keys: str) -> str:
    """The path of a new archive."""
    answer = api.post("/x/v1/archives", json={"objectKeys": list(keys), "archiveName": "Three things"})
    assert answer.status_code == 201, answer.text
    return f"/download/archives/{answer.json()['archiveKey']}"


def unzipped(answer: httpx2.Response) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_folders_and_files_come_as_one_zip_that_a_plain_link_downloads(api: Api) -> None:
    folder = api.folder("Trip")
    inner = api.folder("Day 1", folder.object_key)
    api.file("a.jpg", b"picture", parent_key=inner.object_key)
    file = api.file("b.txt", b"text")
    path = prepared(api, folder.object_key, file.object_key, "0" * 32)
    nonce = api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]}).json()["nonce"]
    answer = api.client.get(path, params={"nonce": nonce})
    assert unzipped(answer) == {"Trip/": b"", "Trip/Day 1/": b"", "Trip/Day 1/a.jpg": b"picture", "b.txt": b"text"}
    assert "filename*=UTF-8''Three%20things.zip" in answer.headers["content-disposition"]
    head = api.request("HEAD", path)
    assert (head.headers["content-length"], head.content) == (str(len(answer.content)), b"")
    only = api.get(prepared(api, folder.object_key))
    assert "filename*=UTF-8''Trip.zip" in only.headers["content-disposition"]


def test_an_interrupted_download_is_resumed_unless_something_changed(api: Api) -> None:
    keys = [api.file(f"{number}.bin", bytes([number]) * 70_000).object_key for number in range(4)]
    link = share(api, *keys)
    for path, params in ((prepared(api, *keys), {}), ("/l/zip", {"u": link.token})):
        whole = api.get(path, params=params)
        etag = whole.headers["etag"]
        assert whole.headers["accept-ranges"] == "bytes"
        for start in (1, 100_000, len(whole.content) - 1):
            headers = {"Range": f"bytes={start}-", "If-Range": etag}
            rest = api.get(path, params=params, headers=headers)
            assert (rest.status_code, rest.content) == (206, whole.content[start:])
            assert rest.headers["content-range"] == f"bytes {start}-{len(whole.content) - 1}/{len(whole.content)}"
        beyond = api.get(path, params=params, headers={"Range": f"bytes={len(whole.content)}-"})
        assert beyond.status_code == 416
        old = api.get(path, params=params, headers={"Range": "bytes=5-", "If-Range": '"of another"'})
        assert (old.status_code, len(old.content)) == (200, len(whole.content))


def test_a_limited_link_counts_every_archive_and_sends_it_whole(api: Api) -> None:
    link = share(api, api.file("a.bin", b"0123456789").object_key)
    link.edit(download_limit=1)
    answer = link.get("/l/zip", headers={"Range": "bytes=5-"})
    assert (answer.status_code, list(unzipped(answer))) == (200, ["a.bin"])
    assert "etag" not in answer.headers
    assert link.zip().status_code == 404


def test_a_file_on_a_board_is_in_the_zip_of_a_member(api: Api, other_api: Api) -> None:
    board, shown = create(other_api), other_api.file("shown.jpg", b"shown")
    hidden = other_api.file("hidden.jpg", b"hidden")
    join(other_api, board, api)
    add(other_api, board, shown.object_key)
    assert unzipped(api.get(prepared(api, shown.object_key, hidden.object_key))) == {"shown.jpg": b"shown"}


def test_an_expired_archive_is_gone_and_what_was_trashed_is_left_out(api: Api, clock: HeldClock) -> None:
    kept, trashed = api.file("kept.txt"), api.file("trashed.txt")
    path = prepared(api, kept.object_key, trashed.object_key)
    api.trash(trashed.object_key)
    assert list(unzipped(api.get(path))) == ["kept.txt"]
    assert api.post("/x/v1/archives", json={"objectKeys": ["0" * 32], "archiveName": "a"}).status_code == 404
    clock.advance(LIFETIME_MS)
    assert api.get(path).status_code == 404


def test_a_selection_is_looked_up_with_as_many_statements_for_many_keys_as_for_few(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100,000 keys took as many statements: each that was not one's own was looked for on boards."""
    asked: list[str] = []
    everything = SqliteSql.all

    def counted(sql: SqliteSql, text: str, *arguments: Any) -> Any:
        asked.append(text)
        return everything(sql, text, *arguments)

    monkeypatch.setattr(SqliteSql, "all", counted)
    file, counts = api.file("a.txt").object_key, []
    for number in (1, 500):
        asked.clear()
        keys = [file, *(api.ctx.new_key() for _ in range(number))]
        answer = api.post("/x/v1/archives", json={"objectKeys": keys, "archiveName": "A"})
        assert (answer.status_code, answer.json()["missing"]) == (201, number)
        counts.append(len(asked))
    assert counts[0] == counts[1]
