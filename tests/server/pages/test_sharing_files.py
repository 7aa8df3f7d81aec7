"""Content behind a share link: one file, its thumbnail, and everything as one ZIP."""

import hashlib
import io
import zipfile

import pytest
from tests.server.api import Api
from tests.server.sharing import Link, share
from tests.service.pictures import encoded


def with_limit(link: Link, downloads: int) -> Link:
    link.edit(download_limit=downloads)
    return link


def test_a_file_is_downloaded_whole_and_under_its_name(api: Api) -> None:
    data = bytes(range(256)) * 9000
    file = api.file("Grüße.bin", data)
    answer = share(api, file.object_key).file(file.object_key)
    assert answer.content == data
    assert answer.headers["content-length"] == str(len(data))
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert "filename*=UTF-8''Gr%C3%BC%C3%9Fe.bin" in answer.headers["content-disposition"]
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_file_can_be_had_in_ranges(api: Api) -> None:
    file = api.file("a.bin", b"0123456789")
    link = share(api, file.object_key)
    part = link.file(file.object_key, headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"234", "bytes 2-4/10")
    assert link.file(file.object_key, headers={"Range": "bytes=20-"}).status_code == 416
    again = link.file(file.object_key, headers={"If-None-Match": part.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.xml", "a.js", "a.txt", "a.xhtml", "a", "a.exe", "a.css"])
@pytest.mark.parametrize("params", [{}, {"view": "1"}])
def test_content_that_could_run_as_our_page_is_sent_as_an_attachment(
    api: Api, name: str, params: dict[str, str]
) -> None:
    file = api.file(name, b"<script>alert(1)</script>")
    answer = share(api, file.object_key).file(file.object_key, params=params)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.gif", "a.avif", "a.mp4", "a.webm", "a.mp3", "a.flac"])
def test_pictures_films_and_sounds_can_be_viewed_in_a_sandbox(api: Api, name: str) -> None:
    file = api.file(name)
    answer = share(api, file.object_key).file(file.object_key, params={"view": "1"})
    assert answer.headers["content-disposition"].startswith("inline;")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_pdf_can_be_viewed_and_runs_nothing_as_us(api: Api) -> None:
    file = api.file("a.pdf")
    answer = share(api, file.object_key).file(file.object_key, params={"view": "1"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"].startswith("inline;")
    assert "script-src 'none'" in answer.headers["content-security-policy"]


def test_thumbnails_are_made_for_visitors_too(api: Api) -> None:
    file = api.file("a.jpg", encoded("JPEG"))
    link = share(api, file.object_key)
    answer = link.thumbnail(file.object_key, params={"size": "256"}, headers={"Accept": "image/webp,*/*"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/webp")
    assert answer.content[8:12] == b"WEBP"
    plain = link.thumbnail(file.object_key, headers={"Accept": "image/png"})
    assert plain.headers["content-type"] == "image/jpeg"
    known = {"Accept": "image/png", "If-None-Match": plain.headers["etag"]}
    assert link.thumbnail(file.object_key, headers=known).status_code == 304


def test_a_file_without_a_thumbnail_is_not_found(api: Api) -> None:
    broken, text = api.file("a.jpg", b"no picture"), api.file("a.txt")
    link = share(api, broken.object_key, text.object_key)
    assert link.thumbnail(broken.object_key).status_code == 404
    assert link.thumbnail(text.object_key).status_code == 404


def test_downloads_are_counted_and_the_rest_of_one_is_not(api: Api) -> None:
    file = api.file("a.mp4", b"0123456789")
    link = share(api, file.object_key)
    link.file(file.object_key)
    link.file(file.object_key, headers={"Range": "bytes=0-"})
    link.zip()
    assert link.share.downloads == 3
    link.file(file.object_key, headers={"Range": "bytes=5-"})
    link.file(file.object_key, params={"view": "1"})
    link.file(file.object_key, method="HEAD")
    link.get("/l/zip", method="HEAD")
    assert link.share.downloads == 3


def test_a_share_with_a_limit_gives_exactly_that_many_downloads(api: Api) -> None:
    file = api.file("a.txt")
    link = with_limit(share(api, file.object_key), 2)
    statuses = [link.file(file.object_key).status_code, link.zip().status_code, link.file(file.object_key).status_code]
    assert statuses == [200, 200, 404]
    assert "reached its download limit" in link.zip().text


def test_a_limit_cannot_be_gone_around_by_parts_or_by_viewing(api: Api) -> None:
    file = api.file("a.mp4", b"0123456789")
    link = with_limit(share(api, file.object_key), 1)
    assert "<video" not in link.page().text
    part = link.file(file.object_key, headers={"Range": "bytes=5-"}, params={"view": "1"})
    assert (part.status_code, part.content) == (200, b"0123456789")
    assert part.headers["content-disposition"].startswith("attachment;")
    assert link.file(file.object_key, headers={"Range": "bytes=0-4"}).status_code == 404


def test_a_text_of_a_share_with_a_limit_is_not_given_away_by_its_preview(api: Api) -> None:
    link = with_limit(share(api, api.file("a.txt", b"the whole secret").object_key), 1)
    assert "the whole secret" not in link.page().text


def test_everything_comes_as_one_zip_with_its_folders(api: Api) -> None:
    folder = api.folder("Trip")
    inner = api.folder("Day 1", folder.object_key)
    api.folder("empty", folder.object_key)
    api.file("plan.txt", b"plan", folder.object_key)
    api.file("über.jpg", b"picture", inner.object_key)
    file = api.file("top.txt", b"top")
    assert share(api, file.object_key, folder.object_key).unzipped() == {
        "top.txt": b"top",
        "Trip/": b"",
        "Trip/Day 1/": b"",
        "Trip/Day 1/über.jpg": b"picture",
        "Trip/empty/": b"",
        "Trip/plan.txt": b"plan",
    }


def test_one_folder_of_a_share_can_be_downloaded_as_a_zip(api: Api) -> None:
    folder = api.folder("Trip")
    inner = api.folder("Day 1", folder.object_key)
    api.file("a.jpg", b"picture", inner.object_key)
    api.file("b.txt", b"text", folder.object_key)
    link = share(api, folder.object_key)
    assert link.unzipped(inner.object_key) == {"Day 1/": b"", "Day 1/a.jpg": b"picture"}
    assert "filename*=UTF-8''Day%201.zip" in link.zip(inner.object_key).headers["content-disposition"]


def test_the_length_of_a_zip_is_announced(api: Api) -> None:
    link = share(api, api.file("a.bin", bytes(3_000_000)).object_key)
    answer = link.zip()
    assert answer.headers["content-length"] == str(len(answer.content))
    assert link.get("/l/zip", method="HEAD").headers["content-length"] == str(len(answer.content))


def test_names_that_are_alike_or_hostile_are_made_safe_in_a_zip(api: Api) -> None:
    one, two = api.folder("one"), api.folder("two")
    keys = [
        api.file("same.txt", b"1", one.object_key).object_key,
        api.file("SAME.txt", b"2", two.object_key).object_key,
        api.file("..\\evil.bat", b"3").object_key,
        api.file("CON", b"4").object_key,
        api.file("turn\u202e.txt", b"5").object_key,
    ]
    assert share(api, *keys).unzipped() == {
        "same.txt": b"1",
        "SAME (1).txt": b"2",
        ".._evil.bat": b"3",
        "_CON": b"4",
        "turn_.txt": b"5",
    }


def test_what_is_trashed_is_not_in_the_zip(api: Api) -> None:
    folder = api.folder("Trip")
    api.file("kept.txt", b"kept", folder.object_key)
    gone = api.file("gone.txt", b"gone", folder.object_key)
    api.trash(gone.object_key)
    assert share(api, folder.object_key).unzipped() == {"Trip/": b"", "Trip/kept.txt": b"kept"}


def test_a_folder_of_many_files_is_zipped_whole(api: Api) -> None:
    folder = api.folder("many")
    stored = api.ctx.blobs.put([b"same"])
    for number in range(1203):
        api.file(f"{number}.txt", b"same", folder.object_key, location=stored.location)
    assert len(share(api, folder.object_key).unzipped()) == 1204


def test_a_zip_keeps_to_what_was_there_when_it_began(api: Api) -> None:
    from skyshelf.service.archives.archive import archive_bytes
    from skyshelf.service.sharing.visitor import plan_share_archive

    file = api.file("a.txt", b"old content")
    link = share(api, file.object_key)
    archive = plan_share_archive(api.ctx, link.share, None)
    api.file("a.txt", b"newer and longer content")
    whole = b"".join(archive_bytes(api.ctx, link.share.account_id, archive))
    assert len(whole) == archive.length
    with zipfile.ZipFile(io.BytesIO(whole)) as found:
        assert hashlib.md5(found.read("a.txt")).hexdigest() == file.md5
