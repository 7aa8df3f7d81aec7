"""Texts on which a careless reader would spend minutes; each of these would not come to an end in a test's time."""

from typing import Literal

import msgspec
import pytest

from skyshelf.service.accounts.accounts import clean_person_name, normalize_email
from skyshelf.service.contacts.vcards import _decoded
from skyshelf.service.errors import ServiceError
from skyshelf.wire.decoding import explained
from skyshelf.wire.names import clean_name
from skyshelf.wire.refusals import BadName

ACCENTS = "a" + "\u0315\u0300" * 300_000
"""Normalisation sorts combining characters one by one."""


class Model(msgspec.Struct):
    kind: Literal["x", "y"]


def test_a_name_of_accents_is_refused_by_its_length() -> None:
    with pytest.raises(BadName, match="255 bytes"):
        clean_name(ACCENTS)


def test_a_name_that_fits_in_its_normal_form_is_taken_in_every_other() -> None:
    assert clean_name("\u1100\u1161\u11a8" * 80) == "\uac01" * 80


def test_an_address_or_a_persons_name_of_accents_is_refused_by_its_length() -> None:
    assert len(normalize_email(ACCENTS)) < 2000
    with pytest.raises(ServiceError):
        clean_person_name(ACCENTS, "first")


def test_a_value_that_looks_like_the_place_of_an_error_is_no_place() -> None:
    for value in (" - at `$" * 200_000, " - at `$.[`", "[a" * 200_000):
        with pytest.raises(msgspec.ValidationError) as wrong:
            msgspec.json.decode(msgspec.json.encode({"kind": value}), type=Model)
        assert explained(Model, wrong.value) == "kind must be one of x, y"


def test_only_charsets_of_address_books_are_decoded() -> None:
    assert _decoded("=E4", "ISO-8859-1") == "ä"
    assert _decoded("=83=7D", "Shift_JIS") == "マ"
    assert _decoded("a" * 300_000 + "-" + "b" * 300_000, "punycode").endswith("b")
