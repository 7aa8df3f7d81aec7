"""What a client writes is what a server reads."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from tests.wire.struct_strategies import KEYS, instances

from skyshelf.wire.decoding import decode_parameters
from skyshelf.wire.models import parameters
from skyshelf.wire.resources.contacts import ContactsHeaders, ContactsQuery
from skyshelf.wire.resources.objects import ListingQuery, ObjectSort, TrashQuery


def test_a_query_is_written_with_its_wire_names() -> None:
    query = ListingQuery(folder_key="a" * 32, limit=2000, kind="w", sort="-lastModifiedDate")
    assert parameters(query) == {
        "folderKey": "A" * 32,
        "limit": "2000",
        "type": "w",
        "sort": "-lastModifiedDate",
        "page": "0",
    }


def test_what_is_none_is_left_out_and_booleans_are_words() -> None:
    assert parameters(TrashQuery()) == {"limit": "200", "page": "0"}
    assert parameters(ContactsQuery(only_active=False))["onlyActive"] == "false"


def test_headers_keep_the_spelling_of_the_interface() -> None:
    assert parameters(ContactsHeaders(offset=60)) == {"X-Offset": "60", "X-CHUNK-SIZE": "30"}


@given(
    st.builds(
        ListingQuery,
        folder_key=KEYS,
        limit=st.integers(1, 5000),
        kind=st.sampled_from(["f", "w", None]),
        sort=st.sampled_from(get_args(ObjectSort)),
        page=st.integers(0, 10**9),
    )
)
def test_a_listing_query_survives_a_round_trip(query: ListingQuery) -> None:
    assert decode_parameters(ListingQuery, parameters(query)) == query


@given(instances(ContactsHeaders))
def test_contact_headers_survive_a_round_trip(headers: ContactsHeaders) -> None:
    sent = {name.lower(): value for name, value in parameters(headers).items()}
    assert decode_parameters(ContactsHeaders, sent) == headers
