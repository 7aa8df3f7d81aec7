"""Whatever is sent, the answer is a refusal with a code: bodies, queries and headers that are not what a call takes.

The calls come from the endpoint table and the bad values from its models.
"""

import json
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import httpx2
import pytest
from msgspec.structs import FieldInfo, fields
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.good_calls import GoodCall, Keys, furnish, good_call
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import BAD_KEY, BAD_NAME, INVALID_REQUEST
from skyshelf.wire.keys import Key
from skyshelf.wire.models import ParameterModel, RefusedWith

Json = Any

# A logout needs no body, so nothing and `{}` are good ones, and would end the session of all tests here.
JSON_CALLS = [one for one in ENDPOINTS if one.body_kind is BodyKind.JSON and one.name != "logout"]
every_json_call = pytest.mark.parametrize("endpoint", JSON_CALLS, ids=[endpoint.name for endpoint in JSON_CALLS])

NOT_JSON = {
    "nothing": b"",
    "blanks": b"  \n",
    "a word": b"word",
    "an open object": b'{"objects": [',
    "a comma too many": b'{"objects": [],}',
    "two documents": b"{}{}",
    "single quotes": b"{'objects': []}",
    "a comment": b"{} // so there",
    "NaN": b'{"size": NaN}',
    "Infinity": b'{"size": Infinity}',
    "a NUL": b"\x00",
    "a control character in a text": b'{"boardName": "a\x01b"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"boardName": "a"}'.encode("utf-16"),
    "UTF-32": '{"boardName": "a"}'.encode("utf-32"),
    "Latin-1": '{"boardName": "é"}'.encode("latin-1"),
    "an overlong encoding": b'{"boardName": "\xc0\xaf"}',
    "an encoded surrogate": b'{"boardName": "\xed\xa0\x80"}',
    "half an escape": b'{"boardName": "\\u12"}',
    "a lone surrogate": b'{"boardName": "\\ud800"}',
    "a form": b"emailId=a&password=b",
    "a gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00",
    "deep arrays": b"[" * 30_000,
    "deep objects": b'{"a":' * 10_000,
    "deep arrays that close": b"[" * 30_000 + b"]" * 30_000,
}
WRONG_TYPES: list[Json] = [True, 0, 1.5, -1, "", [], {}, [[]], {"": {}}]


Furnished = tuple[Api, Keys]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """An account with one of everything, for calls that are refused: they leave it as it is."""
    metadata, blobs = embedded_urls(tmp_path_factory.mktemp("furnished"))
    settings = ServerSettings(metadata=metadata, blobs=blobs)
    ctx = ServiceContext(
        metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=HeldClock(), rules=settings.rules
    )
    with TestClient(app_for(ctx, settings), follow_redirects=False, raise_server_exceptions=False) as client:
        api = logged_in(client, ctx, new_account(ctx, "ada@example.org"))
        yield api, furnish(api)
    ctx.metadata.close()
    ctx.blobs.close()


def sent(api: Api, call: GoodCall, content: bytes) -> httpx2.Response:
    return api.request(call.method, call.path, content=content, params=call.params, headers=call.headers)


@pytest.mark.whole
def test_a_body_that_is_not_json_is_refused(furnished: Furnished, subtests: pytest.Subtests) -> None:
    api, keys = furnished
    for endpoint in JSON_CALLS:
        with subtests.test(endpoint.name):
            call = good_call(endpoint.name, api, keys)
            for kind, body in NOT_JSON.items():
                status, code = error_of(sent(api, call, body))
                assert (status, code in {row.code for row in endpoint.all_errors}) == (400, True), kind


