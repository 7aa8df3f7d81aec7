"""Keys: their one spelling, and that they order by time."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.wire.keys import RANDOM_BYTES, clean_key, is_key, make_key
from skyshelf.wire.refusals import BadKey

TIMES = st.integers(0, 2**48 - 1)
NOISE = st.binary(min_size=RANDOM_BYTES, max_size=RANDOM_BYTES)


@given(TIMES, NOISE)
def test_a_key_is_a_uuid_of_version_seven(ms: int, noise: bytes) -> None:
    key = make_key(ms, noise)
    parsed = uuid.UUID(key)
    assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
    assert parsed.int >> 80 == ms
    assert clean_key(key) == clean_key(key.lower()) == key


@given(st.lists(TIMES, min_size=2, max_size=2, unique=True).map(sorted), NOISE, NOISE)
def test_keys_order_by_time(times: list[int], some: bytes, other: bytes) -> None:
    earlier, later = times
    assert make_key(earlier, some) < make_key(later, other)


@given(TIMES, st.integers(0, 2**74 - 1))
def test_every_one_of_the_74_random_bits_counts(ms: int, bits: int) -> None:
    # 12 bits before the variant and 62 behind it; version and variant take the place of the other six.
    noise = ((bits >> 62) << 64 | bits & (2**62 - 1)).to_bytes(RANDOM_BYTES, "big")
    key = int(make_key(ms, noise), 16)
    assert (key >> 64 & 0xFFF) << 62 | key & (2**62 - 1) == bits


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0" * 31,
        "0" * 33,
        "g" * 32,
        "0" * 32 + "\n",
        " " + "0" * 31,
        "٣" * 32,
        "０" * 32,
        "01234567-89ab-cdef-0123-456789abcdef",
    ],
)
def test_what_is_not_a_key_is_refused(text: str) -> None:
    assert not is_key(text)
    with pytest.raises(BadKey):
        clean_key(text)


def test_a_key_is_taken_in_either_case() -> None:
    assert is_key("aBcDeF" + "0" * 26)
    assert clean_key("aBcDeF" + "0" * 26) == "ABCDEF" + "0" * 26


def test_a_key_cannot_be_made_of_the_wrong_parts() -> None:
    with pytest.raises(ValueError, match="48 bits"):
        make_key(2**48, bytes(RANDOM_BYTES))
    with pytest.raises(ValueError, match="48 bits"):
        make_key(-1, bytes(RANDOM_BYTES))
    with pytest.raises(ValueError, match="10 random bytes"):
        make_key(0, b"")
