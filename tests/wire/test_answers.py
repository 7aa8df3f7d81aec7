"""One struct serves both sides: what a server sets is sent, and what a server leaves out is tolerated."""

import pytest
from hypothesis import given, settings
from msgspec import NODEFAULT, Struct, json
from msgspec.structs import fields
from tests.examples import examples
from tests.wire.answer_models import ANSWER_MODELS
from tests.wire.struct_strategies import instances

from skyshelf.wire.resources.account import CookieNonce, CookieNonceRequest, Quota, UserProfile
from skyshelf.wire.resources.batch import BatchAnswer
from skyshelf.wire.resources.contacts import ContactList
from skyshelf.wire.resources.credentials import LoginAnswer, LoginRequest
from skyshelf.wire.resources.objects import CloudObject, ObjectListing, ObjectType
from skyshelf.wire.resources.other_clients import RefreshAnswer
from skyshelf.wire.resources.shares import ShareLink


def _identifying(model: type[Struct]) -> dict[str, object]:
    return {
        field.encode_name: 1 if field.type is int else "K"
        for field in fields(model)
        if field.default is NODEFAULT and field.default_factory is NODEFAULT
    }


def test_an_answer_needs_at_most_its_identifying_key(subtests: pytest.Subtests) -> None:
    for model in ANSWER_MODELS:
        with subtests.test(model.__name__):
            identifying = _identifying(model)
            assert len(identifying) <= 1
            answer = json.decode(json.encode(identifying), type=model)
            assert json.decode(json.encode(answer)) == identifying


def test_null_is_tolerated_like_absence_and_unknown_fields_are_ignored(subtests: pytest.Subtests) -> None:
    for model in ANSWER_MODELS:
        with subtests.test(model.__name__):
            nulls: dict[str, object] = {field.encode_name: None for field in fields(model)}
            sent = nulls | {"somethingNew": {"deep": [1]}} | _identifying(model)
            assert json.decode(json.encode(sent), type=model) == json.decode(
                json.encode(_identifying(model)), type=model
            )


def _check_round_trip(model: type[Struct]) -> None:
    @settings(max_examples=examples(4))
    @given(instances(model))
    def check(answer: Struct) -> None:
        assert json.decode(json.encode(answer), type=model) == answer

    check()


def test_an_answer_survives_a_round_trip(subtests: pytest.Subtests) -> None:
    for model in ANSWER_MODELS:
        with subtests.test(model.__name__):
            _check_round_trip(model)


def test_false_and_zero_are_sent_and_none_is_not() -> None:
    folder = CloudObject(object_key="K", size_in_bytes=0, is_favorite=False, hash=None)
    assert json.encode(folder) == b'{"objectKey":"K","sizeInBytes":0,"isFavorite":false}'


def test_an_empty_listing_says_so_and_an_empty_address_book_says_nothing() -> None:
    assert json.encode(ObjectListing(objects=[])) == b'{"objects":[]}'
    assert json.encode(BatchAnswer(objects=[], unprocessed=[])) == b'{"objects":[],"unprocessed":[]}'
    assert json.encode(ContactList()) == b"{}"


def test_an_object_shows_what_it_is_and_its_extension() -> None:
    photo = CloudObject(object_key="K", object_type=ObjectType.FILE, object_name="Beach.JPG")
    assert (photo.is_file, photo.is_folder, photo.extension) == (True, False, "jpg")
    folder = CloudObject(object_key="K", object_type="FR")
    assert (folder.is_file, folder.is_folder, folder.extension) == (False, True, "")
    assert json.encode(photo) == b'{"objectKey":"K","objectName":"Beach.JPG","objectType":"FE"}'


def test_a_quota_falls_back_to_the_older_counters() -> None:
    old = Quota(allocated_space=200, used_space=50)
    assert (old.allocated_bytes, old.used_bytes, old.used_percent) == (200, 50, 25.0)
    new = Quota(allocated_space=200, used_space=50, total_allocated_quota=2**31, total_used_quota=0)
    assert (new.allocated_gb, new.used_gb, new.used_percent) == (2.0, 0.0, 0.0)
    assert Quota().used_percent == 100.0


def test_a_display_name_is_made_of_what_is_known() -> None:
    assert UserProfile(user_id="U", first_name="Ada", last_name="Lovelace").display_name == "Ada Lovelace"
    assert UserProfile(user_id="U", last_name="Lovelace").display_name == "Lovelace"
    assert UserProfile(user_id="U").display_name == ""


def test_the_token_of_a_link_is_its_u_parameter() -> None:
    assert ShareLink(share_url="https://share.example/l/?x=1&u=to%2Bken").token == "to+ken"
    assert ShareLink(share_url="https://share.example/l/").token is None
    assert ShareLink().token is None


def test_secrets_are_not_shown_by_repr() -> None:
    secrets = [
        LoginRequest(email_id="ada@example.org", password="hunter2-secret"),
        LoginAnswer(user_id="U", auth_token="token-secret", jwt="jwt-secret"),
        RefreshAnswer(user_id="U", auth_token="token-secret", access_token="token-secret"),
        CookieNonceRequest(jwt="jwt-secret"),
        CookieNonce(nonce="nonce-secret"),
    ]
    assert all("secret" not in repr(model) for model in secrets)
    assert "ada@example.org" in repr(secrets[0])
