"""Proxies: whom the server believes about the real client, and what it makes of it."""

from typing import Any

import pytest
from starlette.requests import Request

from skyshelf.server.http.proxies import Proxies

LOOPBACK = ("127.0.0.1", "::1")


def request(peer: str, *headers: tuple[str, str], scheme: str = "http", host: str = "drive.local") -> Request:
    raw = [(name.encode(), value.encode()) for name, value in (("host", host), *headers)]
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "scheme": scheme,
        "server": ("x", 80),
        "client": (peer, 1),
        "headers": raw,
    }
    return Request(scope)


def test_the_address_is_the_peers_unless_a_trusted_proxy_names_another() -> None:
    proxies = Proxies(None, LOOPBACK)
    forwarded = ("x-forwarded-for", "198.51.100.7")
    assert proxies.client_of(request("203.0.113.5", forwarded)).address == "203.0.113.5"
    assert proxies.client_of(request("127.0.0.1", forwarded)).address == "198.51.100.7"
    assert proxies.client_of(request("127.0.0.1")).address == "127.0.0.1"


def test_what_a_client_wrote_itself_in_front_is_not_believed() -> None:
    proxies = Proxies(None, (*LOOPBACK, "10.0.0.0/8"))
    chain = ("x-forwarded-for", "1.1.1.1, 198.51.100.7, 10.0.0.9")
    assert proxies.client_of(request("127.0.0.1", chain)).address == "198.51.100.7"


def test_an_ipv4_proxy_on_an_ipv6_socket_is_the_same_proxy() -> None:
    proxies = Proxies(None, LOOPBACK)
    assert proxies.client_of(request("::ffff:127.0.0.1", ("x-forwarded-for", "198.51.100.7"))).address == "198.51.100.7"
    assert not proxies.client_of(request("::ffff:203.0.113.5")).is_behind_proxy


def test_a_peer_without_an_address_is_trusted_with_nothing() -> None:
    assert not Proxies(None, LOOPBACK).client_of(request("")).is_behind_proxy
    assert not Proxies(None, LOOPBACK).client_of(request("unix")).is_behind_proxy


def test_the_origin_is_the_public_url_where_there_is_one() -> None:
    proxies = Proxies("https://drive.example.org/", LOOPBACK)
    assert proxies.client_of(request("203.0.113.5", host="elsewhere")).origin == "https://drive.example.org"


def test_the_origin_follows_the_request_and_a_trusted_proxy() -> None:
    proxies = Proxies(None, LOOPBACK)
    reported = (("x-forwarded-proto", "https"), ("x-forwarded-host", "drive.example.org"))
    assert proxies.client_of(request("203.0.113.5", *reported)).origin == "http://drive.local"
    assert proxies.client_of(request("127.0.0.1", *reported)).origin == "https://drive.example.org"
    assert proxies.client_of(request("203.0.113.5", scheme="https", host="[2001:db8::1]:8600")).origin == (
        "https://[2001:db8::1]:8600"
    )


@pytest.mark.parametrize("host", ["", "a b", "x/y", 'x"><script>', "x@y", "x?y", "a" * 300, "x\\y"])
def test_a_host_that_is_none_never_gets_into_a_url(host: str) -> None:
    assert Proxies(None, LOOPBACK).client_of(request("203.0.113.5", host=host)).origin == "http://localhost"


def test_a_scheme_that_is_none_never_gets_into_a_url() -> None:
    reported = ("x-forwarded-proto", "javascript")
    assert Proxies(None, LOOPBACK).client_of(request("127.0.0.1", reported)).origin == "http://drive.local"


def test_all_lines_of_a_header_are_read_from_the_end() -> None:
    """A client can send a line itself, and a proxy may add its own instead of appending to that."""
    proxies = Proxies(None, LOOPBACK)
    lines = (("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "198.51.100.7"))
    assert proxies.client_of(request("127.0.0.1", *lines)).address == "198.51.100.7"
    named = (
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-host", "drive.example.org"),
        ("x-forwarded-proto", "https"),
    )
    assert proxies.client_of(request("127.0.0.1", *named)).origin == "https://drive.example.org"
