"""A full echo: unknown fields survive, in order, and nobody pays for echoes that are not asked for."""

import gc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json
from tests.wire.struct_strategies import JSON_VALUES, TEXTS

from skyshelf.wire.decoding import decode_body
from skyshelf.wire.resources.batch import BatchRequest, EchoBatch, EchoEntry, Operation
from skyshelf.wire.resources.object_echo import EchoListing, ObjectEcho

SENT = (
    b'{"zeta":[1, {"y": null}],"objectKey":"K","status":"A","objectName":"old","huge":12345678901234567890123456789,'
    b'"exact":1.10,"sourceName":"DRIVE","isFavorite":false,"\xc3\xa9":"\xf0\x9f\x98\x80"}'
)


def test_a_change_touches_its_field_only_and_keeps_the_order() -> None:
    echo = ObjectEcho.from_json(SENT)
    assert json.encode(echo.changed(status="T")) == SENT.replace(b'"status":"A"', b'"status":"T"')


def test_without_a_change_the_echo_is_what_was_sent_byte_for_byte() -> None:
    assert json.encode(ObjectEcho.from_json(SENT).changed()) == SENT


def test_a_field_that_was_absent_is_added_under_its_wire_name() -> None:
    changed = ObjectEcho.from_json(b'{"objectKey":"K"}').changed(parent_object_key="P", mime_sub_type="png")
    assert json.encode(changed) == b'{"objectKey":"K","parentObjectKey":"P","mimeSubType":"png"}'


def test_a_change_of_something_that_objects_do_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="objectName"):
        ObjectEcho.from_json(SENT).changed(objectName="wire names are not attribute names")


def test_the_typed_view_is_decoded_once() -> None:
    echo = ObjectEcho.from_json(SENT)
    assert (echo.typed.object_key, echo.typed.object_name, echo.typed.is_favorite) == ("K", "old", False)
    assert echo.typed is echo.typed


def test_a_listing_gives_echoes_without_decoding_them() -> None:
    page = b'{"usedSpace":5,"isUploadAllowed":true,"objects":[{"objectKey":"A","n":1},{"not":"an object of ours"}]}'
    listing = json.decode(page, type=EchoListing)
    first, second = listing.echoes()
    assert (listing.used_space, listing.is_upload_allowed, first.typed.object_key) == (5, True, "A")
    # Nobody looked at the second one, so that its strangeness did no harm.
    assert json.encode(second.changed()) == b'{"not":"an object of ours"}'
    assert json.decode(b"{}", type=EchoListing).echoes() == []
    assert json.decode(b'{"objects":null}', type=EchoListing).echoes() == []


def test_an_echo_that_is_kept_lets_its_page_go() -> None:
    class Page(bytearray):
        """Bytes that can be watched."""

    page = Page(b'{"objects":[{"objectKey":"A","n":1}]}')
    page_is_alive = weakref.ref(page)
    slice_of_page = json.decode(page, type=EchoListing).echoes()[0]
    kept = slice_of_page.kept()
    assert kept == slice_of_page
    assert hash(kept) == hash(slice_of_page)
    del page
    assert page_is_alive() is not None, "a slice is expected to pin its page; otherwise kept() is not needed"
    del slice_of_page
    gc.collect()
    assert page_is_alive() is None
    assert kept.typed.object_key == "A"


def test_an_echo_shows_its_key_and_equals_only_echoes() -> None:
    assert repr(ObjectEcho.from_json(SENT)) == "ObjectEcho(K)"
    assert ObjectEcho.from_json(SENT) == ObjectEcho(Raw(SENT))
    assert ObjectEcho.from_json(SENT) != SENT


@given(
    unknown=st.dictionaries(TEXTS.map(lambda name: "x-" + name), JSON_VALUES, max_size=5),
    name=TEXTS,
)
def test_what_a_client_echoes_a_server_reads(unknown: dict[str, object], name: str) -> None:
    echo = ObjectEcho.from_json(json.encode({"objectKey": "K", **unknown, "sourceName": "UPA"}))
    entry = EchoEntry(operation=Operation.RENAME, correlation_id="U", object=echo.changed(object_name=name))
    body = json.encode(EchoBatch(objects=[entry]))
    (read,) = decode_body(BatchRequest, body).objects
    assert (read.operation, read.correlation_id) == (Operation.RENAME, "U")
    assert (read.object.object_key, read.object.object_name, read.object.source_name) == ("K", name, "UPA")
    sent = json.decode(body)["objects"][0]["object"]
    assert sent == {"objectKey": "K", **unknown, "sourceName": "UPA", "objectName": name}
    assert list(sent) == ["objectKey", *unknown, "sourceName", "objectName"]
