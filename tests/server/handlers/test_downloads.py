"""GET and HEAD /download/files: whole files, versions, names, who may have them."""

import re
from email.utils import formatdate, parsedate_to_datetime
from urllib.parse import unquote

import pytest
from tests.server.api import Api, HeldClock, error_of
from tests.server.in_process import TestClient
from tests.server.uploading import md5

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import Rename

DATA = bytes(range(256)) * 10_000


def path_of(object_key: str) -> str:
    return f"/download/files/{object_key}"


def test_a_download_is_the_original_with_its_length(api: Api) -> None:
    file = api.file("photo.jpg", DATA, last_modified_at=1_600_000_000_999)
    answer = api.get(path_of(file.object_key))
    assert answer.status_code == 200
    assert answer.content == DATA
    assert answer.headers["content-length"] == str(len(DATA))
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["etag"] == f'"{md5(DATA)}"'
    assert answer.headers["last-modified"] == formatdate(1_600_000_000, usegmt=True)
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["cache-control"] == "private, no-cache"


def test_head_shows_the_same_without_a_byte(api: Api) -> None:
    file = api.file("a.bin", DATA)
    got, reported = api.get(path_of(file.object_key)), api.request("HEAD", path_of(file.object_key))
    assert (reported.status_code, reported.content) == (200, b"")
    own = {"x-request-id", "date"}
    assert {k: v for k, v in reported.headers.items() if k not in own} == {
        k: v for k, v in got.headers.items() if k not in own
    }


def test_head_knows_no_ranges(api: Api) -> None:
    file = api.file("a.bin", DATA)
    reported = api.request("HEAD", path_of(file.object_key), headers={"range": "bytes=0-9"})
    assert (reported.status_code, reported.headers["content-length"]) == (200, str(len(DATA)))


def test_an_empty_file_is_nothing(api: Api) -> None:
    answer = api.get(path_of(api.file("empty", b"").object_key))
    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", "0")


def test_uploaded_content_never_runs_as_our_page(api: Api) -> None:
    answer = api.get(path_of(api.file("evil.html", b"<script>alert(1)</script>").object_key))
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "allow-scripts" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("name", "fallback"),
    [
        ("plain.txt", "plain.txt"),
        ("two words.txt", "two words.txt"),
        ('quo"te.txt', "quo_te.txt"),
        ("back\\slash.txt", "back_slash.txt"),
        ("100%.txt", "100_.txt"),
        ("smörgåsbord.txt", "sm_rg_sbord.txt"),
        ("日本.png", "__.png"),
        ("safe\u202egpj.exe", "safe_gpj.exe"),
        ("😀'(1);filename=x.sh", "_'(1);filename=x.sh"),
        ("a\u2028b", "a_b"),
    ],
)
def test_a_download_is_saved_under_its_exact_name(api: Api, name: str, fallback: str) -> None:
    header = api.get(path_of(api.file(name, b"x").object_key)).headers["content-disposition"]
    assert header.isascii()
    found = re.fullmatch(r"""attachment; filename\*=UTF-8''(\S+); filename="([^"\\]*)\"""", header)
    assert found is not None
    encoded, plain = found.groups()
    assert plain == fallback
    assert unquote(encoded) == name
    assert not set(encoded) & set(" \"';(),/:<=>?@[\\]{}")


def test_a_version_can_be_asked_for_by_its_number(api: Api) -> None:
    key = api.file("a.txt", b"first").object_key
    api.file("a.txt", b"second")
    assert api.get(path_of(key)).content == b"second"
    assert api.get(path_of(key), params={"version": 2}).content == b"second"
    old = api.get(path_of(key), params={"version": 1})
    assert (old.content, old.headers["etag"]) == (b"first", f'"{md5(b"first")}"')
    assert error_of(api.get(path_of(key), params={"version": 3})) == (404, "SKY3003")
    assert error_of(api.get(path_of(key), params={"version": 0})) == (400, "SKY1000")
    assert error_of(api.get(path_of(key), params={"version": "x"})) == (400, "SKY1000")


def test_a_folder_cannot_be_downloaded(api: Api) -> None:
    assert error_of(api.get(path_of(api.folder("f").object_key))) == (400, "SKY3021")
    assert error_of(api.get(path_of(api.root_key))) == (400, "SKY3021")


