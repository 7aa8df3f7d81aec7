"""What each part of a request may be, and with which code the rest is refused."""

from typing import get_args

import pytest

from skyshelf.wire.decoding import decode_body, decode_parameters, decode_path
from skyshelf.wire.endpoints.account import REMOVE_DEVICE
from skyshelf.wire.endpoints.boards import BOARD_DETAILS
from skyshelf.wire.endpoints.objects import VERSIONS
from skyshelf.wire.limits import JSON_BODY_BYTES_MAX, JSON_VALUES_MAX
from skyshelf.wire.models import PagedQuery, ParameterModel, QueryModel, sort_parts
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.account import AppSettingsQuery, CookieNonceRequest
from skyshelf.wire.resources.batch import BatchRequest, LegacyDeleteRequest, Operation, RestoreRequest
from skyshelf.wire.resources.boards import BoardCreation, BoardDetailsQuery, BoardListQuery, UnjoinRequest
from skyshelf.wire.resources.contacts import ContactsHeaders, ContactsQuery
from skyshelf.wire.resources.credentials import LoginRequest
from skyshelf.wire.resources.downloads import DownloadHeaders, DownloadQuery, ThumbnailQuery
from skyshelf.wire.resources.feeds import LinkedAppQuery, SharedByMeQuery
from skyshelf.wire.resources.objects import DefaultViewQuery, FolderCreation, ListingQuery, ObjectSort, TrashQuery
from skyshelf.wire.resources.shares import SharePageQuery, ShareRequest
from skyshelf.wire.resources.uploads import ChunkHeaders, ChunkQuery, UploadMetadata

KEY = "0190A5B2C3D47E5F8A9BACBDCEDFE0F1"
MD5 = "d41d8cd98f00b204e9800998ecf8427e"
NOT_PLAIN_INTEGERS = [
    "",
    "1e3",
    "+5",
    "-1",
    " 5",
    "5 ",
    "٣",
    "５",
    "1.0",
    "0x10",
    "1_000",
    "9" * 5000,
    "²",
    "null",
    "\n5",
]


def _code(model: type[ParameterModel], given: dict[str, str]) -> str:
    with pytest.raises(InvalidRequest) as refused:
        decode_parameters(model, given)
    return refused.value.code


def _body_code(model: object, body: bytes) -> str:
    with pytest.raises(InvalidRequest) as refused:
        decode_body(model, body)
    return refused.value.code


# Listings


def test_a_listing_has_the_documented_defaults() -> None:
    assert decode_parameters(ListingQuery, {"folderKey": KEY}) == ListingQuery(
        folder_key=KEY, limit=200, kind=None, sort="+objectName", page=0
    )


def test_a_key_is_taken_in_either_case() -> None:
    assert decode_parameters(DefaultViewQuery, {"folderKey": KEY.lower()}).folder_key == KEY


def test_a_listing_needs_a_folder() -> None:
    assert _code(ListingQuery, {}) == "SKY1000"
    assert _code(ListingQuery, {"folderKey": "root"}) == "SKY1003"
    assert _code(ListingQuery, {"folderKey": ""}) == "SKY1003"


@pytest.mark.parametrize("kind", ["", "x", "fw", "f ", "both", "null"])
def test_a_type_other_than_f_or_w_has_its_own_code(kind: str) -> None:
    assert _code(ListingQuery, {"folderKey": KEY, "type": kind}) == "NMSOM0129"
    assert _code(DefaultViewQuery, {"folderKey": KEY, "type": kind}) == "NMSOM0129"


@pytest.mark.parametrize("kind", ["f", "w"])
def test_files_and_folders_can_be_asked_for(kind: str) -> None:
    assert decode_parameters(ListingQuery, {"folderKey": KEY, "type": kind}).kind == kind


@pytest.mark.parametrize("model", [ListingQuery, TrashQuery, PagedQuery, BoardListQuery, BoardDetailsQuery])
def test_a_limit_is_never_clamped(model: type[QueryModel]) -> None:
    folder = {"folderKey": KEY} if model is ListingQuery else {}
    for limit in (1, 2000, 5000):
        assert getattr(decode_parameters(model, folder | {"limit": str(limit)}), "limit") == limit  # noqa: B009
    for limit in (0, 5001, 10**18):
        assert _code(model, folder | {"limit": str(limit)}) == "SKY1000"


