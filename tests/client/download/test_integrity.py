"""What a server says about content is judged before a byte of it is kept."""

import pytest

from skyshelf.client.download.integrity import ExpectedContent, check_response_headers, range_headers, verify
from skyshelf.client.errors import IntegrityError

MD5 = "d41d8cd98f00b204e9800998ecf8427e"
TEN = ExpectedContent(size=10, md5=MD5)
FROM_FOUR = range_headers(4, '"tag"')


def test_what_is_missing_is_asked_for_only_where_a_tag_can_vouch_for_the_rest() -> None:
    assert (FROM_FOUR.range, FROM_FOUR.if_range) == ("bytes=4-", '"tag"')
    assert range_headers(4, None).range is None
    assert range_headers(0, '"tag"').range is None


@pytest.mark.parametrize(("md5", "known"), [(MD5.upper(), MD5), ("", None), (None, None), ("sha256:abc", None)])
def test_only_an_md5_is_taken_for_one(md5: str | None, known: str | None) -> None:
    assert ExpectedContent.of(10, md5).md5 == known
    assert ExpectedContent.of(-1, md5).size is None


def test_the_range_that_was_asked_for_is_gone_on_with() -> None:
    headers = {"content-range": "bytes 4-9/10", "content-length": "6", "etag": '"tag"'}
    incoming = check_response_headers(206, headers, TEN, FROM_FOUR)
    assert (incoming.start, incoming.total, incoming.etag) == (4, 10, '"tag"')


def test_whole_content_instead_of_a_range_starts_over() -> None:
    incoming = check_response_headers(200, {"content-length": "10", "etag": 'W/"weak"'}, TEN, FROM_FOUR)
    assert (incoming.start, incoming.total, incoming.etag) == (0, 10, None)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-range": "bytes 0-9/10"},
        {"content-range": "bytes 4-8/10"},
        {"content-range": "bytes 4-9/*"},
        {"content-range": "bytes */10"},
        {"content-range": "bytes 4-10/11"},
        {"content-range": "bytes 4-9/10", "content-length": "5"},
        {"content-range": "bytes 4-9/10", "etag": '"another"'},
        {"content-range": "bytes 4-9/10", "content-encoding": "gzip"},
        {"content-range": "items 4-9/10"},
    ],
)
def test_any_other_range_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(IntegrityError):
        check_response_headers(206, headers, TEN, FROM_FOUR)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, {"content-length": "11"}),
        (200, {"content-encoding": "br"}),
        (204, {}),
        (206, {"content-range": "bytes 0-9/10"}),
    ],
)
def test_what_cannot_be_the_object_is_refused(status: int, headers: dict[str, str]) -> None:
    with pytest.raises(IntegrityError):
        check_response_headers(status, headers, TEN, range_headers(0, None))


def test_everything_that_is_known_is_checked() -> None:
    verify(10, MD5, TEN, 10)
    verify(7, "anything", ExpectedContent(), None)
    for length, md5, announced in ((9, MD5, None), (10, MD5[::-1], None), (10, MD5, 11)):
        with pytest.raises(IntegrityError):
            verify(length, md5, TEN, announced)
