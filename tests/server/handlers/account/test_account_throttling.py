"""Repeated failures of logins: who has to wait, how long, and who does not."""

import uuid
from typing import Any

import httpx2
import pytest
from tests.server.api import HeldClock, error_of, log_in, logged_in, new_account
from tests.server.in_process import TestClient

from skyshelf.service.accounts.login_throttle import OF_ACCOUNT, OF_ADDRESS, LoginBuckets
from skyshelf.service.context import ServiceContext

THROTTLED = (429, "SKY1007")


def attempt(
    client: TestClient, email: str, address: str, password: str = "wrong password", **more: Any
) -> httpx2.Response:
    """A login through a trusted proxy, which tells the address."""
    response: httpx2.Response = client.post(
        "/x/v1/login",
        json={"emailId": email, "password": password, **more},
        headers={"X-Forwarded-For": address},
    )
    return response


@pytest.fixture
def client(app: Any) -> Any:
    with TestClient(app, client=("127.0.0.1", 50000), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def account(ctx: ServiceContext) -> Any:
    return new_account(ctx, "ada@example.org")


def fail_until_closed(client: TestClient, email: str, first: int = 1) -> httpx2.Response:
    """Fail from many addresses, so that only the account's own bucket counts."""
    for number in range(first, first + 40):
        answer = attempt(client, email, f"198.51.100.{number}")
        if answer.status_code == 429:
            return answer
    raise AssertionError("the account never closed")


@pytest.mark.parametrize("email", ["ada@example.org", "nobody@example.org"])
def test_failures_close_an_account_whether_it_exists_or_not(client: TestClient, account: Any, email: str) -> None:
    statuses = [attempt(client, email, f"198.51.100.{number}").status_code for number in range(1, 15)]
    assert statuses == [401] * 11 + [429] * 3


def test_a_throttled_login_says_when_to_come_back(client: TestClient, account: Any, clock: HeldClock) -> None:
    answer = fail_until_closed(client, "ada@example.org")
    assert error_of(answer) == THROTTLED
    wait = int(answer.headers["retry-after"])
    assert 1 <= wait <= 60
    clock.advance(seconds=wait)
    assert log_in(client, "ada@example.org").status_code == 200


def test_the_right_password_waits_as_well(client: TestClient, account: Any) -> None:
    fail_until_closed(client, "ada@example.org")
    assert error_of(log_in(client, "ada@example.org")) == THROTTLED


def test_a_success_forgets_the_failures_of_the_account(client: TestClient, account: Any) -> None:
    for round_ in range(3):
        for number in range(8):
            assert attempt(client, "ada@example.org", f"198.51.100.{10 * round_ + number}").status_code == 401
        assert attempt(client, "ada@example.org", "203.0.113.5", "correct horse battery").status_code == 200


def test_an_account_never_closes_for_more_than_a_minute(client: TestClient, account: Any, clock: HeldClock) -> None:
    for _ in range(20):
        answer = fail_until_closed(client, "ada@example.org")
        wait = int(answer.headers["retry-after"])
        assert wait <= 60
        clock.advance(seconds=wait)
    # The owner comes from another address after at most that minute.
    assert attempt(client, "ada@example.org", "203.0.113.9", "correct horse battery").status_code == 200


def test_a_device_that_is_known_is_not_kept_out_by_strangers(
    client: TestClient, ctx: ServiceContext, account: Any
) -> None:
    mine = logged_in(client, ctx, account).login["deviceKey"]
    fail_until_closed(client, "ada@example.org")
    assert error_of(log_in(client, "ada@example.org")) == THROTTLED
    assert log_in(client, "ada@example.org", deviceKey=mine).status_code == 200
    assert error_of(log_in(client, "ada@example.org", deviceKey=str(uuid.uuid4()))) == THROTTLED


def test_a_known_device_has_no_more_free_tries_than_others(
    client: TestClient, ctx: ServiceContext, account: Any
) -> None:
    mine = logged_in(client, ctx, account).login["deviceKey"]
    statuses = [
        attempt(client, "ada@example.org", f"198.51.100.{number}", deviceKey=mine).status_code
        for number in range(1, 15)
    ]
    assert statuses == [401] * 11 + [429] * 3


def test_an_address_that_tries_many_accounts_has_to_wait(client: TestClient, account: Any) -> None:
    statuses = [attempt(client, f"person-{number}@example.org", "198.51.100.1").status_code for number in range(25)]
    assert statuses == [401] * 21 + [429] * 4
    assert attempt(client, "ada@example.org", "198.51.100.2", "correct horse battery").status_code == 200


def test_the_pauses_of_an_address_grow_to_a_quarter_of_an_hour(
    client: TestClient, account: Any, clock: HeldClock
) -> None:
    waits = []
    for number in range(60):
        answer = attempt(client, f"person-{number}@example.org", "198.51.100.1")
        if answer.status_code == 429:
            waits.append(int(answer.headers["retry-after"]))
            clock.advance(seconds=waits[-1])
    assert waits[:4] == [1, 2, 4, 8]
    assert max(waits) == OF_ADDRESS.longest_pause // 1000 == 900


def test_a_guesser_cannot_reset_its_address_with_a_login_to_its_own_account(client: TestClient, account: Any) -> None:
    for number in range(21):
        attempt(client, f"person-{number}@example.org", "198.51.100.1")
        if number % 5 == 0:
            attempt(client, "ada@example.org", "198.51.100.1", "correct horse battery")
    assert error_of(attempt(client, "person-99@example.org", "198.51.100.1")) == THROTTLED


def test_tries_from_a_closed_address_do_not_count_against_the_account(client: TestClient, account: Any) -> None:
    for number in range(21):
        attempt(client, f"person-{number}@example.org", "198.51.100.1")
    for _ in range(30):
        assert attempt(client, "ada@example.org", "198.51.100.1").status_code == 429
    assert attempt(client, "ada@example.org", "203.0.113.5", "correct horse battery").status_code == 200


def test_logins_that_succeed_are_never_throttled(client: TestClient, account: Any) -> None:
    assert {
        attempt(client, "ada@example.org", "198.51.100.1", "correct horse battery").status_code for _ in range(30)
    } == {200}


def test_a_whole_ipv6_network_counts_as_one_address() -> None:
    def bucket(address: str) -> bytes:
        return LoginBuckets("a@example.org", address, None).address

    assert bucket("2001:db8:1:2::1") == bucket("2001:db8:1:2:ffff::2")
    assert bucket("2001:db8:1:2::1") != bucket("2001:db8:1:3::1")
    assert bucket("::ffff:192.0.2.1") == bucket("192.0.2.1")
    assert bucket("192.0.2.1") != bucket("192.0.2.2")


def test_an_address_cannot_be_forged_by_somebody_who_is_no_proxy(app: Any, ctx: ServiceContext, account: Any) -> None:
    with TestClient(app, client=("203.0.113.77", 50000)) as stranger:
        statuses = [
            attempt(stranger, f"person-{number}@example.org", f"198.51.100.{number}").status_code
            for number in range(25)
        ]
    assert statuses[-1] == 429


def test_the_rules_let_people_mistype() -> None:
    assert OF_ACCOUNT.pause_after(10) == 0
    assert OF_ACCOUNT.pause_after(11) == 1000
    assert OF_ACCOUNT.pause_after(1000) == 60_000
