"""Contacts: added, edited, removed, and read from whatever address books write."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of

from skyshelf.service.contacts.vcards import CardError, card_of, cards_in, contact_of
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone

UNKNOWN = "0" * 32


def card(*lines: str, version: str = "3.0") -> str:
    return "\r\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def imported(api: Api, text: str) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.post("/x/v1/contacts/import", json={"vcards": text}), "import_contacts")
    return answer


def one(text: str) -> Contact:
    (only,) = cards_in(text)
    return contact_of(only)


def listed(api: Api, **params: Any) -> list[dict[str, Any]]:
    found = api.get("/amiko/cab/contacts", headers={"x-offset": "0"}, params=params).json()
    contacts: list[dict[str, Any]] = found.get("contacts", [])
    return contacts


def test_a_contact_is_added_edited_and_removed(api: Api, clock: HeldClock) -> None:
    body = {
        "displayName": "Ada",
        "firstName": "Ada",
        "lastName": "Byron",
        "emails": [{"emailId": "ada@example.org", "type": "home"}],
        "phones": [{"number": "+44 1", "type": "cell"}],
    }
    added = answer_of(api.post("/x/v1/contacts", json=body), "add_contact")
    assert added == {**body, "contactId": added["contactId"], "isActive": True, "lastUpdatedDate": clock.now()}
    assert listed(api) == [added]
    clock.advance(5)
    path = f"/x/v1/contacts/{added['contactId']}"
    edited = answer_of(api.put(path, json={"firstName": "Augusta", "lastName": "King"}), "edit_contact")
    assert edited == {
        "contactId": added["contactId"],
        "displayName": "Augusta King",
        "firstName": "Augusta",
        "lastName": "King",
        "isActive": True,
        "lastUpdatedDate": clock.now(),
    }, "all of it is replaced"
    keys = [added["contactId"].lower(), UNKNOWN, "nonsense"]
    removed = answer_of(api.post("/x/v1/contacts/remove", json={"contactIds": keys}), "remove_contacts")
    assert removed["contactIds"] == [added["contactId"]]
    assert [(each["contactId"], each["errorCode"]) for each in removed["unprocessed"]] == [
        (UNKNOWN, "SKY3031"),
        ("nonsense", "SKY3031"),
    ]
    assert listed(api) == []
    assert [each["isActive"] for each in listed(api, onlyActive="false")] == [False]
    assert error_of(api.put(path, json=body)) == (404, "SKY3031")


def test_a_contact_without_a_name_is_called_by_what_it_has(api: Api) -> None:
    for body, name in (
        ({"emails": [{"emailId": "a@example.org"}]}, "a@example.org"),
        ({"phones": [{"number": "1"}], "displayName": ""}, "1"),
        ({"lastName": "Byron"}, "Byron"),
    ):
        assert api.post("/x/v1/contacts", json=body).json()["displayName"] == name


def test_bad_contacts_are_refused(api: Api) -> None:
    bodies: list[Any] = [{}, [], {"displayName": ""}, {"emails": []}, {"displayName": "x" * 1001}]
    bodies += [{"displayName": "a\x00"}, {"emails": [{}]}, {"emails": [{"emailId": ""}]}, {"phones": [{"number": 5}]}]
    bodies += [{"emails": [{"emailId": "x"}] * 101}, {"phones": [{"number": "1", "type": "x" * 65}]}]
    for body in bodies:
        assert error_of(api.post("/x/v1/contacts", json=body)) == (400, "SKY1000"), body
    assert listed(api) == []


def test_a_contact_is_private(api: Api, other_api: Api) -> None:
    key = api.post("/x/v1/contacts", json={"displayName": "Ada"}).json()["contactId"]
    assert error_of(other_api.put(f"/x/v1/contacts/{key}", json={"displayName": "x"})) == (404, "SKY3031")
    assert other_api.post("/x/v1/contacts/remove", json={"contactIds": [key]}).json()["contactIds"] == []
    assert other_api.get("/x/v1/contacts/export").json() == {"vcards": "", "count": 0}
    assert [each["displayName"] for each in listed(api)] == ["Ada"]


READ = {
    "2.1 with quoted-printable and a soft break": (
        card(
            "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;",
            "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen =",
            "M=C3=BCller",
            "TEL;CELL;VOICE:+49 170",
            "EMAIL;INTERNET;HOME:j@example.org",
            version="2.1",
        ),
        ("Jürgen Müller", ["j@example.org home"], ["+49 170 cell"]),
    ),
    "2.1 in Latin-1": (
        card("FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller", version="2.1"),
        ("Müller", [], []),
    ),
    "3.0 folded and escaped": (
        card(
            "FN:Ada\\, Count", " ess", "N:Byron;Ada;;;", "item1.EMAIL;type=INTERNET;type=WORK;type=pref:a@example.org"
        ),
        ("Ada, Countess", ["a@example.org work"], []),
    ),
    "4.0": (
        card("FN:Ada", 'TEL;VALUE=uri;TYPE="voice,cell":tel:+44-1', "EMAIL;TYPE=home:a@example.org", version="4.0"),
        ("Ada", ["a@example.org home"], ["+44-1 cell"]),
    ),
    "a name alone": (card("N:Byron;Ada;;;"), ("Ada Byron", [], [])),
    "a company": (card("ORG:Analytical Engines;London", "TEL:1"), ("Analytical Engines London", [], ["1 "])),
    "an address alone": (card("EMAIL:a@example.org"), ("a@example.org", ["a@example.org "], [])),
    "pictures are left out": (
        card("PHOTO;ENCODING=b;TYPE=JPEG:" + "QUJD" * 5000, *([" " + "QUJD" * 18] * 900), "FN:Ada"),
        ("Ada", [], []),
    ),
    "what nobody knows is left out": (card("X-THING;[];=:::", "\u0000\u0001", "FN:Ada", ":"), ("Ada", [], [])),
    "control characters are left out": (card("FN:A\x07d\x00a"), ("Ada", [], [])),
    "the same twice is once": (card("FN:Ada", "TEL:1", "TEL;HOME:1"), ("Ada", [], ["1 "])),
    "a secretary inside": (
        card("FN:Boss", "AGENT:", "BEGIN:VCARD", "FN:Secretary", "END:VCARD", "TEL:1", version="2.1"),
        ("Boss", [], ["1 "]),
    ),
    "old line ends": (card("FN:Ada", "TEL:1").replace("\r\n", "\r"), ("Ada", [], ["1 "])),
}


@pytest.mark.parametrize("what", READ)
def test_cards_are_read_as_address_books_write_them(what: str) -> None:
    text, (name, emails, phones) = READ[what]
    contact = one(text)
    assert contact.display_name == name
    assert [f"{each.email_id} {each.type or ''}" for each in contact.emails or ()] == emails
    assert [f"{each.number} {each.type or ''}" for each in contact.phones or ()] == phones


UNREAD = {
    "nothing": (card("NOTE:x"), "name, address or number"),
    "no end": ("BEGIN:VCARD\nFN:Ada\n", "no END line"),
    "too many lines": (card("FN:Ada", *["TEL:1"] * 1001), "1000 lines"),
    "too many numbers": (card("FN:Ada", *[f"TEL:{number}" for number in range(101)]), "100 addresses"),
    "a text that is too long": (card("FN:" + "x" * 1001), "1000 characters"),
    "a line that is too long": (card("FN:" + "x" * 20_000), "too long"),
}


@pytest.mark.parametrize("what", UNREAD)
def test_a_card_that_cannot_be_read_says_why(what: str) -> None:
    text, reason = UNREAD[what]
    with pytest.raises(CardError, match=reason):
        one(text)


def test_one_bad_card_does_not_keep_out_the_others(api: Api) -> None:
    text = "junk\n" + card("FN:Ada") + "BEGIN:VCARD\nFN:Cut off\n" + card("NOTE:x") + card("FN:Grace", "TEL:1")
    answer = imported(api, text)
    assert [each["displayName"] for each in answer["contacts"]] == ["Ada", "Grace"]
    assert [(each["card"], each["errorCode"]) for each in answer["unprocessed"]] == [(2, "SKY3036"), (3, "SKY3036")]
    assert [each["displayName"] for each in listed(api)] == ["Ada", "Grace"]


def test_what_is_no_vcard_at_all_is_refused(api: Api) -> None:
    for text in ("hello", " ", "BEGIN:VCALENDAR\nEND:VCALENDAR"):
        assert error_of(api.post("/x/v1/contacts/import", json={"vcards": text})) == (400, "SKY1000"), text
    assert error_of(api.post("/x/v1/contacts/import", json={"vcards": ""})) == (400, "SKY1000")
    many = "BEGIN:VCARD\nFN:x\nEND:VCARD\n" * 5001
    assert error_of(api.post("/x/v1/contacts/import", json={"vcards": many})) == (413, "SKY1005")
    assert listed(api) == []


def test_a_body_that_is_too_large_is_refused(api: Api) -> None:
    body = b'{"vcards": "' + b"x" * (16 * 1024 * 1024) + b'"}'
    assert error_of(api.post("/x/v1/contacts/import", content=body)) == (413, "SKY1005")


def test_an_export_is_read_back_as_it_was(api: Api) -> None:
    text = card("FN:Ada; Countess", "N:Byron;Ada;;;", "EMAIL;TYPE=WORK:a@example.org") + card("FN:Zoë", "TEL:1")
    imported(api, text)
    first = answer_of(api.get("/x/v1/contacts/export", params={"limit": 1}), "export_contacts")
    assert first["count"] == 1
    second = api.get("/x/v1/contacts/export", params={"limit": 1, "cursor": first["nextCursor"]}).json()
    third = api.get("/x/v1/contacts/export", params={"limit": 1, "cursor": second["nextCursor"]}).json()
    assert third == {"vcards": "", "count": 0}
    assert "VERSION:3.0" in first["vcards"]
    again = [contact_of(each) for each in cards_in(first["vcards"] + second["vcards"])]
    assert [each.display_name for each in again] == ["Ada; Countess", "Zoë"]
    assert again[0].emails == [ContactMailbox(email_id="a@example.org", type="work")]
    for query in ({"limit": 0}, {"limit": 1001}):
        assert error_of(api.get("/x/v1/contacts/export", params=query)) == (400, "SKY1000")
    assert error_of(api.get("/x/v1/contacts/export", params={"cursor": "x"})) == (400, "SKY1010")


words = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"], exclude_characters="\x85"), min_size=1, max_size=60)


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=words, first=words, last=words, mails=st.lists(words, unique=True, max_size=3), number=words)
def test_any_contact_survives_the_way_through_a_card(
    name: str, first: str, last: str, mails: list[str], number: str
) -> None:
    contact = Contact(
        display_name=name,
        first_name=first,
        last_name=last,
        emails=[ContactMailbox(email_id=mail, type="home") for mail in mails] or None,
        phones=[ContactPhone(number=number)],
    )
    written = card_of(contact)
    assert len(list(cards_in(written + written))) == 2
    expected = number.removeprefix("tel:") or None
    read = one(written)
    assert (read.display_name, read.first_name, read.last_name, read.emails) == (name, first, last, contact.emails)
    assert [each.number or None for each in read.phones or ()] == [expected]


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    text=st.text(max_size=200),
    pieces=st.lists(
        st.sampled_from(
            [
                "BEGIN:VCARD",
                "END:VCARD",
                "FN:a",
                "N:;;",
                "=",
                " ",
                "TEL;ENCODING=QUOTED-PRINTABLE:=",
                "PHOTO:",
                "\n",
                "\r\n",
                ";",
                ":",
                "EMAIL",
                "AGENT:",
                "FN;CHARSET=x:y",
            ]
        ),
        max_size=20,
    ),
)
def test_no_text_makes_the_reader_stumble(text: str, pieces: list[str]) -> None:
    for each in cards_in(card(text, *pieces) + "\n".join([text, *pieces])):
        with suppress(CardError):
            assert contact_of(each).display_name
