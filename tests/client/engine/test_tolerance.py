"""Fields of other types than the interface names: read where their meaning is clear, and never an empty list."""

from typing import Any

import pytest
from msgspec import json

from skyshelf.client.engine.requests import check, decode, failure
from skyshelf.client.errors import InvalidRequestError, UnexpectedAnswerError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.objects.outcomes import TolerantAnswer, read_outcomes
from skyshelf.client.objects.remote_object import objects_in, remote_object
from skyshelf.wire.resources.account import BannerList, Promotions, UserProfile
from skyshelf.wire.resources.contacts import ContactEmailList, ContactList
from skyshelf.wire.resources.feeds import ManualTag, Spotlights
from skyshelf.wire.resources.objects import FileVersions

KEY = "A" * 32
DISPLAY = (
    *("displayName", "iconName", "tileName", "gridDate", "cMonthNo", "cYear", "latestVersion"),
    "recipientsObjRights",
)


def page(*entries: Any, **more: Any) -> bytes:
    return json.encode({"objects": list(entries), **more})


@pytest.mark.parametrize("name", DISPLAY)
@pytest.mark.parametrize("value", [1, 1.5, True, None, {}, [], {"a": [1]}, "text"])
def test_display_fields_have_any_type_and_are_kept(name: str, value: Any) -> None:
    (found,) = objects_in(page({"objectKey": KEY, "objectName": "a", name: value}))
    assert json.decode(found.sent())[name] == value


@pytest.mark.parametrize("number", [7, 7.0, "7", " 7 ", "7.0", 7.9])
def test_numbers_are_numbers_in_whatever_form(number: Any) -> None:
    (found,) = objects_in(page({"objectKey": KEY, "objectName": "a", "sizeInBytes": number, "version": number}))
    assert (found.size, found.version) == (7, 7)


@pytest.mark.parametrize(("sent", "read"), [(0, False), (1, True), ("true", True), ("0", False), (1.0, True)])
def test_booleans_are_booleans_in_whatever_form(sent: Any, read: bool) -> None:
    (found,) = objects_in(page({"objectKey": KEY, "isFavorite": sent, "isHidden": sent}))
    assert (found.is_favorite, found.is_hidden) == (read, read)


def test_a_field_that_cannot_be_read_hides_neither_its_object_nor_the_others() -> None:
    odd = {"objectKey": KEY, "objectName": 7, "sizeInBytes": "large", "lastModifiedDate": {}, "isLocked": [], "url": 1}
    bare = {"objectName": "no key", "version": None}
    first, second, third = objects_in(page(odd, bare, {"objectKey": "B" * 32, "sizeInBytes": "8"}))
    assert (first.name, first.size, first.modified_ms, first.is_locked, first.url) == ("7", None, None, False, "1")
    assert (second.key, second.name, third.size) == ("", "no key", 8)
    # Each still has what was sent, for the echo.
    assert json.decode(first.sent()) == odd
    assert json.decode(third.sent())["objectKey"] == "B" * 32


@pytest.mark.parametrize(
    "objects", [{}, "text", 7, True, [7], ["text"], [[]], [{}], [{"unknown": 1}], [None], [{"objectKey": KEY}, None]]
)
def test_what_is_no_list_of_objects_is_an_error_and_not_an_empty_folder(objects: Any) -> None:
    with pytest.raises(UnexpectedAnswerError):
        objects_in(json.encode({"objects": objects}))


def test_other_answers_are_read_the_same_way() -> None:
    profile = decode(
        UserProfile, json.encode({"userId": 7, "quota": {"usedSpace": "9"}, "devices": [{"deviceName": 1}]})
    )
    assert (profile.user_id, profile.quota and profile.quota.used_space) == ("7", 9)
    versions = decode(FileVersions, b'{"objVersions":[{"version":"2","isCurrentVersion":1,"versionCreatedBy":"Ada"}]}')
    assert [(one.version, one.is_current_version) for one in versions.obj_versions or ()] == [(2, True)]
    contacts = decode(ContactList, b'{"contacts":[{"displayName":"Ada","emails":"ada@example.org","isActive":"Y"}]}')
    assert [(one.display_name, one.is_active) for one in contacts.contacts or ()] == [("Ada", True)]


def test_a_record_whose_fields_nobody_knows_can_be_a_text() -> None:
    """The interface shows the lists of these records, and not what is in them."""
    emails = decode(ContactEmailList, b'{"contactEmail":["a@b",{"emailId":"c@d"},null]}')
    assert [one.email_id for one in emails.contact_email or ()] == ["a@b", "c@d"]
    tags = decode(list[ManualTag], b'["sea",{"tagName":"sun"},7]')
    assert [one.tag_name for one in tags] == ["sea", "sun", "7"]
    contacts = decode(ContactList, b'{"contacts":["Ada",{"displayName":"Grace","emails":["g@h"],"phones":[12]}]}')
    assert contacts.contacts is not None
    ada, grace = contacts.contacts
    assert (ada.display_name, grace.display_name) == ("Ada", "Grace")
    assert [one.email_id for one in grace.emails or ()] == ["g@h"]
    assert [one.number for one in grace.phones or ()] == ["12"]
    cards = decode(BannerList, b'{"cards":["More space"]}')
    assert [one.title for one in cards.cards or ()] == ["More space"]
    promotions = decode(Promotions, b'{"activePromotions":["Summer"]}')
    assert [one.name for one in promotions.active_promotions or ()] == ["Summer"]
    spotlights = decode(Spotlights, b'{"spotLights":["On this day"]}')
    assert [one.title for one in spotlights.spot_lights or ()] == ["On this day"]


@pytest.mark.parametrize("body", [b'{"contactEmail":[["a@b"]]}', b'{"contactEmail":"a@b"}', b'{"contactEmail":{}}'])
def test_what_is_neither_a_record_nor_its_text_is_an_error(body: bytes) -> None:
    with pytest.raises(UnexpectedAnswerError):
        decode(ContactEmailList, body)


def test_an_object_is_never_a_text() -> None:
    with pytest.raises(UnexpectedAnswerError):
        objects_in(json.encode({"objects": [KEY]}))


def test_a_single_object_without_a_key_is_none() -> None:
    for body in (b"{}", b'{"objectName":"a"}', b"null", b""):
        with pytest.raises(UnexpectedAnswerError):
            remote_object(body)


REQUEST = PlannedRequest(method="GET", url="http://x/y", path="/y", headers={})


@pytest.mark.parametrize("message", [{"en": "no"}, 7, None, ["no"], True])
@pytest.mark.parametrize("code", ["NMSOM0129", 129])
def test_an_error_keeps_its_code_whatever_its_message_is(code: Any, message: Any) -> None:
    error = failure(REQUEST, BufferedResponse(400, {}, json.encode({"code": code, "message": message})))
    assert isinstance(error, InvalidRequestError)
    assert error.code == str(code)
    assert error.message


def test_a_rejected_entry_keeps_its_code_whatever_its_form() -> None:
    answer = TolerantAnswer(
        objects=[], unprocessed=[{"object": {"objectKey": KEY, "errorCode": 21, "errorMessage": {}}}]
    )
    (outcome,) = read_outcomes([KEY], answer)
    assert (outcome.ok, outcome.code) == (False, "21")


def test_a_web_page_is_no_answer_even_where_none_is_read() -> None:
    with pytest.raises(UnexpectedAnswerError, match="web page"):
        check(REQUEST, BufferedResponse(200, {}, b"\n<html>log in</html>"))
