"""Bodies that clients send: what they look like on the wire, and that building one checks it."""

import pytest
from msgspec import Raw, json

from skyshelf.wire.refusals import BadKey, BadName
from skyshelf.wire.resources.batch import EchoBatch, EchoEntry, Operation, RestoreRequest
from skyshelf.wire.resources.boards import BoardCreation
from skyshelf.wire.resources.credentials import LoginRequest
from skyshelf.wire.resources.objects import FolderCreation
from skyshelf.wire.resources.shares import SharedObject, ShareRequest
from skyshelf.wire.resources.uploads import UploadMetadata

KEY = "0190A5B2C3D47E5F8A9BACBDCEDFE0F1"


def test_a_folder_creation_carries_its_source_name() -> None:
    body = json.encode(FolderCreation(object_name="Fotos", parent_object_key=KEY))
    assert json.decode(body) == {"objectName": "Fotos", "parentObjectKey": KEY, "sourceName": "DRIVE"}


def test_a_share_carries_its_type() -> None:
    body = json.encode(ShareRequest(objects=[SharedObject(object_key=KEY)], share_name="06May2024_070809"))
    assert json.decode(body) == {
        "objects": [{"objectKey": KEY}],
        "shareName": "06May2024_070809",
        "shareType": "L",
    }


def test_what_is_optional_and_absent_is_not_sent() -> None:
    assert json.decode(json.encode(BoardCreation(board_name="Trip"))) == {"boardName": "Trip"}
    login = json.decode(json.encode(LoginRequest(email_id="a@example.org", password="p")))
    assert login == {"emailId": "a@example.org", "password": "p"}


def test_a_batch_is_written_as_the_interface_shows_it() -> None:
    entry = EchoEntry(
        operation=Operation.TRASH,
        correlation_id="U",
        object={"objectKey": Raw(b'"K"'), "x": Raw(b"1.50")},
    )
    assert json.encode(EchoBatch(objects=[entry])) == (
        b'{"objects":[{"operation":"TRASH","correlationId":"U","object":{"objectKey":"K","x":1.50}}]}'
    )
    assert json.encode(RestoreRequest(object_keys=["K"])) == b'{"objectKeys":["K"]}'


def test_the_operations_are_those_of_the_interface() -> None:
    assert [operation.value for operation in Operation] == ["SETFAV", "UNSETFAV", "RENAME", "MOVE", "TRASH"]


def test_names_keys_and_hashes_take_their_one_spelling() -> None:
    upload = UploadMetadata(
        name="Cafe\u0301.txt", size=0, hash="D41D8CD98F00B204E9800998ECF8427E", folder_key=KEY.lower()
    )
    assert (upload.name, upload.folder_key) == ("Caf\u00e9.txt", KEY)
    assert upload.hash == "d41d8cd98f00b204e9800998ecf8427e"
    assert upload.source_name == "DRIVE"


def test_a_request_that_no_server_would_take_cannot_be_built() -> None:
    with pytest.raises(BadName):
        FolderCreation(object_name="a/b", parent_object_key=KEY)
    with pytest.raises(BadKey):
        FolderCreation(object_name="a", parent_object_key="root")
    with pytest.raises(BadKey):
        SharedObject(object_key="")
    with pytest.raises(BadKey):
        BoardCreation(board_name="Trip", parent_object_key="nowhere")
