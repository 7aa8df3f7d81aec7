"""Locks of somebody else open nothing; every route is in tests/server/test_walls_of_apps.py."""

from collections.abc import Callable

from tests.server.dav.app import DavApp


def test_a_strangers_lock_token_opens_nothing(dav: DavApp, stranger: DavApp) -> None:
    dav.put("same.txt", b"one")
    stranger.put("same.txt", b"two")
    mine, theirs = dav.token("same.txt"), stranger.token("same.txt")
    change: Callable[[str], int] = lambda token: dav.put("same.txt", b"new", If=f"({token})").status_code  # noqa: E731
    assert change(theirs) == 412
    assert dav.unlock("same.txt", theirs).status_code == 409
    assert change(mine) == 204