@pytest.mark.parametrize("text", NOT_PLAIN_INTEGERS)
def test_an_integer_is_plain_digits(text: str) -> None:
    assert _code(PagedQuery, {"limit": text}) == "SKY1000"
    assert _code(PagedQuery, {"page": text}) == "SKY1000"
    assert _code(DownloadQuery, {"version": text}) == "SKY1000"
    assert _code(ThumbnailQuery, {"size": text}) == "SKY1000"
    assert _code(ContactsHeaders, {"x-offset": text}) == "TEJRF0400"


def test_pages_count_from_zero() -> None:
    assert decode_parameters(PagedQuery, {"page": "0"}).page == 0
    assert decode_parameters(PagedQuery, {"page": "007"}).page == 7
    assert _code(PagedQuery, {"page": "9" * 19}) == "SKY1000"


@pytest.mark.parametrize("sort", get_args(ObjectSort))
def test_a_plus_that_arrives_as_a_blank_means_ascending(sort: str) -> None:
    given = {"folderKey": KEY, "sort": sort.replace("+", " ")}
    assert decode_parameters(ListingQuery, given).sort == sort
    assert decode_parameters(TrashQuery, {"sort": sort}).sort == sort
    assert sort_parts(sort) == (sort[1:], sort.startswith("-"))


@pytest.mark.parametrize("sort", ["", "+", "objectName", "+hash", "--objectName", "  objectName", "+smd"])
def test_an_unknown_sort_order_is_refused(sort: str) -> None:
    assert _code(ListingQuery, {"folderKey": KEY, "sort": sort}) == "SKY1000"


def test_a_refused_choice_names_the_choices_and_not_the_value() -> None:
    with pytest.raises(InvalidRequest) as refused:
        decode_parameters(SharedByMeQuery, {"sort": "<script>"})
    assert refused.value.message == "sort must be one of +smd, -smd"


def test_the_trash_is_newest_first_unless_asked_otherwise() -> None:
    assert decode_parameters(TrashQuery, {}).sort is None


def test_unknown_parameters_are_ignored() -> None:
    assert decode_parameters(DefaultViewQuery, {"folderKey": KEY, "page": "x", "_": "1"}).limit == 200


def test_parameters_with_one_value_take_that_value_only() -> None:
    assert decode_parameters(AppSettingsQuery, {"os": "web"}).os == "web"
    assert _code(AppSettingsQuery, {"os": "ios"}) == "SKY1000"
    assert decode_parameters(SharedByMeQuery, {"sort": "-smd", "page": "1", "limit": "5"}).page == 1
    assert _code(SharedByMeQuery, {"sort": "-objectName"}) == "SKY1000"
    assert decode_parameters(LinkedAppQuery, {}).appcode == "dgl"
    assert _code(LinkedAppQuery, {"appcode": ""}) == "SKY1000"
    assert _code(BoardListQuery, {"albumType": "s"}) == "SKY1000"


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x\udfff"])
def test_text_that_cannot_be_stored_is_refused(text: str) -> None:
    assert _code(LinkedAppQuery, {"appcode": text}) == "SKY1000"
    assert _code(SharePageQuery, {"u": text}) == "SKY1000"
    assert _code(TrashQuery, {"sort": text}) == "SKY1000"


# Boards, downloads


def test_boards_have_the_page_sizes_of_the_web_client() -> None:
    assert decode_parameters(BoardListQuery, {}) == BoardListQuery(page=0, limit=2000, album_type="p")
    assert decode_parameters(BoardDetailsQuery, {}) == BoardDetailsQuery(page=0, limit=5000, sort="-lastModifiedDate")


def test_thumbnails_come_in_three_sizes() -> None:
    assert [decode_parameters(ThumbnailQuery, {"size": size}).size for size in ("256", "512", "1080")] == [
        256,
        512,
        1080,
    ]
    assert decode_parameters(ThumbnailQuery, {}).size == 512
    assert _code(ThumbnailQuery, {"size": "1024"}) == "SKY1000"


def test_a_download_names_its_version_and_nonce() -> None:
    query = decode_parameters(DownloadQuery, {"version": "3", "nonce": "anything"})
    assert (query.version, query.nonce) == (3, "anything")
    assert _code(DownloadQuery, {"version": "0"}) == "SKY1000"


