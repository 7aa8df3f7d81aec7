"""Targets: parsers of the product that meet foreign bytes, called directly."""

import email.utils
import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import cycle

from fido2 import cbor
from starlette.requests import Request
from tests.fuzz.engine import Run, Target

from skyshelf.client.http.faults import DamagedResponseError
from skyshelf.client.http.response import Response, Scratch
from skyshelf.server.dav.conditions import parse_if
from skyshelf.server.dav.describing import epoch_ms, update_in
from skyshelf.server.dav.dialect import checksums_in
from skyshelf.server.dav.locking import wanted_in
from skyshelf.server.dav.paths import names_of, path_of_url, segments_of
from skyshelf.server.dav.reading import asked_in
from skyshelf.server.http.authentication import cookies_of, credentials_in
from skyshelf.server.http.multipart import boundary_in, parts_of
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.ranges import Unsatisfiable, is_named, range_in
from skyshelf.service.accounts.passkeys.assertions import challenge_in
from skyshelf.service.accounts.passkeys.own_passkeys import created
from skyshelf.service.accounts.passkeys.party import Party, Terms
from skyshelf.service.contacts.vcards import CardError, card_of, cards_in, contact_of
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import to_base64url
from skyshelf.wire.decoding import decode_body, decode_parameters
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import OTHER_SERVER
from skyshelf.wire.models import parameters
from skyshelf.wire.names import clean_name, numbered, order_key, safe_name, split_mime
from skyshelf.wire.refusals import BadName, InvalidRequest
from skyshelf.wire.resources.passkeys import PasskeyAttestation, PasskeyCredential
from skyshelf.wire.search_rule import SearchText, fold

_BODIES = [endpoint for endpoint in ENDPOINTS if endpoint.body is not None]
_QUERIES = sorted({endpoint.query for endpoint in ENDPOINTS if endpoint.query}, key=lambda model: model.__name__)
_HEADERS = sorted({endpoint.headers for endpoint in ENDPOINTS if endpoint.headers}, key=lambda model: model.__name__)
_SIZE = 1000
_PIECE = 1 << 20


def _direct(run: Run) -> Callable[[], AbstractContextManager[Run]]:
    return lambda: nullcontext(run)


def _body(data: bytes) -> None:
    """The first byte chooses the endpoint."""
    endpoint = _BODIES[data[0] % len(_BODIES)] if data else _BODIES[0]
    try:
        decode_body(endpoint.body, data[1:])
    except InvalidRequest as refusal:
        _check_refusal(refusal)


def _query(data: bytes) -> None:
    """The first byte chooses the model, the rest is name=value, separated by &."""
    model = _QUERIES[data[0] % len(_QUERIES)] if data else _QUERIES[0]
    pairs = (pair.partition("=") for pair in data[1:].decode("utf-8", "replace").split("&"))
    try:
        query = decode_parameters(model, {name: value for name, _, value in pairs})
    except InvalidRequest as refusal:
        _check_refusal(refusal)
        return
    assert decode_parameters(model, parameters(query)) == query, "what was read is not what would be sent"


def _header_models(data: bytes) -> None:
    model = _HEADERS[data[0] % len(_HEADERS)] if data else _HEADERS[0]
    lines = (line.partition(":") for line in data[1:].decode("latin-1").split("\n"))
    try:
        decode_parameters(model, {name.lower(): value for name, _, value in lines})
    except InvalidRequest as refusal:
        _check_refusal(refusal)


def _check_refusal(refusal: InvalidRequest | ServiceError | BadName) -> None:
    refusal.message.encode()
    assert 400 <= refusal.error.status < 500
    assert refusal.message


def _multipart(data: bytes) -> None:
    """The first line is the content type; the body comes in pieces of changing sizes."""
    head, _, body = data.partition(b"\n")
    sizes = cycle((1, 7, 64, 1024))

    def blocks() -> "list[bytes]":
        cut, at = [], 0
        while at < len(body):
            size = next(sizes)
            cut.append(body[at : at + size])
            at += size
        return cut

    try:
        boundary = boundary_in(head.decode("latin-1"))
        got = sum(len(part.text(_PIECE)) for part in parts_of(boundary, iter(blocks())))
    except ServiceError as refusal:
        _check_refusal(refusal)
        return
    assert got <= len(body), "a form has more bytes than its body"


def _ranges(data: bytes) -> None:
    text = data.decode("latin-1")
    is_named('"d41d8cd98f00b204e9800998ecf8427e"', text)
    try:
        found = range_in(text, _SIZE)
    except Unsatisfiable:
        return
    if found is not None:
        assert 0 <= found.start < found.end <= _SIZE


def _request_headers(data: bytes) -> None:
    """Lines of headers that are read by hand: cookies, addresses of proxies, dates."""
    lines = [line.partition(b":") for line in data.split(b"\n")]
    headers = [(name.strip().lower(), value.strip()) for name, _, value in lines]
    scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b"", "headers": headers}
    request = Request({**scope, "client": ("127.0.0.1", 1)})
    cookies_of(request)
    proxies = Proxies(None, ("127.0.0.0/8", "::1"))
    origin = proxies.client_of(request).origin
    assert origin.startswith(("http://", "https://"))
    assert not set(origin[8:]) & set("/\\@?#<>\"' \r\n")
    assert isinstance(proxies.client_of(request).address, str)


