"""Accounts: opening, finding and changing them."""

import pytest
from tests.conformance.metadata.making import make_account

from skyshelf.storage.errors import EmailTaken
from skyshelf.storage.metadata.store import MetadataStore


def test_an_address_is_taken_in_whatever_case(store: MetadataStore) -> None:
    make_account(store, "Ada@Example.org")
    with pytest.raises(EmailTaken):
        make_account(store, "aDA@example.ORG")
    with store.read() as unit:
        assert unit.accounts.count() == 1
