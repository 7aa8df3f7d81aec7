"""One-time links: the first account, invitations and new passwords."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from tests.server.api import PASSWORD, HeldClock, error_of, log_in, new_account
from tests.server.in_process import TestClient
from tests.server.second_factors import turned_on

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.accounts import accounts, password_links
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account

TOKEN = "a-token-that-was-printed"
PATH = "/x/v1/welcome"
FIRST = {"token": TOKEN, "emailId": "ada@example.org", "firstName": "Ada", "lastName": "Byron", "password": PASSWORD}
NEW_PASSWORD = "another horse battery"
NO_LINK = (404, "SKY2010")


@pytest.fixture
def client(ctx: ServiceContext, settings: ServerSettings) -> Iterator[TestClient]:
    password_links.keep_first(ctx, TOKEN)
    app = app_for(ctx, settings)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def looked_at(client: TestClient, token: str) -> Any:
    return client.get(PATH, headers={"X-Welcome-Token": token})


def invited(ctx: ServiceContext) -> tuple[Account, str]:
    account = accounts.add_account(ctx, "grace@example.org", "Grace", "Hopper", None)
    return account, password_links.create_link(ctx, account).token


def test_a_server_says_whether_it_is_new_and_where_to_log_in_and_nothing_else(
    client: TestClient, ctx: ServiceContext
) -> None:
    always = {"canMailPassword": True, "providers": [{"id": "company", "name": "Company"}]}
    assert client.get(PATH).json() == {"isNewServer": True, **always}
    new_account(ctx, "ada@example.org")
    assert client.get(PATH).json() == {"isNewServer": False, **always}


def test_the_first_account_is_an_operator_and_the_link_is_used_up(client: TestClient, ctx: ServiceContext) -> None:
    assert looked_at(client, TOKEN).json() == {"isNewServer": True, "kind": "first-account"}
    assert client.post(PATH, json=FIRST).json() == {"emailId": "ada@example.org"}
    assert log_in(client, "ada@example.org").status_code == 200
    assert accounts.find_account(ctx, "ada@example.org").is_operator
    assert error_of(looked_at(client, TOKEN)) == NO_LINK
    assert error_of(client.post(PATH, json=FIRST | {"emailId": "mallory@example.org"})) == NO_LINK
    assert len(accounts.all_accounts(ctx)) == 1


@pytest.mark.parametrize("token", ["another", TOKEN[:-1], "x" * 200])
def test_another_token_opens_nothing(client: TestClient, ctx: ServiceContext, token: str) -> None:
    assert error_of(looked_at(client, token)) == NO_LINK
    assert error_of(client.post(PATH, json=FIRST | {"token": token})) == NO_LINK
    assert accounts.all_accounts(ctx) == []


def test_a_server_that_printed_no_link_accepts_none(app: Any) -> None:
    with TestClient(app) as plain:
        assert error_of(plain.post(PATH, json=FIRST)) == NO_LINK


def test_the_link_of_each_instance_opens_at_every_other_one_for_a_week(client: TestClient, ctx: ServiceContext) -> None:
    other = password_links.create_first_link(ctx)
    clock = ctx.clock
    assert isinstance(clock, HeldClock)
    assert looked_at(client, other).json()["kind"] == looked_at(client, TOKEN).json()["kind"] == "first-account"
    clock.advance(days=8)
    assert error_of(looked_at(client, other)) == error_of(looked_at(client, TOKEN)) == NO_LINK
    newest = password_links.create_first_link(ctx)
    assert client.post(PATH, json=FIRST | {"token": newest}).status_code == 200


def test_the_first_link_ends_when_an_account_was_created_otherwise(client: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "grace@example.org")
    assert error_of(looked_at(client, TOKEN)) == NO_LINK
    assert error_of(client.post(PATH, json=FIRST)) == NO_LINK


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"password": "short"}, "at least 8 characters"),
        ({"emailId": "no address"}, "Not a valid email address"),
        ({"firstName": " "}, "The first name needs"),
        ({"lastName": None}, "The last name needs"),
    ],
)
def test_a_mistake_is_named_and_the_link_still_works(client: TestClient, change: dict[str, Any], sentence: str) -> None:
    answer = client.post(PATH, json=FIRST | change)
    assert answer.status_code == 400
    assert sentence in answer.json()["message"]
    assert client.post(PATH, json=FIRST).status_code == 200


def test_two_at_once_create_one_first_account(ctx: ServiceContext) -> None:
    def attempt(number: int) -> Any:
        return accounts.add_first_account(ctx, f"person-{number}@example.org", "A", "B", PASSWORD)

    with ThreadPoolExecutor(8) as pool:
        opened = [one for one in pool.map(attempt, range(8)) if one is not None]
    assert len(opened) == len(accounts.all_accounts(ctx)) == 1


def test_an_invited_person_sets_a_password_once(client: TestClient, ctx: ServiceContext) -> None:
    _, token = invited(ctx)
    # Nobody can log in before that, not even with the text of the hash that stands for no account.
    for guess in ("nobody has this password, and nobody can log in with it", "x"):
        body = {"emailId": "grace@example.org", "password": guess}
        assert error_of(client.post("/x/v1/login", json=body)) == (401, "SKY2000")
    shown = looked_at(client, token).json()
    assert (shown["kind"], shown["emailId"], shown["firstName"]) == ("invitation", "grace@example.org", "Grace")
    given = {"token": token, "password": PASSWORD, "firstName": "Amazing Grace"}
    assert client.post(PATH, json=given).json() == {"emailId": "grace@example.org"}
    assert log_in(client, "grace@example.org").status_code == 200
    assert accounts.find_account(ctx, "grace@example.org").first_name == "Amazing Grace"
    assert error_of(client.post(PATH, json=given)) == NO_LINK
    assert error_of(looked_at(client, token)) == NO_LINK


def test_a_new_password_ends_sessions_and_the_old_one_works_until_then(client: TestClient, ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    token = password_links.create_link(ctx, account).token
    assert log_in(client, "ada@example.org").status_code == 200
    assert looked_at(client, token).json()["kind"] == "new-password"
    assert client.post(PATH, json={"token": token, "password": NEW_PASSWORD}).status_code == 200
    assert log_in(client, "ada@example.org").status_code == 401
    with ctx.metadata.read() as unit:
        assert unit.sessions.of_account(account.account_id, ctx.clock.now()) == []


def test_a_link_does_not_replace_a_second_factor(client: TestClient, ctx: ServiceContext, api: Any) -> None:
    turned_on(api, steps=0)
    token = password_links.create_link(ctx, api.account).token
    client.post(PATH, json={"token": token, "password": NEW_PASSWORD})
    body = {"emailId": api.account.email, "password": NEW_PASSWORD}
    assert error_of(client.post("/x/v1/login", json=body)) == (401, "SKY2005")


def test_a_link_ends_when_the_password_is_changed_otherwise(client: TestClient, ctx: ServiceContext, api: Any) -> None:
    """Whoever read it in a mailbox would otherwise take the account back for a week."""
    token = password_links.create_link(ctx, api.account).token
    change = {"oldPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    assert api.post("/x/v1/account/password", json=change).status_code == 200
    assert error_of(client.post(PATH, json={"token": token, "password": PASSWORD})) == NO_LINK
    token = password_links.create_link(ctx, api.account).token
    accounts.reset_password(ctx, api.account, PASSWORD)
    assert error_of(looked_at(client, token)) == NO_LINK


def test_links_expire_are_replaced_and_end_with_a_disabled_account(
    client: TestClient, ctx: ServiceContext, clock: HeldClock
) -> None:
    account, first = invited(ctx)
    second = password_links.create_link(ctx, account).token
    assert error_of(looked_at(client, first)) == NO_LINK
    accounts.disable(ctx, account)
    assert error_of(looked_at(client, second)) == NO_LINK
    accounts.enable(ctx, account)
    assert looked_at(client, second).status_code == 200
    clock.advance(days=8)
    assert error_of(looked_at(client, second)) == NO_LINK
    assert error_of(client.post(PATH, json={"token": second, "password": PASSWORD})) == NO_LINK


def test_the_store_holds_no_token(ctx: ServiceContext) -> None:
    _, token = invited(ctx)
    with ctx.metadata.read() as unit:
        rows = unit.sql.all("SELECT * FROM password_links")
    assert token not in str(rows)
    assert token.encode() not in rows[0]


def test_the_last_operator_stays_one(ctx: ServiceContext) -> None:
    first, second = new_account(ctx, "ada@example.org"), new_account(ctx, "grace@example.org")
    accounts.set_operator(ctx, first, is_operator=True)
    from skyshelf.service.accounts.own_account import schedule_deletion
    from skyshelf.service.errors import ServiceError

    for act in (partial(accounts.set_operator, is_operator=False), accounts.disable, schedule_deletion):
        with pytest.raises(ServiceError, match="only operator"):
            act(ctx, first)
    accounts.set_operator(ctx, second, is_operator=True)
    schedule_deletion(ctx, second)
    with pytest.raises(ServiceError, match="only operator"):
        # The second one is about to be deleted, so it does not count.
        accounts.set_operator(ctx, first, is_operator=False)


def test_of_two_operators_who_revoke_each_other_one_stays(ctx: ServiceContext) -> None:
    both = [new_account(ctx, "ada@example.org"), new_account(ctx, "grace@example.org")]
    for one in both:
        accounts.set_operator(ctx, one, is_operator=True)

    def attempt(account: Account) -> bool:
        try:
            accounts.set_operator(ctx, account, is_operator=False)
        except Exception:  # noqa: BLE001 - whichever comes second
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(attempt, both)) == [False, True]