def _vcards(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        for card in cards_in(text):
            try:
                contact = contact_of(card)
            except CardError:
                continue
            [again] = [contact_of(one) for one in cards_in(card_of(contact))]
            assert card_of(again) == card_of(contact), "a written card reads as another"
    except CardError:
        return


def _names(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    safe = safe_name(text)
    assert safe not in {"", ".", ".."}
    assert "/" not in safe
    assert "\0" not in safe
    assert len(safe.encode()) <= 255
    assert safe_name(safe) == safe, "a safe name is not safe"
    fold(text)
    SearchText(text)
    try:
        clean = clean_name(text)
    except BadName:
        return
    assert clean_name(clean) == clean
    order_key(clean)
    split_mime(clean)
    assert clean_name(numbered(clean, 2))


def _responses(data: bytes) -> None:
    """What a server answers to our client; bytes come in pieces of changing sizes."""
    response = Response("GET", Scratch())
    sizes = cycle((1, 3, 64, 4096))
    rest = data
    try:
        while rest and not response.is_whole:
            buffer = response.buffer()
            size = min(next(sizes), len(rest), len(buffer))
            buffer[:size] = rest[:size]
            rest = rest[size:]
            response.received(size)
            while response.has_pieces:
                response.take(_PIECE)
    except DamagedResponseError:
        return


_CARD = (
    b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Byron\r\nN:Byron;Ada;;;\r\n"
    b"TEL;TYPE=CELL:+49 30 1\r\nEMAIL:a@b.org\r\nEND:VCARD\r\n"
)
_FORM = (
    b"multipart/form-data; boundary=x\n"
    b'--x\r\nContent-Disposition: form-data; name="metadataString"\r\n\r\n{"name":"a"}\r\n'
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'
    b"Content-Type: text/plain\r\n\r\nbytes\r\n--x--\r\n"
)
_JSON = [b"{}", b'{"objectKeys":["0190A5B2C3D47E5F8A9BACBDCEDFE0F1"]}', b'{"name":"a","size":1}', b"[]"]
_JSON_TOKENS = [b"null", b"true", b'""', b"[", b"]", b"{", b"}", b":", b",", b'"\\ud800"', *_JSON]

_DAV_PARSERS: tuple[Callable[[bytes], object], ...] = (
    asked_in,
    update_in,
    lambda data: wanted_in(data, is_deep=True, seconds=None),
    lambda data: parse_if(data.decode("latin-1")),
    lambda data: names_of(segments_of(path_of_url(data.decode("latin-1"), frozenset({"host"})))),
    lambda data: (epoch_ms(data.decode("latin-1")), checksums_in({"oc-checksum": data.decode("latin-1")})),
    lambda data: credentials_in("Basic " + data.decode("latin-1")),
)
_DAV_SEEDS = [
    b'<propfind xmlns="DAV:"><prop><getetag/><x:y xmlns:x="urn:x"/></prop></propfind>',
    b'<propertyupdate xmlns="DAV:"><set><prop><x xmlns="">1</x></prop></set></propertyupdate>',
    b'<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype>'
    b"<owner>a</owner></lockinfo>",
    b'<http://host/dav/a> (Not <opaquelocktoken:00000000-0000-0000-0000-000000000000> ["etag"])',
    b"http://host/dav/a%20b/%C3%BC",
    b"Sun, 13 Sep 2020 12:26:40 GMT",
    b"YTpi",
]


def _webdav(data: bytes) -> None:
    """The first byte chooses the parser."""
    parser = _DAV_PARSERS[data[0] % len(_DAV_PARSERS)] if data else asked_in
    try:
        parser(data[1:])
    except (ServiceError, BadName) as refusal:
        if refusal.error is not OTHER_SERVER:
            _check_refusal(refusal)


_PARTY = Party("localhost", "http://localhost")
_PAGE = json.dumps({"type": "webauthn.create", "challenge": "AAAA", "origin": _PARTY.origin}).encode()
_NEW_KEY = cbor.encode(
    {
        "fmt": "none",
        "attStmt": {},
        "authData": hashlib.sha256(b"localhost").digest()
        + b"\x41\0\0\0\1"
        + bytes(16)
        + b"\0\4name"
        + cbor.encode({1: 2, 3: -7, -1: 1, -2: bytes(32), -3: bytes(32)}),
    }
)


def _passkeys(data: bytes) -> None:
    """What a browser says of the page, a line feed of its own, and what the authenticator says of the key."""
    page, _, attestation = data.partition(b"\n\n")
    response = PasskeyAttestation(client_data_json=to_base64url(page), attestation_object=to_base64url(attestation))
    try:
        created(Terms(_PARTY, "registration"), PasskeyCredential(id=to_base64url(b"name"), response=response))
    except ServiceError as refusal:
        _check_refusal(refusal)
    challenge_in(to_base64url(page))


PARSERS = [
    Target(
        name="passkeys",
        about="what browsers and security keys say of a new passkey",
        opened=_direct(_passkeys),
        seeds=[_PAGE + b"\n\n" + _NEW_KEY, b"{}\n\n\xa0", b"[\n\n\x81\x81"],
        tokens=[b"fmt", b"authData", b"attStmt", b"\xa1", b"\x81", b"\x9b\xff", b"\x5b\xff", b"\n\n", b"challenge"],
    ),
    Target(
        name="webdav",
        about="XML and headers of WebDAV requests",
        opened=_direct(_webdav),
        seeds=[bytes([number]) + seed for number, seed in enumerate(_DAV_SEEDS)],
        tokens=[b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"<", b"/>", b"xmlns:x=", b"DAV:", b"(", b")", b"Not", b"%"],
    ),
    Target(
        name="bodies",
        about="JSON bodies of all endpoints",
        opened=_direct(_body),
        seeds=[bytes([number]) + body for number in range(len(_BODIES)) for body in _JSON],
        tokens=[*_JSON_TOKENS, *(json.dumps(name).encode() for name in ("operation", "object", "folderKey", "hash"))],
    ),
    Target(
        name="queries",
        about="query strings of all endpoints",
        opened=_direct(_query),
        seeds=[bytes([number]) + b"type=f&limit=5&page=0&sort=%20objectName" for number in range(len(_QUERIES))],
        tokens=[
            b"&",
            b"=",
            b"folderKey",
            b"limit",
            b"page",
            b"type",
            b"f",
            b"w",
            b"-smd",
            b"1970-01-01 00:00:00.000000",
        ],
    ),
    Target(
        name="header-models",
        about="headers that endpoints declare",
        opened=_direct(_header_models),
        seeds=[bytes([number]) + b"x-offset:0\ncontent-md5:d41d8" for number in range(len(_HEADERS))],
        tokens=[b"\n", b":", b"x-offset", b"range", b"if-none-match", b"d41d8cd98f00b204e9800998ecf8427e"],
    ),
    Target(
        name="multipart",
        about="multipart forms",
        opened=_direct(_multipart),
        seeds=[_FORM, _FORM.replace(b"\r\n", b"\n")],
        tokens=[
            b"--x",
            b"--x--",
            b"\r\n\r\n",
            b"Content-Disposition:",
            b"form-data",
            b'; name="',
            b"filename*=UTF-8''",
        ],
    ),
    Target(
        name="ranges",
        about="Range, If-Range and lists of ETags",
        opened=_direct(_ranges),
        seeds=[b"bytes=0-99", b"bytes=-5", b"bytes=5-", b"bytes=0-1,5-9", b'W/"a", "b"', b"*"],
        tokens=[b"bytes=", b"-", b",", b'"', b"W/"],
    ),
    Target(
        name="request-headers",
        about="cookies and the addresses that proxies add",
        opened=_direct(_request_headers),
        seeds=[
            b'cookie: a=b; c="d\\"e"\nhost: example.org',
            b"x-forwarded-for: 10.0.0.1, ::1\nx-forwarded-proto: https\nx-forwarded-host: drive.example.org:8443",
            email.utils.formatdate(0, usegmt=True).encode(),
        ],
        tokens=[
            b"cookie:",
            b"x-forwarded-for:",
            b"x-forwarded-host:",
            b"host:",
            b";",
            b"=",
            b",",
            b"127.0.0.1",
            b"[::1]:1",
        ],
    ),
    Target(
        name="vcards",
        about="imported contacts",
        opened=_direct(_vcards),
        seeds=[_CARD, _CARD.replace(b"3.0", b"2.1"), _CARD.replace(b"Ada Byron", b"Ada\\, Byron\r\n  folded")],
        tokens=[
            b"BEGIN:VCARD\r\n",
            b"END:VCARD\r\n",
            b"TEL;",
            b"TYPE=",
            b":",
            b";",
            b",",
            b"a,",
            b"\r\n ",
            b"=0D=0A=",
            b"item1.",
        ],
    ),
    Target(
        name="names",
        about="names of objects, and the safe names of files made of them",
        opened=_direct(_names),
        seeds=[
            b"notes.txt",
            "Übung.tar.gz".encode(),
            b"CON",
            b"a" * 300,
            "e\u0301\u202e.exe".encode(),
            b"...  ",
        ],
        tokens=[b"/", b"\\", b".", b"..", b"CON", b"\xcc\x81", b"\xe2\x80\x8d", b".tar.gz", b" "],
    ),
    Target(
        name="responses",
        about="HTTP responses, as our client reads them",
        opened=_direct(_responses),
        seeds=[
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
        ],
        tokens=[
            b"HTTP/1.1 ",
            b"\r\n\r\n",
            b"Content-Length:",
            b"Transfer-Encoding: chunked",
            b"Connection: close",
            b"0\r\n",
        ],
    ),
]
