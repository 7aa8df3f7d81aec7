"""Encoded objects: the mark that stands for the origin is ours alone, whatever people call their files."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.wire_cache import (
    BASE_URL_PLACEHOLDER,
    ENCODING_VERSION,
    encode_object,
    has_thumbnail,
    render_urls,
    wire_object,
)

ORIGIN = "https://drive.example.org:8443"
KEY = "018BCFE56A0070008000000000000001"
PARENT = "018BCFE56A0070008000000000000002"

FORGERIES = [
    "\x01",
    '"\x01',
    '","url":"\x01/evil',
    '"url":"\x01',
    '\\","url":"\x01',
    '\\\\","imageTranscodeUrl":"\x01',
    "\\u0001",
    '"url":"\\u0001',
    '"imageTranscodeUrl":"\\u0001/evil',
    "\\",
    '\\"',
    '"',
    "\x00\x01\x02",
    "https://drive.example.org:8443",
]
hostile = st.one_of(
    st.sampled_from(FORGERIES),
    st.text(alphabet=st.sampled_from('\x01"\\u01:,{}url/ A'), max_size=40),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.tuples(st.sampled_from(FORGERIES), st.sampled_from(FORGERIES)).map("".join),
)


def _stored(
    name: str = "a.jpg", source_folder: str = "", *, is_folder: bool = False, mime: tuple[str, str] = ("image", "jpeg")
) -> StoredObject:
    return StoredObject(
        account_id=1,
        object_key=KEY,
        parent_key=PARENT,
        is_folder=is_folder,
        status="A",
        name=name,
        size=0 if is_folder else 3,
        file_created_at=1,
        last_modified_at=2,
        sha256=None if is_folder else "a" * 64,
        md5=None if is_folder else "b" * 32,
        version=1,
        mime_type="" if is_folder else mime[0],
        mime_subtype="" if is_folder else mime[1],
        source_name="DRIVE",
        source_folder=source_folder,
        app_code="",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=3,
        updated_at=4,
        arrived_at=5,
        trashed_at=0,
        taken_at=None,
        taken_day=None,
    )


@given(name=hostile, source_folder=hostile, source_name=hostile, is_folder=st.booleans())
def test_no_text_of_a_person_can_forge_the_mark(
    name: str, source_folder: str, source_name: str, is_folder: bool
) -> None:
    stored = _stored(name, source_folder, is_folder=is_folder)
    stored.source_name = source_name
    encoded = encode_object(stored)
    assert encoded.count(BASE_URL_PLACEHOLDER) == (0 if is_folder else 2)
    shown = msgspec.json.decode(render_urls(encoded, ORIGIN))
    assert shown == msgspec.json.decode(msgspec.json.encode(wire_object(stored, ORIGIN)))
    assert (shown["objectName"], shown["sourceFolder"], shown["sourceName"]) == (name, source_folder, source_name)
    if not is_folder:
        assert shown["url"] == f"{ORIGIN}/download/files/{KEY}"
        assert shown["imageTranscodeUrl"] == f"{ORIGIN}/download/avimages/{KEY}"


@given(name=hostile, source_folder=hostile)
def test_the_mark_never_reaches_a_client(name: str, source_folder: str) -> None:
    assert BASE_URL_PLACEHOLDER not in render_urls(encode_object(_stored(name, source_folder)), ORIGIN)


@given(st.lists(st.tuples(hostile, hostile, st.booleans()), min_size=1, max_size=5))
def test_many_objects_joined_are_filled_in_at_once(texts: list[tuple[str, str, bool]]) -> None:
    objects = [_stored(name, folder, is_folder=is_folder) for name, folder, is_folder in texts]
    joined = b"[" + b",".join(map(encode_object, objects)) + b"]"
    expected = [msgspec.json.decode(msgspec.json.encode(wire_object(one, ORIGIN))) for one in objects]
    assert msgspec.json.decode(render_urls(joined, ORIGIN)) == expected


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8600", 'https://a"b\\c', "https://ü.example", ""])
def test_an_origin_is_escaped_like_any_text(origin: str) -> None:
    shown = msgspec.json.decode(render_urls(encode_object(_stored()), origin))
    assert shown["url"] == f"{origin}/download/files/{KEY}"


@pytest.mark.parametrize(
    ("mime", "thumbnail"),
    [
        (("image", "jpeg"), True),
        (("video", "mp4"), True),
        (("application", "pdf"), True),
        (("application", "zip"), False),
        (("text", "pdf"), False),
        (("audio", "mpeg"), False),
    ],
)
def test_only_what_has_thumbnails_names_one(mime: tuple[str, str], thumbnail: bool) -> None:
    stored = _stored(mime=mime)
    assert has_thumbnail(stored) is thumbnail
    assert ("imageTranscodeUrl" in msgspec.json.decode(render_urls(encode_object(stored), ORIGIN))) is thumbnail


def test_a_folder_has_no_digest_no_urls_and_no_size() -> None:
    shown = msgspec.json.decode(encode_object(_stored("folder", is_folder=True)))
    assert {"hash", "url", "imageTranscodeUrl"}.isdisjoint(shown)
    assert (shown["sizeInBytes"], shown["objectType"], shown["parentObjectType"]) == (0, "FR", "FR")


def test_the_root_has_no_parent() -> None:
    root = _stored("root", is_folder=True)
    root.parent_key = None
    assert {"parentObjectKey", "parentObjectType"}.isdisjoint(msgspec.json.decode(encode_object(root)))


# The encoded form of the samples below, by version. Never edit an entry: raise ENCODING_VERSION and add one.
FROZEN = {
    1: "c03b3ec1f78c6a398ef173b30303edfe45a2f195ec808ff45a166505b4caff9f",
    2: "1c4d1c8dab24b5eb203fb8f0bf670ea3c1baea5f568c7af803dd3d3084a3cbf6",
}


def _samples() -> list[StoredObject]:
    """Every kind of object, and every field both filled and as empty as it can be."""
    folder, root = _stored("Ümläute & “quotes”", is_folder=True), _stored("root", is_folder=True)
    root.parent_key = None
    photo = _stored("IMG_0001.jpg", "/DCIM/Camera")
    full = msgspec.structs.replace(
        photo,
        account_id=2,
        object_key=PARENT,
        parent_key=KEY,
        file_created_at=1_600_000_000_001,
        last_modified_at=1_600_000_000_002,
        created_at=1_600_000_000_003,
        updated_at=1_600_000_000_004,
        arrived_at=1_600_000_000_005,
        sha256="c" * 64,
        md5="d" * 32,
        size=2**40,
        version=7,
        source_name="PHONE",
        app_code="dgl",
        is_hidden=True,
        is_locked=True,
        is_readonly=True,
        is_favorite=True,
        taken_at=1_700_000_000_000,
        taken_day=1114,
        created_seq=8,
        is_executable=True,
    )
    trashed = msgspec.structs.replace(photo, status="T", trashed_at=9)
    others = [("video", "mp4"), ("application", "pdf"), ("audio", "mpeg"), ("text", "plain"), ("", "")]
    return [root, folder, photo, full, trashed, *(_stored("a", mime=mime) for mime in others)]


def test_the_encoding_changes_only_together_with_its_version() -> None:
    """Rows that are stored already keep their form until the version says that it is an old one."""
    encoded = b"\n".join(encode_object(one) for one in _samples())
    assert hashlib.sha256(encoded).hexdigest() == FROZEN.get(ENCODING_VERSION), (
        "objects are encoded differently: raise ENCODING_VERSION, and add the new digest to FROZEN"
    )
    assert sorted(FROZEN) == list(range(1, ENCODING_VERSION + 1))


def test_every_field_of_an_object_differs_between_two_samples() -> None:
    """A field that is the same everywhere could change its encoding unnoticed."""
    for field in StoredObject.__struct_fields__:
        assert len({getattr(one, field) for one in _samples()}) > 1, field
