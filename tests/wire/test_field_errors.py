"""What is wrong with a request is said in words that people understand, whichever field it is."""

import json
from collections.abc import Mapping
from typing import Annotated, Literal

import pytest
from msgspec import Meta
from msgspec.structs import fields
from tests.wire.test_decoding import KEY, MD5

from skyshelf.wire.decoding import decode_body, decode_parameters, must_be
from skyshelf.wire.endpoint import BodyKind, Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.models import Label, PagedQuery, QueryModel, RequestModel
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.contacts import ContactRequest
from skyshelf.wire.resources.downloads import DownloadQuery, ThumbnailQuery
from skyshelf.wire.resources.objects import TrashQuery
from skyshelf.wire.resources.search import SearchQuery
from skyshelf.wire.resources.shares import NewShareRequest
from skyshelf.wire.resources.uploads import ChunkHeaders, UploadMetadata


@pytest.mark.parametrize(
    ("model", "given", "sentence"),
    [
        (PagedQuery, {"limit": "x"}, "limit must be a whole number from 1 to 5000, not 'x'"),
        (PagedQuery, {"limit": "5001"}, "limit must be a whole number from 1 to 5000, not '5001'"),
        (PagedQuery, {"limit": ""}, "limit must be a whole number from 1 to 5000, not ''"),
        (PagedQuery, {"page": "-1"}, "page must be a whole number from 0 to 1000000000, not '-1'"),
        (PagedQuery, {"page": "<b>1</b>"}, "page must be a whole number from 0 to 1000000000"),
        (PagedQuery, {"page": "1" * 30}, "page must be a whole number from 0 to 1000000000"),
        (DownloadQuery, {"version": "0"}, "version must be a whole number from 1 to 2147483647, not '0'"),
        (ThumbnailQuery, {"size": "300"}, "size must be one of 256, 512, 1080, not '300'"),
        (SearchQuery, {"isFavorite": "yes"}, "isFavorite must be true or false, not 'yes'"),
        (SearchQuery, {"query": "x" * 1001}, "query must be text of at most 1000 characters without NUL"),
        (SearchQuery, {"query": "a\0b"}, "query must be valid Unicode without NUL"),
        (
            TrashQuery,
            {"sort": "+hash"},
            "sort must be one of +createdDate, +fileCreatedDate, +lastModifiedDate, +objectName, +sizeInBytes,"
            " -createdDate, -fileCreatedDate, -lastModifiedDate, -objectName, -sizeInBytes, not '+hash'",
        ),
    ],
)
def test_a_parameter_is_named_with_what_it_may_be(
    model: type[QueryModel], given: Mapping[str, str], sentence: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        decode_parameters(model, given)
    assert (refused.value.code, refused.value.message) == ("SKY1000", sentence)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"content-md5": MD5}, "X-Offset is missing"),
        ({"x-offset": "a", "content-md5": MD5}, "X-Offset must be a whole number from 0 to 1099511627776, not 'a'"),
        ({"x-offset": "0", "content-md5": "x"}, "Content-MD5 must be text of 32 characters (MD5 in hexadecimal)"),
    ],
)
def test_a_header_is_named_with_what_it_may_be(given: Mapping[str, str], sentence: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        decode_parameters(ChunkHeaders, given)
    assert refused.value.message == sentence


UPLOAD = {"name": "a", "size": 1, "hash": MD5, "folderKey": KEY}


@pytest.mark.parametrize(
    ("model", "body", "sentence"),
    [
        (UploadMetadata, [], "The body must be an object, not a list"),
        (UploadMetadata, {"name": "a", "hash": MD5, "folderKey": KEY}, "size is missing"),
        (UploadMetadata, UPLOAD | {"size": "1"}, "size must be a whole number of at least 0, not text"),
        (
            UploadMetadata,
            UPLOAD | {"size": 1.5},
            "size must be a whole number of at least 0, not a number with a fraction",
        ),
        (UploadMetadata, UPLOAD | {"size": -1}, "size must be a whole number of at least 0"),
        (UploadMetadata, UPLOAD | {"hash": "x"}, "hash must be text of 32 characters (MD5 in hexadecimal)"),
        (UploadMetadata, UPLOAD | {"appcode": ""}, "appcode must be text of 1 to 64 characters without NUL, or null"),
        (ContactRequest, {"emails": [{}, 1]}, "emails[0].emailId is missing"),
        (ContactRequest, {"emails": [1]}, "emails[0] must be an object, not a whole number"),
        (ContactRequest, {"emails": "a"}, "emails must be a list of at most 100 entries, or null, not text"),
        (NewShareRequest, {"objectKeys": []}, "objectKeys must be a list of 1 to 2000 entries"),
    ],
)
def test_a_field_of_a_body_is_named_with_what_it_may_be(model: type[RequestModel], body: object, sentence: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        decode_body(model, json.dumps(body).encode())
    assert (refused.value.code, refused.value.message) == ("SKY1000", sentence)


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (Annotated[int, Meta(le=5)], "a whole number of at most 5"),
        (int | None, "a whole number, or null"),
        (float, "a number"),
        (Annotated[str, Meta(min_length=1)], "text of at least 1 character"),
        (Annotated[str, Meta(min_length=1, max_length=1)], "text of 1 character"),
        (Annotated[list[str], Meta(min_length=2)], "a list of at least 2 entries"),
        (Annotated[list[str], Meta(max_length=0)], "an empty list"),
        (Literal["web"], "web"),
        (dict[str, int], "an object"),
        (Label | int, "text of 1 to 255 characters without NUL or a whole number"),
    ],
)
def test_every_kind_of_type_has_its_words(annotation: object, words: str) -> None:
    assert must_be(annotation) == words


WRONG: tuple[object, ...] = (None, True, 0, -1, 2.5, "", "\0", "x" * 5000, [], [[]], {}, {"a": 1})


def refusals(endpoint: Endpoint) -> list[str]:
    """Every refusal of the body of an endpoint in which one thing is wrong."""
    assert endpoint.body is not None
    bodies: list[object] = list(WRONG)
    if isinstance(endpoint.body, type):
        names = [field.encode_name for field in fields(endpoint.body)]
        bodies += [{name: value} for name in names for value in WRONG]
    messages = []
    for body in bodies:
        try:
            decode_body(endpoint.body, json.dumps(body).encode())
        except InvalidRequest as refused:
            messages.append(refused.message)
    return messages


@pytest.mark.parametrize(
    "endpoint", [one for one in ENDPOINTS if one.body_kind is BodyKind.JSON], ids=lambda endpoint: endpoint.name
)
def test_no_body_is_refused_in_the_words_of_the_decoder(endpoint: Endpoint) -> None:
    messages = refusals(endpoint)
    assert messages
    assert [one for one in messages if "ExpectedContent" in one or "`$" in one or "Object missing" in one] == []