def test_ranges_and_conditions_are_left_as_text() -> None:
    headers = decode_parameters(DownloadHeaders, {"range": "bytes=0-9", "if-none-match": '"x"'})
    assert (headers.range, headers.if_range, headers.if_none_match) == ("bytes=0-9", None, '"x"')


def test_the_key_of_a_device_in_a_path_is_a_uuid() -> None:
    device = "0190a5b2-c3d4-7e5f-8a9b-acbdcedfe0f1"
    assert decode_path(REMOVE_DEVICE, {"device_key": device.upper()}) == {"device_key": device}
    for wrong in (KEY, device + "\n", device[:-1], ""):
        with pytest.raises(InvalidRequest) as refused:
            decode_path(REMOVE_DEVICE, {"device_key": wrong})
        assert refused.value.code == "SKY3005"


def test_a_key_in_a_path_that_is_none_is_not_found() -> None:
    assert decode_path(VERSIONS, {"object_key": KEY.lower()}) == {"object_key": KEY}
    with pytest.raises(InvalidRequest) as no_object:
        decode_path(VERSIONS, {"object_key": "x"})
    assert (no_object.value.code, no_object.value.error.status) == ("SKY3000", 404)
    with pytest.raises(InvalidRequest) as no_board:
        decode_path(BOARD_DETAILS, {"board_key": "sync"})
    assert (no_board.value.code, no_board.value.error.status) == ("SKY3002", 404)


# Contacts


def test_contacts_need_an_offset_and_default_the_rest() -> None:
    assert decode_parameters(ContactsHeaders, {"x-offset": "0"}) == ContactsHeaders(offset=0, chunk_size=30)
    assert _code(ContactsHeaders, {}) == "TEJRF0400"
    assert _code(ContactsHeaders, {"x-chunk-size": "30"}) == "TEJRF0400"


@pytest.mark.parametrize(("size", "taken"), [("1", True), ("1000", True), ("0", False), ("1001", False), ("x", False)])
def test_a_chunk_has_one_to_a_thousand_contacts(size: str, taken: bool) -> None:
    given = {"x-offset": "0", "x-chunk-size": size}
    if taken:
        assert decode_parameters(ContactsHeaders, given).chunk_size == int(size)
    else:
        assert _code(ContactsHeaders, given) == "TEJRF0400"


def test_contacts_are_active_and_of_all_times_unless_asked_otherwise() -> None:
    query = decode_parameters(ContactsQuery, {})
    assert (query.only_active, query.sort, query.changed_after_ms) == (True, "displayname", 0)
    other = decode_parameters(ContactsQuery, {"onlyActive": "false", "nextPageDate": "2024-05-06 07:08:09.007999"})
    assert (other.only_active, other.changed_after_ms) == (False, 1_714_979_289_007)


@pytest.mark.parametrize("date", ["", "2024-05-06", "2024-02-30 00:00:00.000000", "2024-05-06T07:08:09.000000", "\0"])
def test_a_malformed_page_date_has_its_own_code(date: str) -> None:
    assert _code(ContactsQuery, {"nextPageDate": date}) == "TEJRF0400"


@pytest.mark.parametrize("text", ["", "True", "1", "yes"])
def test_a_boolean_is_true_or_false(text: str) -> None:
    assert _code(ContactsQuery, {"onlyActive": text}) == "SKY1000"


# Uploads


def test_a_chunk_says_where_it_starts_and_what_it_is() -> None:
    headers = decode_parameters(ChunkHeaders, {"x-offset": "8", "content-md5": MD5.upper()})
    assert (headers.offset, headers.md5) == (8, MD5)
    assert decode_parameters(ChunkQuery, {"uploadId": "t"}).upload_id == "t"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"x-offset": "0"},
        {"content-md5": MD5},
        {"x-offset": "-1", "content-md5": MD5},
        {"x-offset": "0", "content-md5": MD5[:-1]},
        {"x-offset": "0", "content-md5": MD5 + "\n"},
        {"x-offset": "0", "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg=="},
    ],
)
def test_a_chunk_without_place_or_hash_is_refused(given: dict[str, str]) -> None:
    assert _code(ChunkHeaders, given) == "SKY1000"


