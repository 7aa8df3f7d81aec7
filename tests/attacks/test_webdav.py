"""WebDAV: the worst that one request may ask for, answers that nobody reads, and the deepest folders."""

import socket
from base64 import b64encode
from collections.abc import Iterator

import pytest
from tests.attacks.attacked import Attacked, eventually
from tests.attacks.conftest import BOTH
from tests.attacks.crowd import Crowd, request
from tests.attacks.test_floods import many_files
from tests.server.api import Api
from tests.server.dav.app import DAV, DavApp, entries, hrefs, properties
from tests.server.nextcloud.app import CloudApp

from skyshelf.wire.limits import (
    FOLDER_DEPTH_MAX,
    LOCK_OWNER_BYTES_MAX,
    LOCKS_OF_RESOURCE_MAX,
    WEBDAV_BODY_BYTES_MAX,
    WEBDAV_NAME_BYTES_MAX,
    WEBDAV_PROPERTIES_MAX,
)

PROBES = 40
UNREAD = 40
"""Answers that are left unread, and as many whose clients leave."""


def app_of(attacked: Attacked, attacker: Api) -> DavApp:
    return DavApp(attacker.client, attacked.ctx, attacker.account)


def headers_of(dav: DavApp, **more: str) -> dict[str, str]:
    credentials = b64encode(f"{dav.account.email}:{dav.password}".encode()).decode()
    return {"Authorization": f"Basic {credentials}", **more}


def bodies_of_one_namespace() -> Iterator[tuple[str, str]]:
    """As many names as fit into a body, all in a namespace as long as the rest of it."""
    half = WEBDAV_BODY_BYTES_MAX // 2 - 500
    declared = f'xmlns:D="DAV:" xmlns:a="{"n" * half}"'
    attributes = "".join(f' a:b{number:x}=""' for number in range(half // 12))
    elements = "<a:b/>" * 3900
    yield "PROPFIND", f"<D:propfind {declared}{attributes}><D:allprop/></D:propfind>"
    yield "PROPFIND", f"<D:propfind {declared}><D:prop>{elements}</D:prop></D:propfind>"
    yield (
        "PROPPATCH",
        (f"<D:propertyupdate {declared}><D:remove><D:prop>{elements}</D:prop></D:remove></D:propertyupdate>"),
    )
    yield (
        "LOCK",
        (
            f"<D:lockinfo {declared}><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>"
            f"<D:owner>{elements}</D:owner></D:lockinfo>"
        ),
    )


def test_the_worst_bodies_and_conditions_are_refused_at_once(attacked: Attacked) -> None:
    attacker = attacked.account()
    dav = app_of(attacked, attacker)
    dav.put("file")
    asked = [request(method, "/dav/file", headers_of(dav), body.encode()) for method, body in bodies_of_one_namespace()]
    asked += [
        request(method, "/dav/file", headers_of(dav, If="([x])" * 3000, Destination="/dav/other"))
        for method in ("GET", "PROPFIND", "COPY", "MOVE")
    ]
    with attacked.while_others_work(probes=PROBES):
        crowd = Crowd(attacked, asked * 3)
        seen = crowd.read(seconds=10, most=3 * len(asked))
    assert seen[400]
    assert seen.keys() <= {400, 429, 503}


def test_unread_answers_take_little_memory_and_end_with_their_clients(attacked: Attacked) -> None:
    attacker = attacked.account()
    dav = app_of(attacked, attacker)
    many_files(attacker, 500)
    owner = "o" * LOCK_OWNER_BYTES_MAX
    for _ in range(LOCKS_OF_RESOURCE_MAX):
        locked = dav.lock(
            "",
            body='<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>'
            f"<D:owner>{owner}</D:owner></D:lockinfo>",
        )
        assert locked.status_code == 200, locked.text
    long = WEBDAV_NAME_BYTES_MAX - 10
    names = "".join(f"<a:p{number:03}{'x' * long}/>" for number in range(WEBDAV_PROPERTIES_MAX - 1))
    body = (
        f'<D:propfind xmlns:D="DAV:" xmlns:a="urn:{"n" * long}"><D:prop><D:lockdiscovery/>{names}</D:prop></D:propfind>'
    ).encode()
    asked = [request("PROPFIND", "/dav/", headers_of(dav, Depth=depth), body) for depth in ("1", "infinity")]
    with attacked.while_others_work(probes=PROBES):
        for stays in (False, True):
            left: list[socket.socket] = []
            for number in range(UNREAD):
                left.append(attacked.connect())
                left[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                left[-1].sendall(asked[number % 2])
            if not stays:
                for raw in left:
                    raw.close()
    # The clients that stay have their share, and nobody works for those that have left.
    quiet = attacked.client()
    eventually(lambda: 'skyshelf_admission_in_use{kind="calls"} 0.0' in quiet.get("/metrics").text)


@pytest.mark.parametrize("attacked_backend", BOTH)
@pytest.mark.parametrize("app", [DavApp, CloudApp])
def test_every_method_reaches_the_deepest_folder(attacked: Attacked, app: type[DavApp]) -> None:
    attacker = attacked.account()
    dav = app(attacker.client, attacked.ctx, attacker.account)
    key, names = attacker.root_key, [f"{'n' * 26} {level:03}" for level in range(FOLDER_DEPTH_MAX)]
    for name in names:
        key = attacker.folder(name, key).object_key
    top, deepest = names[0], "/".join(names)
    token = dav.token(top)
    held = {"If": f"<{dav.url(top)}> ({token})"}
    assert dav.put(f"{deepest}/file").status_code == 423
    assert dav.put(f"{deepest}/file", b"deep", **held).status_code == 201
    assert dav.get(f"{deepest}/file").content == b"deep"
    body = '<D:propfind xmlns:D="DAV:"><D:prop><D:lockdiscovery/><D:getetag/></D:prop></D:propfind>'
    for depth, found in (("0", 1), ("1", 2), ("infinity", 2)):
        listed = entries(dav.propfind(deepest, body, depth=depth))
        assert len(listed) == found
        assert all(len(properties(one)[f"{DAV}lockdiscovery"]) == 1 for one in listed)
    assert len(hrefs(dav.propfind(top, body, depth="infinity"))) == FOLDER_DEPTH_MAX + 1
    assert dav.proppatch(f"{deepest}/file", "<D:set><D:prop><x:p/></D:prop></D:set>", **held).status_code == 207
    assert dav.copy(f"{deepest}/file", f"{deepest}/copy", **held).status_code == 201
    assert dav.move(f"{deepest}/copy", f"{deepest}/moved", **held).status_code == 201
    assert dav.unlock(f"{deepest}/moved", token).status_code == 204
    assert dav.unlock(f"{deepest}/new", dav.token(f"{deepest}/new")).status_code == 204
    assert dav.mkcol(f"{deepest}/too deep").status_code == 403
    assert dav.copy(top, f"{top}/into itself").status_code == 403
    assert dav.copy(top, "whole").status_code == 201
    assert dav.move("whole", "whole, moved").status_code == 201
    assert len(hrefs(dav.propfind("whole, moved", depth="infinity"))) == FOLDER_DEPTH_MAX + 3
    assert dav.delete("whole, moved").status_code == 204
    assert dav.delete(f"{deepest}/moved").status_code == 204
    beyond = f"{deepest}/{deepest}"
    for answer in (dav.get(beyond), dav.propfind(beyond), dav.delete(beyond), dav.mkcol(beyond), dav.put(beyond)):
        assert answer.status_code in {404, 409}
