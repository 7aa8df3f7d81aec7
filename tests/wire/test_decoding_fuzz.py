"""Whatever arrives, decoding gives a model or InvalidRequest with a 4xx code; nothing else comes out."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, json
from msgspec.structs import fields
from tests.examples import examples
from tests.wire.struct_strategies import JSON_VALUES

from skyshelf.wire.decoding import decode_body, decode_parameters, decode_path
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.models import HeaderModel, QueryModel, parameters
from skyshelf.wire.refusals import InvalidRequest

_Result = TypeVar("_Result")

NUMBERS = ["", "0", "1", "-1", "1e3", "+5", " 5", "٣", "1.0", "9" * 5000, "NaN"]
WORDS = ["f", "w", "true", " objectName", "+objectName", "-smd", "\0", "\ud800", "/" * 300]
SHAPED = ["0190A5B2C3D47E5F8A9BACBDCEDFE0F1", "1970-01-01 00:00:00.000000", "d41d8cd98f00b204e9800998ecf8427e"]
HOSTILE_TEXT = st.text(max_size=40) | st.sampled_from([*NUMBERS, *WORDS, *SHAPED])

PUNCTUATION = [b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b" ", b"\xff", b"\xef\xbb\xbf"]
VALUES = [b"null", b"true", b"1e999", b"-0", b"NaN", b"9" * 400, b'"\\ud800"', b'"TRASH"', b"[" * 2000, b'{"a":' * 2000]
NAMES = [
    b'"objects"',
    b'"objectKey"',
    b'"objectKeys"',
    b'"operation"',
    b'"object"',
    b'"name"',
    b'"size"',
    b'"folderKey"',
]
HOSTILE_BYTES = st.binary(max_size=60) | st.lists(st.sampled_from([*PUNCTUATION, *VALUES, *NAMES]), max_size=30).map(
    b"".join
)

BODIES = [endpoint for endpoint in ENDPOINTS if endpoint.body is not None]
QUERIES = sorted({endpoint.query for endpoint in ENDPOINTS if endpoint.query}, key=lambda model: model.__name__)
HEADERS = sorted({endpoint.headers for endpoint in ENDPOINTS if endpoint.headers}, key=lambda model: model.__name__)


def _attempt(decode: Callable[[], _Result]) -> _Result | InvalidRequest:
    """The result, or the refusal; any other exception fails the test that asks."""
    try:
        return decode()
    except InvalidRequest as refusal:
        return refusal


def _is_clean(refusal: InvalidRequest) -> bool:
    refusal.message.encode()
    return 400 <= refusal.error.status < 500 and bool(refusal.message)


@pytest.mark.parametrize("model", QUERIES, ids=lambda model: model.__name__)
@settings(max_examples=examples(8))
@given(data=st.data())
def test_a_query_is_decoded_or_refused(model: type[QueryModel], data: st.DataObject) -> None:
    names = st.sampled_from([field.encode_name for field in fields(model)]) | st.text(max_size=5)
    sent = data.draw(st.dictionaries(names, HOSTILE_TEXT))
    query = _attempt(lambda: decode_parameters(model, sent))
    if isinstance(query, InvalidRequest):
        assert _is_clean(query)
    else:
        assert decode_parameters(model, parameters(query)) == query


@pytest.mark.parametrize("model", HEADERS, ids=lambda model: model.__name__)
@settings(max_examples=examples(8))
@given(data=st.data())
def test_headers_are_decoded_or_refused(model: type[HeaderModel], data: st.DataObject) -> None:
    names = st.sampled_from([field.encode_name.lower() for field in fields(model)])
    sent = data.draw(st.dictionaries(names, HOSTILE_TEXT))
    headers = _attempt(lambda: decode_parameters(model, sent))
    if isinstance(headers, InvalidRequest):
        assert _is_clean(headers)
    else:
        again = {name.lower(): value for name, value in parameters(headers).items()}
        assert decode_parameters(model, again) == headers


@pytest.mark.parametrize("endpoint", BODIES, ids=lambda endpoint: endpoint.name)
@settings(max_examples=examples(8))
@given(body=HOSTILE_BYTES)
def test_bytes_are_decoded_or_refused(endpoint: Endpoint, body: bytes) -> None:
    _decode_or_refuse(endpoint, body)


@pytest.mark.parametrize("endpoint", BODIES, ids=lambda endpoint: endpoint.name)
@settings(max_examples=examples(8))
@given(data=st.data())
def test_json_of_the_wrong_shape_is_decoded_or_refused(endpoint: Endpoint, data: st.DataObject) -> None:
    model = endpoint.body
    names = [field.encode_name for field in fields(model)] if isinstance(model, type(Struct)) else []
    keys = st.sampled_from([*names, "objectKey", "object", "operation"])
    inner = st.dictionaries(keys, JSON_VALUES)
    shapes = JSON_VALUES | inner | st.dictionaries(keys, JSON_VALUES | st.lists(inner, max_size=3))
    _decode_or_refuse(endpoint, json.encode(data.draw(shapes)))


def _decode_or_refuse(endpoint: Endpoint, body: bytes) -> None:
    decoded = _attempt(lambda: decode_body(endpoint.body, body))
    if isinstance(decoded, InvalidRequest):
        assert _is_clean(decoded)
        assert endpoint.name != "batch" or decoded.code == "NMSOM0135"
    else:
        # What was taken can be sent on, and is taken again.
        assert decode_body(endpoint.body, json.encode(decoded)) == decoded


@given(key=HOSTILE_TEXT)
def test_a_path_is_decoded_or_not_found(key: str) -> None:
    for endpoint in ENDPOINTS:
        sent = dict.fromkeys(endpoint.parameters, key)
        keys = _attempt(partial(decode_path, endpoint, sent))
        if isinstance(keys, InvalidRequest):
            assert keys.error.status == 404
        else:
            assert keys == {name: key.upper() for name in endpoint.parameters}