def leaves(body: Json, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to every value in a body, the body itself included."""
    yield way
    if isinstance(body, dict | list):
        for step, value in body.items() if isinstance(body, dict) else enumerate(body):
            yield from leaves(value, (*way, step))


def changed(body: Json, way: tuple[str | int, ...], value: Json) -> Json:
    if not way:
        return value
    copy = body.copy()
    copy[way[0]] = changed(copy[way[0]], way[1:], value)
    return copy


def value_at(body: Json, way: tuple[str | int, ...]) -> Json:
    for step in way:
        body = body[step]
    return body


@pytest.mark.whole
def test_a_value_of_another_type_is_refused_wherever_it_stands(furnished: Furnished, subtests: pytest.Subtests) -> None:
    api, keys = furnished
    for endpoint in JSON_CALLS:
        with subtests.test(endpoint.name):
            call = good_call(endpoint.name, api, keys)
            for way in leaves(call.body):
                old = value_at(call.body, way)
                for value in (one for one in WRONG_TYPES if type(one) is not type(old)):
                    answer = sent(api, call, json.dumps(changed(call.body, way, value)).encode())
                    assert answer.status_code == 400, (way, value, answer.text)
                    error_of(answer)


@pytest.mark.whole
def test_numbers_that_are_too_large_or_too_precise_are_refused(furnished: Furnished, subtests: pytest.Subtests) -> None:
    api, keys = furnished
    for endpoint in JSON_CALLS:
        with subtests.test(endpoint.name):
            call = good_call(endpoint.name, api, keys)
            for way in leaves(call.body):
                marked = json.dumps(changed(call.body, way, "@@"))
                for number in ("1e400", "-1e400", "1" * 400, "9" * 20, "1e-400", "-9223372036854775809"):
                    answer = sent(api, call, marked.replace('"@@"', number).encode())
                    assert answer.status_code == 400, (way, number, answer.text)
                    error_of(answer)


@pytest.mark.whole
@every_json_call
def test_texts_that_cannot_be_kept_are_refused_or_harmless(furnished_account: Furnished, endpoint: Endpoint) -> None:
    api, keys = furnished_account
    call = good_call(endpoint.name, api, keys)
    for way in leaves(call.body):
        if not isinstance(value_at(call.body, way), str):
            continue
        for text in ('"\\ud800"', '"a\\udfffb"', '"\\ude00\\ud83d"'):
            marked = json.dumps(changed(call.body, way, "@@")).replace('"@@"', text)
            assert sent(api, call, marked.encode()).status_code == 400, (way, text)
        for text in ("\0", "a\0b", "\x7f", "\u202e", "x" * 60_000, "💥" * 10_000, "../..", "' OR 1=1 --"):
            answer = sent(api, call, json.dumps(changed(call.body, way, text)).encode())
            assert answer.status_code < 500, (way, text[:10], answer.text)
            if answer.status_code >= 400:
                error_of(answer)


@every_json_call
def test_of_a_field_given_twice_the_last_counts(furnished_account: Furnished, endpoint: Endpoint) -> None:
    api, keys = furnished_account
    call = good_call(endpoint.name, api, keys)
    if not isinstance(call.body, dict):
        return
    field, good = next(iter(call.body.items()))
    rest = json.dumps({name: value for name, value in call.body.items() if name != field})[1:]
    rest = rest if rest == "}" else ", " + rest
    bad_last = f'{{"{field}": {json.dumps(good)}, "{field}": {{"not": "it"}}' + rest
    assert sent(api, call, bad_last.encode()).status_code == 400
    good_twice = f'{{"{field}": {json.dumps(good)}, "{field}": {json.dumps(good)}' + rest
    assert sent(api, call, good_twice.encode()).status_code in endpoint.answers


def test_a_hundred_megabytes_are_refused_before_they_have_all_come(
    furnished: Furnished, subtests: pytest.Subtests
) -> None:
    api, keys = furnished
    for endpoint in JSON_CALLS:
        with subtests.test(endpoint.name):
            call = good_call(endpoint.name, api, keys)
            assert error_of(sent(api, call, b" " * (endpoint.body_bytes_max + 1))) == (413, "SKY1005")
            announced = api.request(
                call.method, call.path, content=b"{}", headers={"content-length": str(100 * 1024 * 1024)}
            )
            assert error_of(announced) == (413, "SKY1005")


def test_a_body_without_a_length_is_refused_as_soon_as_it_is_too_large(
    furnished: Furnished, subtests: pytest.Subtests
) -> None:
    api, keys = furnished
    for endpoint in JSON_CALLS:
        with subtests.test(endpoint.name):
            call = good_call(endpoint.name, api, keys)
            pieces = (b" " * size for size in (endpoint.body_bytes_max, 1))
            answer = api.request(call.method, call.path, content=pieces)
            assert error_of(answer) == (413, "SKY1005")


def test_a_chunk_that_is_too_large_is_refused(furnished: Furnished) -> None:
    api, keys = furnished
    call = good_call("upload_chunk", api, keys)
    headers = {**call.headers, "content-length": str(100 * 1024 * 1024)}
    answer = api.request(call.method, call.path, params=call.params, headers=headers, content=b"begun")
    assert error_of(answer) == (413, "SKY1005")


BAD_FORMS = {
    "nothing": b"",
    "no boundary in it": b"just bytes",
    "no end": b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc',
    "no name": b"--b\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b--\r\n",
    "no disposition": b"--b\r\n\r\nabc\r\n--b--\r\n",
    "no parts": b"--b--\r\n",
    "only the file": b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--b--\r\n',
    "metadata that is not JSON": b'--b\r\nContent-Disposition: form-data; name="metadataString"\r\n\r\n{{\r\n--b--\r\n',
    "a header without an end": b"--b\r\nContent-Disposition: " + b"x" * 100_000,
    "a thousand parts": b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n' * 1000 + b"--b--\r\n",
}


@pytest.mark.parametrize("kind", BAD_FORMS)
def test_a_form_that_is_none_is_refused(api: Api, kind: str) -> None:
    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = api.post("/upload/files", content=BAD_FORMS[kind], headers=headers)
    assert answer.status_code == 400, answer.text
    error_of(answer)


@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data", "text/plain", "", ";;;", "\\"])
@pytest.mark.parametrize("name", ["upload", "upload_chunk"])
def test_an_upload_of_another_content_type_is_refused(furnished: Furnished, name: str, content_type: str) -> None:
    api, keys = furnished
    call = good_call(name, api, keys)
    answer = api.request(
        call.method,
        call.path,
        params=call.params,
        headers={**call.headers, "content-type": content_type},
        content=call.content,
    )
    assert error_of(answer) == (415, "SKY1008")


# Queries and headers

BAD_INTEGERS = ["", "-1", "1.0", "abc", "1e3", "+1", " 1", "1_0", "٣", "0x10", "9" * 19, "9" * 5000, "null", "1,2"]
BAD_BOOLEANS = ["", "yes", "1", "TRUE", "null"]
BAD_CHOICES = ["", "nope", "f,w", "F ", "null", "x" * 5000]
BAD_KEYS = ["", "x", "0" * 31, "0" * 33, "g" * 32, "0" * 31 + "\n", "../" * 10, "٣" * 32]


def options_of(annotation: object) -> list[object]:
    """The types and choices that a field can hold, without marks and None around them."""
    if annotation is type(None):
        return []
    if get_origin(annotation) is Annotated:
        return options_of(get_args(annotation)[0])
    if get_origin(annotation) in {Union, UnionType}:
        return [option for part in get_args(annotation) for option in options_of(part)]
    return [annotation]


def bad_values(field: FieldInfo) -> list[str]:
    """Texts that a parameter of that type does not take; none where every text will do."""
    kinds = options_of(field.type)
    if field.type is Key:
        return BAD_KEYS
    if kinds == [int]:
        return BAD_INTEGERS
    if kinds == [bool]:
        return BAD_BOOLEANS
    if kinds and all(get_origin(kind) is Literal for kind in kinds):
        return BAD_CHOICES
    return []


def code_of(field: FieldInfo) -> str:
    if field.type is Key:
        return BAD_KEY.code
    marks = get_args(field.type)[1:]
    return next((mark.error.code for mark in marks if isinstance(mark, RefusedWith)), INVALID_REQUEST.code)


def parameter_cases(place: str) -> list[tuple[Endpoint, FieldInfo]]:
    models: list[tuple[Endpoint, type[ParameterModel] | None]] = [
        (endpoint, endpoint.query if place == "query" else endpoint.headers) for endpoint in ENDPOINTS
    ]
    return [(one, field) for one, model in models if model for field in fields(model) if bad_values(field)]


@pytest.mark.whole
def test_a_bad_value_in_a_query_is_refused_with_its_code(furnished: Furnished, subtests: pytest.Subtests) -> None:
    api, keys = furnished
    for endpoint, field in parameter_cases("query"):
        with subtests.test(f"{endpoint.name} {field.encode_name}"):
            call = good_call(endpoint.name, api, keys)
            for value in bad_values(field):
                answer = api.request(
                    call.method,
                    call.path,
                    params={**call.params, field.encode_name: value},
                    headers=call.headers,
                    content=call.content,
                )
                assert error_of(answer) == (400, code_of(field)), value[:40]


def test_a_bad_value_in_a_header_is_refused_with_its_code(furnished: Furnished, subtests: pytest.Subtests) -> None:
    api, keys = furnished
    for endpoint, field in parameter_cases("header"):
        with subtests.test(f"{endpoint.name} {field.encode_name}"):
            call = good_call(endpoint.name, api, keys)
            # Blanks around the value of a header are no part of it.
            for value in (one for one in bad_values(field) if one.isascii() and one == one.strip()):
                headers = {**call.headers, field.encode_name.lower(): value}
                answer = api.request(call.method, call.path, params=call.params, headers=headers, content=call.content)
                assert error_of(answer) == (400, code_of(field)), value[:40]


WITH_SESSION = [endpoint for endpoint in ENDPOINTS if endpoint.access is not Access.PUBLIC]


@pytest.mark.whole
def test_session_headers_of_any_shape_are_answered_401(furnished: Furnished, subtests: pytest.Subtests) -> None:
    api, keys = furnished
    for endpoint in WITH_SESSION:
        with subtests.test(endpoint.name):
            call = good_call(endpoint.name, api, keys)
            # A delegation names its account, so the headers for user and device are ignored: the session's are tried.
            of_call = {key: value for key, value in call.headers.items() if key != "authorization"}
            bad: list[tuple[str, str]] = [
                *(
                    ("Authorization", text)
                    for text in ("Basic", "Basic ", "Bearer x", "Basic x y", "Basic ====", "\\", "B" * 9000)
                ),
                *(("X-User-Id", text) for text in ("", "x", "0" * 32, "0" * 5000)),
                *(("X-Device-Key", text) for text in ("", "x", "00000000-0000-0000-0000-000000000000")),
            ]
            for name, text in bad:
                answer = api.request(
                    call.method,
                    call.path,
                    params=call.params,
                    headers={**of_call, name: text},
                    content=call.content,
                )
                assert error_of(answer) == (401, "TEJGA0401"), (name, text[:40])


def test_a_bad_name_has_its_own_code_wherever_a_name_is_given(furnished: Furnished) -> None:
    api, keys = furnished
    for name in ("", ".", "..", "a/b", "a\nb", "é" * 128, "\x85"):
        folder = {"objectName": name, "parentObjectKey": keys.root, "sourceName": "DRIVE"}
        assert error_of(api.post("/nms/folders", json=folder)) == (400, BAD_NAME.code), name
        upload = {"name": name, "size": 1, "hash": "0" * 32, "folderKey": keys.root}
        assert error_of(api.post("/upload/files/chunked/initiate", json=upload)) == (400, BAD_NAME.code), name