def test_an_upload_without_an_id_is_refused() -> None:
    assert _code(ChunkQuery, {}) == "SKY1000"
    assert _code(ChunkQuery, {"uploadId": ""}) == "SKY1000"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ('"name":"a/b"', "SKY1002"),
        ('"name":""', "SKY1002"),
        ('"folderKey":"x"', "SKY1003"),
        ('"hash":"x"', "SKY1000"),
        ('"size":-1', "SKY1000"),
        ('"size":1.5', "SKY1000"),
        ('"size":"1"', "SKY1000"),
        ('"size":99999999999999999999', "SKY1000"),
        ('"lastModifiedDate":-1', "SKY1000"),
        ('"sourceName":""', "SKY1000"),
        ('"sourceFolder":"a\\u0000"', "SKY1000"),
        ('"appcode":""', "SKY1000"),
    ],
)
def test_bad_upload_metadata_is_refused_with_the_code_of_its_fault(change: str, code: str) -> None:
    good = f'"name":"a","size":0,"hash":"{MD5}","folderKey":"{KEY}"'
    assert decode_body(UploadMetadata, f"{{{good}}}".encode()).size == 0
    assert _body_code(UploadMetadata, f"{{{good},{change}}}".encode()) == code


# Bodies


def test_a_batch_is_read() -> None:
    body = (
        b'{"objects":[{"operation":"TRASH","correlationId":"U","object":{"objectKey":"K","status":"T","more":[1]}},'
        b'{"operation":"SETFAV","object":{"objectKey":"anything"}}]}'
    )
    first, second = decode_body(BatchRequest, body).objects
    assert (first.operation, first.correlation_id, first.object.status) == (Operation.TRASH, "U", "T")
    assert (second.correlation_id, second.object.object_name, second.object.source_name) == (None, None, None)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"objects":null}',
        b'{"objects":[]}',
        b'{"objects":[{}]}',
        b'{"objects":[{"operation":"DELETE","object":{"objectKey":"K"}}]}',
        b'{"objects":[{"operation":"trash","object":{"objectKey":"K"}}]}',
        b'{"objects":[{"operation":"TRASH"}]}',
        b'{"objects":[{"operation":"TRASH","object":{}}]}',
        b'{"objects":[{"operation":"TRASH","object":{"objectKey":1}}]}',
        b'{"objects":[{"object":{"objectKey":"K"}}]}',
        b'{"objects":['
        + b'{"operation":"TRASH","object":{"objectKey":"K"}},' * 2000
        + b'{"operation":"TRASH","object":{"objectKey":"K"}}]}',
        b'{"objects":[{"operation":"TRASH","object":{"objectKey":"\xff"}}]}',
        b'{"objects":' + b"[" * 100_000,
    ],
    ids=range(16),
)
def test_every_malformed_batch_has_the_code_of_the_interface(body: bytes) -> None:
    assert _body_code(BatchRequest, body) == "NMSOM0135"


def test_a_full_batch_is_taken() -> None:
    entry = b'{"operation":"TRASH","object":{"objectKey":"K"}}'
    body = b'{"objects":[' + b",".join([entry] * 2000) + b"]}"
    assert len(decode_body(BatchRequest, body).objects) == 2000


def test_a_folder_creation_is_checked() -> None:
    made = decode_body(
        FolderCreation, f'{{"objectName":"Cafe\u0301","parentObjectKey":"{KEY.lower()}","x":1}}'.encode()
    )
    assert (made.object_name, made.parent_object_key, made.source_name) == ("Caf\u00e9", KEY, "DRIVE")
    assert _body_code(FolderCreation, f'{{"objectName":"..","parentObjectKey":"{KEY}"}}'.encode()) == "SKY1002"
    assert _body_code(FolderCreation, b'{"objectName":"a","parentObjectKey":"x"}') == "SKY1003"
    assert _body_code(FolderCreation, b'{"objectName":"a"}') == "SKY1000"
    assert _body_code(FolderCreation, b'{"objectName":null,"parentObjectKey":"x"}') == "SKY1000"


