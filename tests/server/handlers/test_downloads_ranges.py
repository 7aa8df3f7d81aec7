"""Ranges and conditions of downloads."""

from email.utils import formatdate
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.server.api import Api, HeldClock, error_of
from tests.server.uploading import md5

from skyshelf.server.http.ranges import ByteRange, Unsatisfiable, can_resume, is_not_modified, range_in
from skyshelf.service.files.downloads import Original

DATA = bytes(range(256)) * 10
SIZE = len(DATA)
LONG_AGO, NOW = 1_500_000_000, 1_777_800_000

sizes = st.integers(0, 2**40)
numbers = st.integers(0, 2**40)


def http_date(seconds: int) -> str:
    return formatdate(seconds, usegmt=True)


@pytest.mark.parametrize(
    ("asked", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=0-", 0, SIZE),
        ("bytes=100-199", 100, 200),
        ("bytes=100-", 100, SIZE),
        ("bytes=-100", SIZE - 100, SIZE),
        (f"bytes={SIZE - 1}-", SIZE - 1, SIZE),
        (f"bytes=0-{10**30}", 0, SIZE),
        (f"bytes=-{10**30}", 0, SIZE),
        ("Bytes=5-6", 5, 7),
        ("bytes= 5-6 ", 5, 7),
        ("bytes=0005-6", 5, 7),
    ],
)
def test_a_range_is_answered_in_part(api: Api, asked: str, start: int, end: int) -> None:
    file = api.file("a.bin", DATA)
    answer = api.get(f"/download/files/{file.object_key}", headers={"range": asked})
    assert answer.status_code == 206
    assert answer.content == DATA[start:end]
    assert answer.headers["content-range"] == f"bytes {start}-{end - 1}/{SIZE}"
    assert answer.headers["content-length"] == str(end - start)
    assert answer.headers["etag"] == f'"{md5(DATA)}"'
    assert answer.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize("asked", [f"bytes={SIZE}-", f"bytes={SIZE}-{SIZE}", f"bytes={10**30}-", "bytes=-0"])
def test_a_range_outside_of_the_file_is_refused_with_its_size(api: Api, asked: str) -> None:
    answer = api.get(f"/download/files/{api.file('a', DATA).object_key}", headers={"range": asked})
    assert error_of(answer) == (416, "SKY1009")
    assert answer.headers["content-range"] == f"bytes */{SIZE}"


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=5-4",
        "bytes=a-b",
        "bytes=1",
        "bytes=+1-2",
        "bytes=1-2,4-5",
        "bytes=٣-٤",
        "items=0-1",
        "bytes 0-1",
        "bytes=0x1-2",
    ],
)
def test_what_is_no_range_or_several_is_answered_whole(api: Api, asked: str) -> None:
    key = api.file("a", DATA).object_key
    answer = api.get(f"/download/files/{key}", headers=[("range", asked.encode())])
    assert (answer.status_code, answer.content) == (200, DATA)


@given(size=sizes, first=numbers, last=numbers)
def test_a_range_is_cut_to_the_file(size: int, first: int, last: int) -> None:
    header = f"bytes={first}-{last}"
    if last < first:
        assert range_in(header, size) is None
    elif first >= size:
        with pytest.raises(Unsatisfiable):
            range_in(header, size)
    else:
        assert range_in(header, size) == ByteRange(first, min(last + 1, size))


@given(size=sizes, count=numbers)
def test_a_suffix_is_the_end_of_the_file(size: int, count: int) -> None:
    if count == 0:
        with pytest.raises(Unsatisfiable):
            range_in("bytes=-0", size)
        return
    found = range_in(f"bytes=-{count}", size)
    assert found == (ByteRange(size - min(count, size), size) if size else None)


@given(size=sizes, cuts=st.lists(numbers, max_size=8))
def test_adjoining_ranges_give_every_byte_once(size: int, cuts: list[int]) -> None:
    edges = sorted({0, size, *(cut for cut in cuts if cut < size)})
    at = 0
    for start, end in pairwise(edges):
        found = range_in(f"bytes={start}-{end - 1}", size)
        assert found is not None
        assert found.start == at
        at = found.end
    assert at == size


@pytest.mark.whole
@given(header=st.text(max_size=40) | st.from_regex(r"bytes=[-0-9, \t]{0,40}"), size=sizes)
@example(header="bytes=" + "9" * 10_000 + "-", size=5)
def test_any_text_is_a_range_within_the_file_none_or_unsatisfiable(header: str, size: int) -> None:
    try:
        found = range_in(header, size)
    except Unsatisfiable:
        return
    assert found is None or 0 <= found.start < found.end <= size


