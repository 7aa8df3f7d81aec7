"""Somebody else's files are, by every method, files that do not exist."""

import re
from collections.abc import Callable

import pytest
from tests.server.dav.app import DavApp

from skyshelf.server.dav.routes import METHODS

# Each method, about a path that the other account has or that no account has.
REQUESTS: dict[str, dict[str, str]] = {
    "GET": {},
    "HEAD": {},
    "PROPFIND": {"Depth": "1"},
    "PUT": {"If-Match": "*"},
    "MKCOL": {},
    "COPY": {"Destination": "/dav/stolen"},
    "MOVE": {"Destination": "/dav/stolen"},
    "DELETE": {},
    "PROPPATCH": {},
    "LOCK": {"Depth": "0"},
    "UNLOCK": {"Lock-Token": "<opaquelocktoken:00000000-0000-0000-0000-000000000000>"},
}
BODIES = {
    "PROPPATCH": b'<propertyupdate xmlns="DAV:"><set><prop><x xmlns="">1</x></prop></set></propertyupdate>',
    "LOCK": b'<lockinfo xmlns="DAV:"><lockscope><shared/></lockscope><locktype><write/></locktype></lockinfo>',
}
_VARYING = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|Second-\d+")


def test_every_method_has_a_request() -> None:
    assert REQUESTS.keys() == METHODS.keys()


@pytest.mark.parametrize("method", REQUESTS)
@pytest.mark.parametrize("beside", ["{}", "{}/inside.txt", "{}/deeper/still"])
def test_a_strangers_path_is_answered_like_a_path_of_nothing(
    dav: DavApp, stranger: DavApp, method: str, beside: str
) -> None:
    dav.mkcol("theirs")
    dav.put("theirs/inside.txt", b"secret")
    token = dav.token("theirs")

    def answer(name: str) -> tuple[int, dict[str, str], str]:
        path = beside.format(name)
        headers = {**REQUESTS[method], "If-None-Match": None} if method != "PUT" else REQUESTS[method]
        got = stranger.request(method, path, headers=headers, content=BODIES.get(method, b""))
        stranger.delete(name)
        kept = {key: value for key, value in got.headers.items() if key in {"dav", "allow", "etag", "content-type"}}
        return got.status_code, kept, _VARYING.sub("*", got.text.replace(name, "NAME"))

    assert answer("theirs") == answer("nobody")
    with_token = stranger.request("UNLOCK", "theirs", headers={"Lock-Token": token})
    assert with_token.status_code in (404, 409), "409 where the stranger has made something of that name"
    assert dav.get("theirs/inside.txt").content == b"secret"
    assert dav.put("theirs/inside.txt", b"x").status_code == 423, "the lock still holds"


def test_a_strangers_lock_token_opens_nothing(dav: DavApp, stranger: DavApp) -> None:
    dav.put("same.txt", b"one")
    stranger.put("same.txt", b"two")
    mine, theirs = dav.token("same.txt"), stranger.token("same.txt")
    change: Callable[[str], int] = lambda token: dav.put("same.txt", b"new", If=f"({token})").status_code  # noqa: E731
    assert change(theirs) == 412
    assert dav.unlock("same.txt", theirs).status_code == 409
    assert change(mine) == 204