def test_a_share_is_checked() -> None:
    good = f'"objects":[{{"objectKey":"{KEY}"}}],"shareName":"n"'
    assert decode_body(ShareRequest, f"{{{good}}}".encode()).share_type == "L"
    assert _body_code(ShareRequest, f'{{{good},"shareType":"P"}}'.encode()) == "SKY1000"
    assert _body_code(ShareRequest, b'{"objects":[],"shareName":"n"}') == "SKY1000"
    assert _body_code(ShareRequest, b'{"objects":[{"objectKey":"x"}],"shareName":"n"}') == "SKY1003"


def test_restoring_and_the_legacy_delete_take_any_text_as_a_key() -> None:
    assert decode_body(RestoreRequest, b'{"objectKeys":["no key"]}').object_keys == ["no key"]
    assert decode_body(LegacyDeleteRequest, b'{"objectKeys":[]}').object_keys == []
    assert _body_code(RestoreRequest, b'{"objectKeys":[]}') == "SKY1000"
    assert _body_code(RestoreRequest, b'{"objectKeys":[1]}') == "SKY1000"


def test_leaving_a_board_takes_an_empty_array() -> None:
    assert decode_body(UnjoinRequest, b"[]") == []
    assert _body_code(UnjoinRequest, b"[1]") == "SKY1000"
    assert _body_code(UnjoinRequest, b"{}") == "SKY1000"


def test_the_rest_of_the_bodies_is_checked() -> None:
    assert decode_body(BoardCreation, b'{"boardName":"a/b","parentObjectKey":null}').board_name == "a/b"
    assert _body_code(BoardCreation, b'{"boardName":""}') == "SKY1000"
    assert _body_code(BoardCreation, b'{"boardName":"nul\\u0000"}') == "SKY1000"
    assert _body_code(CookieNonceRequest, b'{"jwt":""}') == "SKY1000"
    device = '"deviceKey":"01234567-89ab-cdef-0123-456789abcdef"'
    assert decode_body(LoginRequest, f'{{"emailId":"a","password":"p",{device}}}'.encode()).device_key is not None
    assert _body_code(LoginRequest, b'{"emailId":"a","password":"p","deviceKey":"x"}') == "SKY1000"
    assert _body_code(LoginRequest, b'{"emailId":"a"}') == "SKY1000"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"\xef\xbb\xbf{}",
        b'{"emailId":"\xff"}',
        b'{"unknown":"\xed\xa0\x80"}',
        b'{"unknown":"\\ud800 and more"}',
        b'{"emailId":"\\udc00 and more"}',
        b'{"emailId":NaN}',
        b'{"unknown":Infinity}',
        b'{"unknown":1',
        b'{"unknown":' + b"[" * 60_000,
        b'{"unknown":' + b'{"a":' * 10_000,
        "{}".encode("utf-16"),
    ],
    ids=range(13),
)
def test_what_is_not_json_is_refused_as_such(body: bytes) -> None:
    assert _body_code(LoginRequest, body) == "SKY1001"


def test_what_is_wrong_with_a_body_is_said_in_words_of_its_sender() -> None:
    for body, sentence in (
        (b"", "The body is empty, but this call needs one"),
        (b" \r\n", "The body is empty, but this call needs one"),
        (b'{"emailId":"\xff"}', "The body is not UTF-8 (byte 12)"),
    ):
        with pytest.raises(InvalidRequest) as caught:
            decode_body(LoginRequest, body)
        assert caught.value.message == sentence


def test_a_body_over_its_limit_is_too_large() -> None:
    body = b'{"x":"' + b"a" * 65_536 + b'"}'
    assert _body_code(LoginRequest, body) == "SKY1005"
    assert _body_code(RestoreRequest, body) == "SKY1000"


def test_the_sentence_of_a_refusal_stays_short() -> None:
    body = b'{"objects":[{"objectKey":"' + KEY.encode() + b'"}],"shareName":"n","shareType":"' + b"x" * 10_000 + b'"}'
    with pytest.raises(InvalidRequest) as refused:
        decode_body(ShareRequest, body)
    assert len(refused.value.message) <= 200


@pytest.mark.parametrize("value", ['"x"', "{}", "[]", "1"])
def test_a_body_of_very_many_tiny_values_is_refused_before_it_is_decoded(value: str) -> None:
    body = b'{"objectKeys":[' + b",".join([value.encode()] * (JSON_VALUES_MAX + 2)) + b"]}"
    assert len(body) < JSON_BODY_BYTES_MAX
    assert _body_code(RestoreRequest, body) == "SKY1005"
