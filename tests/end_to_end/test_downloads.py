"""Downloads and thumbnails by plain HTTP, from servers that are killed while the bytes go out."""

import io
import json
import os
from pathlib import Path

import httpx2
import pytest
from PIL import Image
from tests.end_to_end.plain_client import PlainClient, md5
from tests.real_parts.servers import Stack
from tests.service.pictures import encoded, video

pytestmark = pytest.mark.plain

MIB = 1024 * 1024


def test_parts_and_conditions_are_answered_as_http_says(stack: Stack, client: PlainClient) -> None:
    data = os.urandom(3 * MIB + 5)
    key = client.upload("ranges.bin", data)["objectKey"]
    path, etag = f"/download/files/{key}", f'"{md5(data)}"'
    told = client.request("HEAD", path)
    assert (told.status_code, told.content, told.headers["content-length"]) == (200, b"", str(len(data)))
    assert (told.headers["etag"], told.headers["accept-ranges"]) == (etag, "bytes")
    stack.strike()
    for asked, expected in (("bytes=0-0", data[:1]), (f"bytes={MIB}-", data[MIB:]), ("bytes=-7", data[-7:])):
        answer = client.get(path, headers={"Range": asked, "If-Range": etag})
        assert (answer.status_code, answer.content) == (206, expected)
        assert answer.headers["content-range"].endswith(f"/{len(data)}")
    outdated = client.get(path, headers={"Range": "bytes=0-0", "If-Range": '"something else"'})
    assert (outdated.status_code, outdated.content) == (200, data)
    assert client.get(path, headers={"Range": f"bytes={len(data)}-"}).status_code == 416
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    assert client.get(f"/download/files/{client.root}").status_code == 400


def test_many_small_files_come_in_one_answer_from_any_server(stack: Stack, client: PlainClient) -> None:
    contents = [os.urandom(size) for size in (0, 1, 70_000, 1_000_000)]
    keys = [client.upload(f"small {number}.bin", data)["objectKey"] for number, data in enumerate(contents)]
    stack.strike()
    for _ in stack.urls:
        body = client.get(f"/x/v1/contents?objectKeys={','.join(keys)}").content
        for key, data in zip(keys, contents, strict=True):
            head, _, body = body.partition(b"\n")
            assert json.loads(head) == {"objectKey": key, "sizeInBytes": len(data), "hash": md5(data)}
            assert body.startswith(data)
            body = body[len(data) :]
        assert body == b""


def test_a_download_goes_on_from_where_it_was_when_its_server_was_killed(stack: Stack, client: PlainClient) -> None:
    data = os.urandom(32 * MIB)
    key = client.upload("large.bin", data)["objectKey"]
    victim = stack.urls[0]
    received = bytearray()

    def until_it_breaks() -> None:
        with httpx2.stream("GET", f"{victim}/download/files/{key}", headers=client.headers) as answer:
            pieces = answer.iter_bytes(MIB)
            received.extend(next(pieces))
            stack.strike(victim)
            for piece in pieces:
                received.extend(piece)

    with pytest.raises(httpx2.TransportError):
        until_it_breaks()
    assert 0 < len(received) < len(data)
    resuming = {"Range": f"bytes={len(received)}-", "If-Range": f'"{md5(data)}"'}
    rest = client.get(f"/download/files/{key}", headers=resuming)
    assert rest.status_code == 206
    assert bytes(received) + rest.content == data


def test_a_nonce_opens_downloads_to_a_browser_by_cookie_or_query(stack: Stack, client: PlainClient) -> None:
    key = client.upload("private.txt", b"private")["objectKey"]
    answer = client.request("POST", "/security/getokenforcookie", json={"jwt": client.session["jwt"]})
    assert answer.status_code == 200
    nonce = answer.json()["nonce"]
    cookie = answer.headers["set-cookie"]
    assert nonce in cookie
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    name = cookie.partition("=")[0]
    stack.strike()
    with PlainClient(client.urls) as browser:
        path = f"/download/files/{key}"
        assert browser.get(path).status_code == 401
        assert browser.get(path, headers={"Cookie": f"{name}={nonce}"}).content == b"private"
        assert browser.get(path, params={"nonce": nonce}).content == b"private"
        assert browser.get("/security/users", headers={"Cookie": f"{name}={nonce}"}).status_code == 401


def test_pictures_films_and_papers_have_thumbnails(stack: Stack, client: PlainClient, tmp_path: Path) -> None:
    contents = {
        "photo.jpg": encoded("JPEG"),
        "photo.heic": encoded("HEIF"),
        "film.mp4": video(tmp_path / "film.mp4").read_bytes(),
        "paper.pdf": encoded("PDF"),
    }
    keys = {name: client.upload(name, data)["objectKey"] for name, data in contents.items()}
    assert client.get(f"/download/avimages/{keys['photo.jpg']}").status_code == 200
    stack.strike()
    for name, key in keys.items():
        answer = client.get(f"/download/avimages/{key}", params={"size": 256}, headers={"Accept": "image/webp"})
        assert answer.status_code == 200, (name, answer.text)
        assert answer.headers["content-type"] == "image/webp"
        with Image.open(io.BytesIO(answer.content)) as picture:
            assert max(picture.size) == 256, name
        known = client.get(
            f"/download/avimages/{key}",
            params={"size": 256},
            headers={"Accept": "image/webp", "If-None-Match": answer.headers["etag"]},
        )
        assert known.status_code == 304
    for name, data in (("text.txt", b"text"), ("broken.jpg", b"\xff\xd8\xff not a picture")):
        key = client.upload(name, data)["objectKey"]
        assert client.get(f"/download/avimages/{key}").status_code == 404
