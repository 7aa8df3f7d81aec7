"""Thumbnails through the interface: form, size, and what has none."""

import hashlib
import io

import pytest
from PIL import Image
from tests.server.api import Api, error_of

from skyshelf.service.media.pool import MediaBusy, Workers
from skyshelf.storage.metadata.sql import bounds
from skyshelf.wire import error_codes as codes


def picture(width: int = 1600, height: int = 1200) -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (width, height), (200, 40, 40)).save(held, "JPEG")
    return held.getvalue()


def shown(content: bytes) -> tuple[str | None, tuple[int, int]]:
    with Image.open(io.BytesIO(content)) as image:
        return image.format, image.size


@pytest.mark.parametrize(("accept", "form"), [("*/*", "JPEG"), ("image/jpeg", "JPEG"), ("image/webp,*/*", "WEBP")])
def test_a_picture_has_a_thumbnail_in_jpeg_or_in_webp_where_that_is_accepted(api: Api, accept: str, form: str) -> None:
    file = api.file("a.jpg", picture())
    answer = api.get(f"/download/avimages/{file.object_key}", headers={"Accept": accept})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == f"image/{form.lower()}"
    assert shown(answer.content) == (form, (512, 384))


@pytest.mark.parametrize("size", [256, 512, 1080])
def test_a_thumbnail_fits_the_size_that_is_asked_for(api: Api, size: int) -> None:
    file = api.file("a.jpg", picture())
    answer = api.get(f"/download/avimages/{file.object_key}", params={"size": size})
    assert shown(answer.content) == ("JPEG", (size, size * 3 // 4))


def test_a_thumbnail_is_made_once_and_not_sent_twice(api: Api) -> None:
    file = api.file("a.jpg", picture())
    path = f"/download/avimages/{file.object_key}"
    first = api.get(path)
    blobs = len(list(api.ctx.blobs.list()))
    again = api.get(path)
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
    assert len(list(api.ctx.blobs.list())) == blobs
    known = api.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_a_thumbnail_is_kept_for_good_where_its_address_names_the_content_that_it_shows(api: Api) -> None:
    file = api.file("a.jpg", picture())
    path = f"/download/avimages/{file.object_key}"
    content = hashlib.md5(picture(), usedforsecurity=False).hexdigest()
    named = api.get(path, params={"of": content})
    assert named.headers["cache-control"] == "private, max-age=31536000, immutable"
    changed = api.file("a.jpg", picture(800, 800))
    assert changed.object_key == file.object_key
    for query in ({"of": content}, {"of": "2"}, {}):
        answer = api.get(path, params=query)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "private, no-cache"), query
        assert shown(answer.content) == ("JPEG", (512, 512))


def test_what_has_no_thumbnail_is_not_found(api: Api) -> None:
    text = api.file("a.txt", b"just text").object_key
    broken = api.file("broken.jpg", b"no picture at all").object_key
    folder = api.folder("a folder").object_key
    for key in (text, broken, folder, "0" * 32):
        answer = api.get(f"/download/avimages/{key}")
        assert answer.status_code == 404, answer.text
        error_of(answer)


def test_an_account_that_has_its_share_gets_no_further_thumbnails_and_keeps_those_it_has(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skyshelf.service.process.reservations.THUMBNAIL_SECONDS", 0.0)
    first, second = (api.file(f"{number}.jpg", picture(800 + number)).object_key for number in range(2))
    before = api.get(f"/download/avimages/{first}")
    assert before.status_code == 200
    limit = f"{bounds.__name__}.limits.THUMBNAIL_BYTES_ALWAYS"
    with api.ctx.metadata.read() as unit:
        quota = unit.quotas.get(api.account.account_id, api.ctx.clock.now()).allocated
    monkeypatch.setattr(limit, len(before.content) - quota)
    blobs = len(list(api.ctx.blobs.list()))
    assert error_of(api.get(f"/download/avimages/{second}")) == (404, codes.NO_THUMBNAIL.code)
    assert len(list(api.ctx.blobs.list())) == blobs
    assert api.get(f"/download/avimages/{first}").content == before.content
    monkeypatch.setattr(limit, 2 * len(before.content) - quota)
    assert api.get(f"/download/avimages/{second}").status_code == 200


def test_who_finds_all_places_taken_is_asked_to_come_back(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise MediaBusy

    file = api.file("a.jpg", picture())
    with monkeypatch.context() as patched:
        patched.setattr(Workers, "submit", full)
        answer = api.get(f"/download/avimages/{file.object_key}")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
    assert api.get(f"/download/avimages/{file.object_key}").status_code == 200
