"""Requesters: a request counts for an account once its credential has proved valid, and for its address until then."""

from typing import Any

import pytest

from skyshelf.server.http.proxies import Proxies
from skyshelf.server.pipeline.admission.requesters import CREDENTIALS_KEPT, Requesters
from skyshelf.server.pipeline.request import Head, ServerRequest, credential_in

TOKEN = {"authorization": "Basic abc"}


def scope(address: str = "192.0.2.1", query: str = "", **headers: str) -> dict[str, Any]:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "client": (address, 1), "headers": sent, "query_string": query.encode()}


def asking(scope: dict[str, Any]) -> ServerRequest:
    request = ServerRequest(scope)
    client = Proxies(None, ("127.0.0.1",)).client_of(request)
    request.head = Head(request.headers, client, credential_in(scope))
    return request


def key_of(requesters: Requesters, scope: dict[str, Any]) -> int | str:
    return requesters.requester_of(asking(dict(scope))).key


@pytest.fixture
def requesters() -> Requesters:
    return Requesters()


def prove(requesters: Requesters, asked: dict[str, Any], account_id: int) -> None:
    requesters.remember(asking(dict(asked)), account_id)


@pytest.mark.parametrize(
    "credential", [scope(**TOKEN), scope(cookie="skyshelf_session=a:b:c"), scope(query="size=5&nonce=abc&x=1")]
)
def test_a_credential_that_was_valid_counts_for_its_account(requesters: Requesters, credential: dict[str, Any]) -> None:
    assert key_of(requesters, credential) == "192.0.2.1"
    prove(requesters, credential, 7)
    assert key_of(requesters, {**credential, "client": ("198.51.100.9", 5)}) == 7


def test_invented_credentials_all_count_for_their_address(requesters: Requesters) -> None:
    prove(requesters, scope(**TOKEN), 7)
    keys = {key_of(requesters, scope(authorization=f"Basic {number}")) for number in range(100)}
    assert keys == {"192.0.2.1"}


def test_the_address_is_the_one_behind_trusted_proxies_and_a_whole_network_of_ipv6(requesters: Requesters) -> None:
    assert key_of(requesters, scope("127.0.0.1", x_forwarded_for="203.0.113.5")) == "203.0.113.5"
    assert key_of(requesters, scope("203.0.113.9", x_forwarded_for="203.0.113.5")) == "203.0.113.9"
    assert key_of(requesters, scope("2001:db8::1")) == key_of(requesters, scope("2001:db8::2"))


def test_a_credential_that_is_no_longer_valid_is_forgotten(requesters: Requesters) -> None:
    prove(requesters, scope(**TOKEN), 7)
    requesters.forget(asking(scope(**TOKEN)))
    assert key_of(requesters, scope(**TOKEN)) == "192.0.2.1"


def test_credentials_are_not_remembered_without_bound(requesters: Requesters) -> None:
    for number in range(CREDENTIALS_KEPT + 10):
        prove(requesters, scope(authorization=f"Basic {number}"), number + 1)
    assert len(requesters) == CREDENTIALS_KEPT