def test_what_is_trashed_foreign_or_unknown_is_all_the_same_not_found(api: Api, other_api: Api) -> None:
    trashed, folder, foreign = api.file("a"), api.folder("f"), other_api.file("b")
    below = api.file("c", b"c", folder.object_key)
    api.trash(trashed.object_key, folder.object_key)
    unknown = api.get(path_of("0" * 32))
    assert error_of(unknown) == (404, "SKY3000")
    for key in (trashed.object_key, below.object_key, foreign.object_key, "nonsense"):
        for params in ({}, {"version": 1}):
            answer = api.get(path_of(key), params=params)
            assert (answer.status_code, answer.content) == (404, unknown.content)
        assert api.request("HEAD", path_of(key)).status_code == 404


def test_keys_are_taken_in_either_case(api: Api) -> None:
    assert api.get(path_of(api.file("a", b"x").object_key.lower())).content == b"x"


def test_a_session_a_cookie_or_a_nonce_opens_downloads(api: Api, anonymous: TestClient, clock: HeldClock) -> None:
    path = path_of(api.file("a", DATA).object_key)
    assert error_of(anonymous.get(path)) == (401, "TEJGA0401")
    nonce = api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]}).json()["nonce"]
    anonymous.cookies.clear()
    assert anonymous.get(path, params={"nonce": nonce}).content == DATA
    assert error_of(anonymous.get(path, params={"nonce": "other"})) == (401, "TEJGA0401")
    assert anonymous.get(path, headers={"cookie": f"skyshelf_nonce={nonce}"}).content == DATA
    clock.advance(minutes=11)
    assert error_of(anonymous.get(path, params={"nonce": nonce})) == (401, "TEJGA0401")


def test_a_nonce_opens_nothing_of_another_account(api: Api, other_api: Api, anonymous: TestClient) -> None:
    nonce = api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]}).json()["nonce"]
    anonymous.cookies.clear()
    foreign = path_of(other_api.file("a", DATA).object_key)
    assert error_of(anonymous.get(foreign, params={"nonce": nonce})) == (404, "SKY3000")


def test_downloads_need_no_content_type_and_no_language(api: Api) -> None:
    path = path_of(api.file("a", b"x").object_key)
    assert api.get(path, without=("content-type", "accept-language")).content == b"x"


def test_a_missing_blob_is_a_server_error_and_never_a_short_file(
    api: Api, ctx: ServiceContext, caplog: pytest.LogCaptureFixture
) -> None:
    file = api.file("a", DATA)
    with ctx.metadata.read() as unit:
        location = unit.files.version(api.account.account_id, file.object_key).location
    ctx.blobs.delete(location)
    for method in ("GET", "HEAD"):
        assert api.request(method, path_of(file.object_key)).status_code == 500
    assert error_of(api.get(path_of(file.object_key), headers={"range": "bytes=0-1"})) == (500, "SKY5004")
    assert location in caplog.text


def test_a_truncated_blob_is_a_server_error(api: Api, ctx: ServiceContext) -> None:
    file = api.file("a", DATA)
    with ctx.metadata.read() as unit:
        location = unit.files.version(api.account.account_id, file.object_key).location
    path = ctx.blobs.local_path(location)
    assert path is not None
    path.write_bytes(DATA[:-1])
    assert error_of(api.get(path_of(file.object_key))) == (500, "SKY5004")


def test_a_renamed_file_has_the_type_of_its_content_and_its_new_name(api: Api) -> None:
    file = api.file("a.png", b"x")
    changes, now = [Rename(file.object_key, "b.png")], api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.tree.apply(api.account.account_id, changes, now))
    answer = api.get(path_of(file.object_key))
    assert 'filename="b.png"' in answer.headers["content-disposition"]
    assert answer.headers["content-type"] == "image/png"


def test_the_date_of_a_download_is_a_date_of_http(api: Api, clock: HeldClock) -> None:
    answer = api.get(path_of(api.file("a", b"x").object_key))
    assert parsedate_to_datetime(answer.headers["last-modified"]).timestamp() == clock.now() // 1000
