"""Requesters: a request counts for an account once its credential has proved valid, and for its address until then."""

from typing import Any

import pytest

from skyshelf.server.http.admission.requesters import CREDENTIALS_KEPT, Requester, Requesters, current_requester
from skyshelf.server.http.proxies import Proxies

TOKEN = {"authorization": "Basic abc"}


def scope(address: str = "192.0.2.1", query: str = "", **headers: str) -> dict[str, Any]:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "client": (address, 1), "headers": sent, "query_string": query.encode()}


@pytest.fixture
def requesters() -> Requesters:
    return Requesters(Proxies(None, ("127.0.0.1",)))


def prove(requesters: Requesters, asked: dict[str, Any], account_id: int) -> Requester:
    requester = requesters.requester_of(asked)
    token = current_requester.set(requester)
    requesters.recognize(account_id)
    current_requester.reset(token)
    return requester


@pytest.mark.parametrize(
    "credential", [scope(**TOKEN), scope(cookie="skyshelf_session=a:b:c"), scope(query="size=5&nonce=abc&x=1")]
)
def test_a_credential_that_was_valid_counts_for_its_account(requesters: Requesters, credential: dict[str, Any]) -> None:
    assert requesters.requester_of(credential).key == "192.0.2.1"
    assert prove(requesters, credential, 7).key == 7
    assert requesters.requester_of({**credential, "client": ("198.51.100.9", 5)}).key == 7


def test_invented_credentials_all_count_for_their_address(requesters: Requesters) -> None:
    prove(requesters, scope(**TOKEN), 7)
    keys = {requesters.requester_of(scope(authorization=f"Basic {number}")).key for number in range(100)}
    assert keys == {"192.0.2.1"}


def test_the_address_is_the_one_behind_trusted_proxies_and_a_whole_network_of_ipv6(requesters: Requesters) -> None:
    assert requesters.requester_of(scope("127.0.0.1", x_forwarded_for="203.0.113.5")).key == "203.0.113.5"
    assert requesters.requester_of(scope("203.0.113.9", x_forwarded_for="203.0.113.5")).key == "203.0.113.9"
    assert requesters.requester_of(scope("2001:db8::1")).key == requesters.requester_of(scope("2001:db8::2")).key


def test_a_credential_that_is_no_longer_valid_is_forgotten(requesters: Requesters) -> None:
    prove(requesters, scope(**TOKEN), 7)
    token = current_requester.set(requesters.requester_of(scope(**TOKEN)))
    requesters.forget()
    current_requester.reset(token)
    assert requesters.requester_of(scope(**TOKEN)).key == "192.0.2.1"


def test_credentials_are_not_remembered_without_bound(requesters: Requesters) -> None:
    for number in range(CREDENTIALS_KEPT + 10):
        prove(requesters, scope(authorization=f"Basic {number}"), number + 1)
    assert len(requesters._accounts) == CREDENTIALS_KEPT
