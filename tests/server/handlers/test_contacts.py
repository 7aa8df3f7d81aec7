"""Contacts: pages of the address book, driven by headers."""

from typing import Any

import httpx2
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of

from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone
from skyshelf.wire.times import from_epoch_ms

CONTACTS = "/amiko/cab/contacts"
EMAILS = "/amiko/cab/emails"


def add(api: Api, display_name: str, *emails: str, **fields: Any) -> str:
    """Add a contact, straight in the store; its key."""
    mailboxes = [ContactMailbox(email_id=email, type="home") for email in emails]
    contact = Contact(display_name=display_name, emails=mailboxes, **fields)
    key, now = api.ctx.new_key(), api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.contacts.add(api.account.account_id, {key: contact}, now))
    return key


def ask(api: Api, path: str = CONTACTS, *, offset: object = 0, chunk: object = None, **params: Any) -> httpx2.Response:
    headers = {"X-Offset": str(offset)} | ({} if chunk is None else {"X-CHUNK-SIZE": str(chunk)})
    return api.get(path, headers=headers, params=params)


def page_date(ms: int) -> str:
    """A moment in the form of `nextPageDate`."""
    return f"{from_epoch_ms(ms):%Y-%m-%d %H:%M:%S.%f}"


def contacts(api: Api, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(ask(api, **options), "contacts")["contacts"]
    return found


def shown(api: Api, **options: Any) -> list[str]:
    return [one["displayName"] for one in contacts(api, **options)]


def emails(api: Api, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(ask(api, EMAILS, **options), "contact_emails")["contactEmail"]
    return found


def test_an_account_without_contacts_is_answered_an_empty_object(api: Api, other_api: Api) -> None:
    add(other_api, "theirs")
    every: list[dict[str, Any]] = [{}, {"offset": 30}, {"onlyActive": "false"}]
    for options in every:
        assert answer_of(ask(api, **options), "contacts") == {}


def test_a_page_after_the_last_is_an_empty_list_for_who_has_contacts(api: Api) -> None:
    add(api, "Ada")
    assert contacts(api, offset=1) == []


def test_a_contact_has_all_its_fields(api: Api, clock: HeldClock) -> None:
    phones = [ContactPhone(number="+44 20", type="work")]
    key = add(api, "Ada Byron", "ada@example.org", first_name="Ada", last_name="Byron", phones=phones)
    assert contacts(api) == [
        {
            "contactId": key,
            "displayName": "Ada Byron",
            "firstName": "Ada",
            "lastName": "Byron",
            "emails": [{"emailId": "ada@example.org", "type": "home"}],
            "phones": [{"number": "+44 20", "type": "work"}],
            "isActive": True,
            "lastUpdatedDate": clock.now(),
        }
    ]


def test_contacts_order_by_display_name_without_regard_to_case(api: Api) -> None:
    for name in ("bob", "Çelik", "Ada", "charlie", "王"):
        add(api, name)
    assert shown(api, sort="displayname", onlyActive="true") == ["Ada", "bob", "charlie", "Çelik", "王"]


def test_offset_and_chunk_size_page_through_all_contacts_once(api: Api) -> None:
    for number in range(7):
        add(api, f"{number}")
    pages = [shown(api, offset=offset, chunk=3) for offset in (0, 3, 6, 9)]
    assert pages == [["0", "1", "2"], ["3", "4", "5"], ["6"], []]


def test_a_chunk_has_thirty_contacts_unless_the_request_says_otherwise(api: Api) -> None:
    for number in range(31):
        add(api, f"{number:02d}", f"{number:02d}@example.org")
    assert len(contacts(api)) == 30
    assert len(emails(api)) == 30
    assert shown(api, offset=30) == ["30"]
    assert len(contacts(api, chunk=1000)) == 31


def test_next_page_date_keeps_what_changed_after_it(api: Api, clock: HeldClock) -> None:
    add(api, "old")
    moment = clock.now()
    clock.advance(1)
    add(api, "new")
    assert shown(api, nextPageDate="1970-01-01 00:00:00.000000") == ["new", "old"]
    assert shown(api, nextPageDate=page_date(moment - 1)) == ["new", "old"]
    assert shown(api, nextPageDate=page_date(moment)) == ["new"]
    assert shown(api, nextPageDate=page_date(moment + 1)) == []


def test_removed_contacts_appear_only_to_who_asks_for_all(api: Api, clock: HeldClock) -> None:
    gone = add(api, "gone", "gone@example.org")
    add(api, "kept")
    clock.advance(1)
    api.ctx.metadata.write(lambda unit: unit.contacts.remove(api.account.account_id, [gone], clock.now()))
    assert shown(api) == ["kept"]
    assert shown(api, onlyActive="true") == ["kept"]
    assert {one["displayName"]: one["isActive"] for one in contacts(api, onlyActive="false")} == {
        "gone": False,
        "kept": True,
    }


def test_a_missing_or_bad_offset_is_refused_with_its_code(api: Api) -> None:
    for path in (CONTACTS, EMAILS):
        answer = api.get(path)
        assert error_of(answer) == (400, "TEJRF0400")
        assert answer.json()["message"] == "Missing or invalid X-Offset / nextPageDate must be a valid time"
        for offset in ["-1", "", "x", "1.5", "1e3", "9" * 30]:
            assert error_of(ask(api, path, offset=offset)) == (400, "TEJRF0400"), offset


def test_a_bad_chunk_size_is_refused(api: Api) -> None:
    for path in (CONTACTS, EMAILS):
        for chunk in ["0", "1001", "-1", "x", ""]:
            assert error_of(ask(api, path, chunk=chunk)) == (400, "TEJRF0400"), chunk


def test_a_malformed_next_page_date_is_refused_with_its_code(api: Api) -> None:
    bad = ["", "today", "1970-01-01", "1970-01-01T00:00:00.000000", "2023-02-29 00:00:00.000000", "0"]
    bad += ["1970-01-01 00:00:00", "1970-01-01 24:00:00.000000", "1970-13-01 00:00:00.000000"]
    for date in bad:
        assert error_of(ask(api, nextPageDate=date)) == (400, "TEJRF0400"), date


def test_an_unknown_sort_and_a_bad_boolean_are_refused(api: Api) -> None:
    for params in [{"sort": "name"}, {"sort": ""}, {"onlyActive": "yes"}, {"onlyActive": "1"}, {"onlyActive": "True"}]:
        assert error_of(ask(api, **params)) == (400, "SKY1000"), params


def test_every_address_is_listed_with_the_name_of_its_contact(api: Api, other_api: Api) -> None:
    add(api, "Bob", "bob@example.org")
    add(api, "Ada", "ada@example.org", "ada@work.example")
    add(api, "no address")
    add(other_api, "theirs", "theirs@example.org")
    expected = [
        {"emailId": "ada@example.org", "displayName": "Ada"},
        {"emailId": "ada@work.example", "displayName": "Ada"},
        {"emailId": "bob@example.org", "displayName": "Bob"},
    ]
    assert emails(api) == expected
    assert [emails(api, offset=offset, chunk=2) for offset in (0, 2, 4)] == [expected[:2], expected[2:], []]


def test_an_account_without_contacts_has_an_empty_list_of_addresses(api: Api) -> None:
    assert answer_of(ask(api, EMAILS), "contact_emails") == {"contactEmail": []}
