"""A full echo: unknown fields survive, in their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json
from tests.wire.struct_strategies import JSON_VALUES, TEXTS

from skyshelf.wire.decoding import decode_body
from skyshelf.wire.resources.batch import BatchRequest, EchoBatch, EchoEntry, Operation, echo

SENT = (
    b'{"zeta":[1, {"y": null}],"objectKey":"K","status":"A","objectName":"old","huge":12345678901234567890123456789,'
    b'"exact":1.10,"sourceName":"DRIVE","isFavorite":false,"\xc3\xa9":"\xf0\x9f\x98\x80"}'
)


def test_a_change_touches_its_field_only_and_keeps_the_order() -> None:
    assert json.encode(echo(Raw(SENT), status="T")) == SENT.replace(b'"status":"A"', b'"status":"T"')


def test_without_a_change_the_echo_is_what_was_sent_byte_for_byte() -> None:
    assert json.encode(echo(Raw(SENT))) == SENT


def test_a_field_that_was_absent_is_added_under_its_wire_name() -> None:
    changed = echo(Raw(b'{"objectKey":"K"}'), parent_object_key="P", mime_sub_type="png")
    assert json.encode(changed) == b'{"objectKey":"K","parentObjectKey":"P","mimeSubType":"png"}'


def test_a_change_of_something_that_objects_do_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="objectName"):
        echo(Raw(SENT), objectName="wire names are not attribute names")


@given(
    unknown=st.dictionaries(TEXTS.map(lambda name: "x-" + name), JSON_VALUES, max_size=5),
    name=TEXTS,
)
def test_what_a_client_echoes_a_server_reads(unknown: dict[str, object], name: str) -> None:
    received = Raw(json.encode({"objectKey": "K", **unknown, "sourceName": "UPA"}))
    entry = EchoEntry(operation=Operation.RENAME, correlation_id="U", object=echo(received, object_name=name))
    body = json.encode(EchoBatch(objects=[entry]))
    (read,) = decode_body(BatchRequest, body).objects
    assert (read.operation, read.correlation_id) == (Operation.RENAME, "U")
    assert (read.object.object_key, read.object.object_name, read.object.source_name) == ("K", name, "UPA")
    sent = json.decode(body)["objects"][0]["object"]
    assert sent == {"objectKey": "K", **unknown, "sourceName": "UPA", "objectName": name}
    assert list(sent) == ["objectKey", *unknown, "sourceName", "objectName"]