def test_a_client_that_has_the_content_gets_nothing_again(api: Api) -> None:
    path = f"/download/files/{api.file('a', DATA).object_key}"
    etag = f'"{md5(DATA)}"'
    for tags in (etag, f"W/{etag}", f'"x", {etag}', "*", f'"a,b" ,{etag}'):
        for method in ("GET", "HEAD"):
            answer = api.request(method, path, headers={"if-none-match": tags})
            assert (answer.status_code, answer.content) == (304, b""), tags
            assert answer.headers["etag"] == etag
            assert "content-length" not in answer.headers
    for tags in ('"x"', md5(DATA), "", '""'):
        assert api.get(path, headers={"if-none-match": tags}).status_code == 200, tags


def test_having_it_comes_before_a_range(api: Api) -> None:
    path = f"/download/files/{api.file('a', DATA).object_key}"
    etag = f'"{md5(DATA)}"'
    assert api.get(path, headers={"if-none-match": etag, "range": "bytes=0-1"}).status_code == 304


def test_a_tag_makes_the_date_not_count(api: Api) -> None:
    path = f"/download/files/{api.file('a', DATA, last_modified_at=LONG_AGO * 1000).object_key}"
    headers = {"if-none-match": '"other"', "if-modified-since": http_date(NOW + 1000)}
    assert api.get(path, headers=headers).status_code == 200


def test_an_unmodified_file_is_not_sent_again_by_its_date(api: Api) -> None:
    path = f"/download/files/{api.file('a', DATA, last_modified_at=LONG_AGO * 1000 + 5).object_key}"
    for since in (api.get(path).headers["last-modified"], http_date(NOW + 1000)):
        assert api.get(path, headers={"if-modified-since": since}).status_code == 304
    for since in (http_date(LONG_AGO - 1), "yesterday", "", "Tue, 99 Foo 2020"):
        assert api.get(path, headers={"if-modified-since": since}).status_code == 200


def test_new_content_with_an_old_date_is_sent(api: Api, clock: HeldClock) -> None:
    """The date is its owner's, so that a later version may have an earlier one."""
    key = api.file("a", b"first", last_modified_at=clock.now()).object_key
    path = f"/download/files/{key}"
    seen = api.get(path).headers["last-modified"]
    clock.advance(days=1)
    api.file("a", b"second", last_modified_at=LONG_AGO * 1000)
    assert api.get(path, headers={"if-modified-since": seen}).content == b"second"


def test_new_content_with_the_same_date_is_sent(api: Api, clock: HeldClock) -> None:
    key = api.file("a", b"first", last_modified_at=LONG_AGO * 1000).object_key
    path = f"/download/files/{key}"
    seen = api.get(path).headers["last-modified"]
    clock.advance(days=1)
    api.file("a", b"second", last_modified_at=LONG_AGO * 1000 + 1)
    assert api.get(path, headers={"if-modified-since": seen}).content == b"second"
    resumed = api.get(path, headers={"range": "bytes=1-", "if-range": seen})
    assert (resumed.status_code, resumed.content) == (200, b"second")


def test_a_download_goes_on_where_it_broke_off_if_it_is_the_same(api: Api) -> None:
    path = f"/download/files/{api.file('a', DATA, last_modified_at=LONG_AGO * 1000).object_key}"
    etag = f'"{md5(DATA)}"'
    for validator in (etag, http_date(LONG_AGO)):
        answer = api.get(path, headers={"range": "bytes=100-", "if-range": validator})
        assert (answer.status_code, answer.content) == (206, DATA[100:]), validator
    for validator in ('"other"', f"W/{etag}", http_date(LONG_AGO + 1), http_date(LONG_AGO - 1), "nonsense", ""):
        answer = api.get(path, headers={"range": "bytes=100-", "if-range": validator})
        assert (answer.status_code, answer.content) == (200, DATA), validator


def test_a_date_distinguishes_versions_that_have_different_ones(api: Api) -> None:
    key = api.file("a", b"first", last_modified_at=LONG_AGO * 1000).object_key
    api.file("a", b"second", last_modified_at=NOW * 1000)
    answer = api.get(f"/download/files/{key}", headers={"range": "bytes=1-", "if-range": http_date(NOW)})
    assert (answer.status_code, answer.content) == (206, b"econd")


def test_a_range_outside_of_the_file_under_a_false_condition_is_the_whole_file(api: Api) -> None:
    path = f"/download/files/{api.file('a', DATA).object_key}"
    assert api.get(path, headers={"range": f"bytes={SIZE}-", "if-range": '"other"'}).status_code == 200


ORIGINAL = Original(
    account_id=1,
    name="a",
    mime="text/plain",
    size=10,
    md5="0" * 32,
    sha256="0" * 64,
    location="",
    modified_at=LONG_AGO * 1000,
    arrived_at=NOW * 1000,
    has_unique_date=True,
)


@given(header=st.text(max_size=60))
def test_no_condition_is_ever_an_error(header: str) -> None:
    assert is_not_modified(ORIGINAL, header, None) in {True, False}
    assert is_not_modified(ORIGINAL, None, header) in {True, False}
    assert can_resume(ORIGINAL, header) in {True, False}
