"""The largest requests of WebDAV and of Nextcloud's clients: what their bodies and headers can hold, wide and deep."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import md5
from itertools import count
from urllib.parse import quote

from msgspec.structs import asdict, replace
from tests.server.app_calls import AppCall, Names, furnish
from tests.server.largest.full_account import Full
from tests.server.largest.meter import Request
from tests.server.largest.values import EVERY_CALL, a_header, words
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.dav.conditions import CONDITIONS_MAX
from skyshelf.wire.limits import (
    DEAD_PROPERTIES_BYTES_MAX,
    DEAD_PROPERTIES_MAX,
    HEADER_BYTES_MAX,
    LOCK_OWNER_BYTES_MAX,
    MIB,
    UPLOADS_AT_ONCE_BYTES_MAX,
    UPLOADS_AT_ONCE_MAX,
    WEBDAV_BODY_BYTES_MAX,
    WEBDAV_NAME_BYTES_MAX,
    WEBDAV_PROPERTIES_MAX,
)

_SPACES = f'xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:x="urn:{"n" * (WEBDAV_NAME_BYTES_MAX - 4)}"'
_LEVELS = 8
"""Names in the address of a condition: as many as fit into the headers fifty times."""
_TREES = ("/dav", "/remote.php/dav/files", "/remote.php/webdav")
_numbers = count(1)


def _properties(number: int) -> str:
    long = WEBDAV_NAME_BYTES_MAX - len("x:p000")
    return "".join(f"<x:p{at:03}{'l' * long}/>" for at in range(number))


def _filled(begin: str, end: str) -> bytes:
    """A document as long as it may be."""
    room = WEBDAV_BODY_BYTES_MAX - len(begin) - len(end) - len("<!---->")
    return f"{begin}<!--{'c' * room}-->{end}".encode()


_ASKED = f"<D:getetag/><D:lockdiscovery/>{_properties(WEBDAV_PROPERTIES_MAX - 2)}"


def _propfind(_: str) -> bytes:
    return _filled(f"<D:propfind {_SPACES}><D:prop>{_ASKED}</D:prop>", "</D:propfind>")


def _proppatch(_: str) -> bytes:
    room = DEAD_PROPERTIES_BYTES_MAX // DEAD_PROPERTIES_MAX - 2 * WEBDAV_NAME_BYTES_MAX - 60
    kept = "".join(f"<x:p{at:03}>{'v' * room}</x:p{at:03}>" for at in range(DEAD_PROPERTIES_MAX))
    gone = _properties(WEBDAV_PROPERTIES_MAX - DEAD_PROPERTIES_MAX)
    return _filled(
        f"<D:propertyupdate {_SPACES}><D:set><D:prop>{kept}</D:prop></D:set>"
        f"<D:remove><D:prop>{gone}</D:prop></D:remove>",
        "</D:propertyupdate>",
    )


def _lock(given: str) -> bytes:
    """Without a body it refreshes a lock."""
    if not given:
        return b""
    owner = "o" * LOCK_OWNER_BYTES_MAX
    return _filled(
        f"<D:lockinfo {_SPACES}><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>"
        f"<D:owner>{owner}</D:owner>",
        "</D:lockinfo>",
    )


def _report(_: str) -> bytes:
    rules = "<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules>"
    return _filled(f"<oc:filter-files {_SPACES}><D:prop>{_ASKED}</D:prop>{rules}", "</oc:filter-files>")


def _search(given: str) -> bytes:
    scope = given[given.index("<d:from>") : given.index("</d:from>")].replace("d:", "D:").replace("D:displ", "d:displ")
    like = "".join(
        f"<D:like><D:prop><D:displayname/></D:prop><D:literal>%{text}%</D:literal></D:like>"
        for text in (words(200), "jpg", "1eef", "0")
    )
    return _filled(
        f"<D:searchrequest {_SPACES}><D:basicsearch><D:select><D:prop>{_ASKED}</D:prop></D:select>{scope}</D:from>"
        f"<D:where><D:or>{like}</D:or></D:where>",
        "</D:basicsearch></D:searchrequest>",
    )


def _bulk(given: str) -> bytes:
    if not given.startswith("--b"):
        return given.encode()
    size = UPLOADS_AT_ONCE_BYTES_MAX // UPLOADS_AT_ONCE_MAX - 400
    parts = []
    for number in range(UPLOADS_AT_ONCE_MAX):
        content = b"%08d" % next(_numbers) + bytes(size - 8)
        head = (
            f"--b\r\nContent-Length: {size}\r\nX-File-Path: /bulk {number:03}{'n' * 200}\r\n"
            f"X-File-MD5: {md5(content, usedforsecurity=False).hexdigest()}\r\n\r\n"
        )
        parts.append(head.encode() + content + b"\r\n")
    return b"".join([*parts, b"--b--\r\n"])


def _content(_: str) -> bytes:
    """Far less than a file may have: its bytes are passed on in blocks, and their number changes nothing."""
    return bytes(4 * MIB)


def _none(_: str) -> bytes:
    return b""


BODIES: dict[str, Callable[[str], bytes]] = {
    "PROPFIND": _propfind,
    "PROPPATCH": _proppatch,
    "LOCK": _lock,
    "REPORT": _report,
    "SEARCH": _search,
    "POST": _bulk,
    "PUT": _content,
    **dict.fromkeys(["OPTIONS", "GET", "HEAD", "MKCOL", "COPY", "MOVE", "DELETE", "UNLOCK", "PATCH"], _none),
}
"""The largest body of each method, made of the good one; a method that is missing here fails."""


def _conditions(base: str, full: Full) -> str:
    """As many conditions as may be given, each about another resource, and the last of them alone holds."""
    urls = [f"{base}/{'/'.join(full.deep[:_LEVELS])}/{number:02}" for number in range(CONDITIONS_MAX - 1)]
    return " ".join([*(f'<{url}> (["e"])' for url in urls), f"<{base}/x> (Not <urn:x:none>)"])


def requests_of_apps(calls: list[AppCall], full: Full, app: CloudApp) -> Iterator[tuple[str, AppCall, Request]]:
    """Each call about a folder with many files, and about the deepest one."""
    for call in calls:
        for where in ("wide", "deep") if {"folder", "file"} & set(call.places) else ("wide",):
            number = next(_numbers)
            names = furnish(app, f"a{number:03}", call.places)
            yield f"{call.id} {where}", call, _request(call, full, app, _placed(call, names, full, where))


def _placed(call: AppCall, names: Names, full: Full, where: str) -> Names:
    if "folder" not in call.places and "file" not in call.places:
        return names
    if call.method in {"COPY", "MOVE", "DELETE"}:
        if where == "wide":
            folder, file = full.doomed_files()
        else:
            folder, file = full.doomed_leaf()
    elif where == "wide":
        folder, file = full.wide()
    else:
        folder, file = "/".join(full.deep), full.leaf
    return replace(names, folder=folder, file=f"{folder}/{file}")


def _request(call: AppCall, full: Full, app: CloudApp, names: Names) -> Request:
    values = {name: quote(value, safe="/:@") for name, value in asdict(names).items()}
    path, _, query = call.address.format(**values).partition("?")
    credentials = b64encode(f"{app.account.email}:{app.password}".encode()).decode()
    headers = {"Authorization": f"Basic {credentials}"}
    headers |= {name: value.format(**values) for name, value in call.headers.items()}
    tree = next((one for one in _TREES if path.startswith(one)), None)
    if tree is not None and "If" not in headers:
        base = f"{tree}/{quote(names.user)}" if tree.endswith("files") else tree
        headers["If"] = _conditions(base, full)
    room = HEADER_BYTES_MAX - 200 - sum(len(name) + len(value) + 4 for name, value in headers.items())
    share = max(0, room // len(EVERY_CALL))
    headers |= {name: a_header(name, share - len(name) - 4) for name in EVERY_CALL if share > 40}
    body = BODIES[call.method](call.body.format(**values))
    return Request(method=call.method, path=quote(path, safe="/%:@"), query=query, headers=headers, body=body)
