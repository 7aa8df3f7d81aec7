"""Contacts: an address book that is paged and edited, and that lists removals for other devices."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.metadata.making import NOW, make_account, new_key
from tests.examples import examples

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.names import order_key
from skyshelf.wire.resources.contacts import Contact, ContactEmail, ContactMailbox, ContactPhone

GRACE = Contact(
    display_name="Grace Höpper 🦋",
    first_name="Grace",
    last_name="Höpper",
    emails=[ContactMailbox(email_id="grace@example.org", type="home"), ContactMailbox(email_id="g@example.com")],
    phones=[ContactPhone(number="+1 555 0100", type="mobile")],
)


def add(store: MetadataStore, account: Account, *contacts: Contact, now: int = NOW) -> list[str]:
    new = {new_key(): contact for contact in contacts}
    store.write(lambda unit: unit.contacts.add(account.account_id, new, now))
    return list(new)


def remove(store: MetadataStore, account: Account, contact_key: str, *, now: int = NOW) -> bool:
    return store.write(lambda unit: unit.contacts.remove(account.account_id, [contact_key], now)) == [contact_key]


def named(*names: str) -> list[Contact]:
    return [Contact(display_name=name) for name in names]


def page(
    store: MetadataStore,
    account: Account,
    *,
    only_active: bool = True,
    changed_after: int = 0,
    limit: int = 1000,
    offset: int = 0,
) -> list[Contact]:
    with store.read() as unit:
        found = unit.contacts.page(
            account.account_id, only_active=only_active, changed_after=changed_after, limit=limit, offset=offset
        )
    return [msgspec.json.decode(details, type=Contact) for details in found]


def emails(store: MetadataStore, account: Account, limit: int = 1000, offset: int = 0) -> list[tuple[str, str]]:
    with store.read() as unit:
        found = unit.contacts.emails(account.account_id, limit=limit, offset=offset)
    return [(one.email_id or "", one.display_name or "") for one in found]


def test_every_field_of_a_contact_comes_back(store: MetadataStore, account: Account) -> None:
    key = new_key()
    [added] = store.write(lambda unit: unit.contacts.add(account.account_id, {key: GRACE}, NOW))
    assert added == msgspec.structs.replace(GRACE, contact_id=key, is_active=True, last_updated_date=NOW)
    with store.read() as unit:
        assert unit.contacts.get(account.account_id, key) == added
    assert page(store, account) == [added]


def test_what_storage_alone_knows_is_not_taken_from_what_is_handed_in(store: MetadataStore, account: Account) -> None:
    forged = Contact(contact_id="forged", display_name="A", is_active=False, last_updated_date=1)
    [key] = add(store, account, forged)
    [contact] = page(store, account)
    assert (contact.contact_id, contact.is_active, contact.last_updated_date) == (key, True, NOW)


def test_many_contacts_are_added_at_once_or_not_at_all(store: MetadataStore, account: Account) -> None:
    new = {new_key(): contact for contact in named("a", "b", "c")}

    with pytest.raises(ZeroDivisionError):
        store.write(lambda unit: (unit.contacts.add(account.account_id, new, NOW), 1 // 0))
    assert page(store, account) == []
    added = store.write(lambda unit: unit.contacts.add(account.account_id, new, NOW))
    assert [contact.contact_id for contact in added] == list(new)
    assert store.write(lambda unit: unit.contacts.add(account.account_id, {}, NOW)) == []
    assert len(page(store, account)) == 3


def test_contacts_are_ordered_by_display_name_without_regard_to_case(store: MetadataStore, account: Account) -> None:
    add(store, account, *named("beta", "Alpha", "alpha 2", "Émile", "zoë", "王", ""))
    add(store, account, Contact(first_name="nameless"))
    names = [contact.display_name or "" for contact in page(store, account)]
    assert names == sorted(names, key=order_key)
    assert names[:4] == ["", "", "Alpha", "alpha 2"]


def test_pages_hold_every_contact_once(store: MetadataStore, account: Account) -> None:
    add(store, account, *named("same", "SAME", "Same", "other", "another"))
    whole = [contact.contact_id for contact in page(store, account)]
    assert len(whole) == 5
    paged = [contact.contact_id for offset in (0, 2, 4) for contact in page(store, account, limit=2, offset=offset)]
    assert paged == whole
    assert page(store, account, offset=2**53 - 1) == []


def test_an_edit_replaces_all_of_a_contact(store: MetadataStore, account: Account) -> None:
    [key] = add(store, account, GRACE)
    changed = Contact(display_name="Grace B.", emails=[ContactMailbox(email_id="new@example.org")])
    edited = store.write(lambda unit: unit.contacts.edit(account.account_id, key, changed, NOW + 5))
    assert edited == msgspec.structs.replace(changed, contact_id=key, is_active=True, last_updated_date=NOW + 5)
    assert page(store, account) == [edited]
    assert emails(store, account) == [("new@example.org", "Grace B.")]


def test_only_what_changed_after_a_time_is_listed(store: MetadataStore, account: Account) -> None:
    old, edited = add(store, account, *named("old", "edited"))
    [new] = add(store, account, *named("new"), now=NOW + 5)
    other = Contact(display_name="edited", first_name="Grace")
    store.write(lambda unit: unit.contacts.edit(account.account_id, edited, other, NOW + 6))
    assert {contact.contact_id for contact in page(store, account, changed_after=NOW - 1)} == {old, edited, new}
    assert [contact.contact_id for contact in page(store, account, changed_after=NOW)] == [edited, new]
    assert [contact.contact_id for contact in page(store, account, changed_after=NOW + 5)] == [edited]
    assert page(store, account, changed_after=NOW + 6) == []


def test_a_removed_contact_is_gone_but_for_devices_that_ask_what_changed(
    store: MetadataStore, account: Account
) -> None:
    [key] = add(store, account, GRACE)
    assert remove(store, account, key, now=NOW + 5)
    assert page(store, account) == []
    assert emails(store, account) == []
    left = Contact(contact_id=key, display_name=GRACE.display_name, is_active=False, last_updated_date=NOW + 5)
    assert page(store, account, only_active=False, changed_after=NOW) == [left]
    assert not remove(store, account, key, now=NOW + 6)
    with store.read() as unit, pytest.raises(Missing):
        unit.contacts.get(account.account_id, key)
    with pytest.raises(Missing):
        store.write(lambda unit: unit.contacts.edit(account.account_id, key, GRACE, NOW + 6))
    assert emails(store, account) == []


def test_removed_contacts_are_forgotten_after_a_while(store: MetadataStore, account: Account) -> None:
    keys = add(store, account, *named("a", "b", "c", "kept"))
    for number, key in enumerate(keys[:3]):
        remove(store, account, key, now=NOW + number)
    assert store.write(lambda unit: unit.contacts.forget_removed(NOW + 2, 1)) == 1
    assert store.write(lambda unit: unit.contacts.forget_removed(NOW + 2, 10)) == 1
    assert [contact.display_name for contact in page(store, account, only_active=False)] == ["c", "kept"]


def test_every_address_is_listed_with_its_contacts_name_and_in_its_order(
    store: MetadataStore, account: Account
) -> None:
    add(store, account, GRACE)
    add(
        store,
        account,
        Contact(
            display_name="ada",
            emails=[
                ContactMailbox(email_id="z@example.org"),
                ContactMailbox(type="home"),
                ContactMailbox(email_id=""),
                ContactMailbox(email_id="a@example.org"),
            ],
        ),
    )
    name = GRACE.display_name or ""
    whole = [
        ("z@example.org", "ada"),
        ("a@example.org", "ada"),
        ("grace@example.org", name),
        ("g@example.com", name),
    ]
    assert emails(store, account) == whole
    assert emails(store, account, limit=3) + emails(store, account, limit=3, offset=3) == whole
    with store.read() as unit:
        [first] = unit.contacts.emails(account.account_id, limit=1)
    assert first == ContactEmail(email_id="z@example.org", display_name="ada")


def test_another_accounts_contacts_do_not_exist(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    [key] = add(store, account, GRACE)
    with store.read() as unit, pytest.raises(Missing):
        unit.contacts.get(other.account_id, key)
    with pytest.raises(Missing):
        store.write(lambda unit: unit.contacts.edit(other.account_id, key, Contact(display_name="x"), NOW))
    assert not remove(store, other, key)
    assert page(store, other, only_active=False) == []
    assert emails(store, other) == []
    assert [contact.display_name for contact in page(store, account)] == [GRACE.display_name]
    assert len(emails(store, account)) == 2


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(TEXT, max_size=8), size=st.integers(1, 4))
def test_any_names_are_paged_in_one_order_and_come_back_as_they_were(
    store: MetadataStore, names: list[str], size: int
) -> None:
    account = make_account(store)
    keys = add(store, account, *named(*names))
    expected = sorted(zip(keys, names, strict=True), key=lambda one: (order_key(one[1]), one[0]))
    found = [
        (contact.contact_id, contact.display_name)
        for offset in range(0, len(names) + 1, size)
        for contact in page(store, account, limit=size, offset=offset)
    ]
    assert found == expected
