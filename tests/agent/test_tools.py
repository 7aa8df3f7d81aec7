"""Every tool against a real server, through every entry point."""

from datetime import datetime
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest
from tests.agent.entry_points import CallTool
from tests.agent.shelf import Shelf

from skyshelf.agent.results import VersionSummary
from skyshelf.cli.commands.versions import VersionRecord
from skyshelf.wire.resources.objects import FileVersion

FIELDS = {
    "object_key",
    "name",
    "type",
    "size_bytes",
    "extension",
    "mime",
    "modified",
    "created",
    "is_favorite",
    "parent_object_key",
}


def result(envelope: dict[str, Any]) -> Any:
    """The result of a call that must have succeeded, in exactly its form."""
    assert envelope["ok"] is True, envelope
    assert envelope.keys() <= {"ok", "result", "count"}
    return envelope["result"]


def refused(envelope: dict[str, Any]) -> str:
    """The type of the error of a call that must have failed, in exactly its form."""
    assert envelope["ok"] is False, envelope
    assert envelope.keys() == {"ok", "error"}
    assert envelope["error"].keys() == {"type", "message"}
    assert envelope["error"]["message"]
    return str(envelope["error"]["type"])


def test_account_info_returns_the_owner_and_the_quota(call_tool: CallTool, shelf: Shelf) -> None:
    shelf.file("a.txt", b"12345")
    returned = result(call_tool("account_info"))
    assert returned["name"] == "Ada Byron"
    assert returned["root_folder_key"] == shelf.client.root_key()
    assert returned["quota"]["used_bytes"] == 5
    assert returned["quota"]["free_bytes"] == returned["quota"]["allocated_bytes"] - 5


def test_objects_have_the_fields_of_the_interface_and_rfc_3339_times(call_tool: CallTool, shelf: Shelf) -> None:
    shelf.folder("/Photos")
    made = shelf.file("Sun set.JPG", b"123")
    envelope = call_tool("list_files")
    folder, file = result(envelope)
    assert envelope["count"] == 2
    assert folder.keys() == file.keys() == FIELDS
    assert (folder["name"], folder["type"], folder["extension"]) == ("Photos", "folder", "")
    assert (file["object_key"], file["name"], file["type"]) == (made.key, "Sun set.JPG", "file")
    assert (file["size_bytes"], file["extension"], file["mime"]) == (3, "jpg", "image/jpeg")
    assert file["is_favorite"] is False
    assert file["parent_object_key"] == shelf.client.root_key()
    for moment in (file["modified"], file["created"]):
        assert moment.endswith("Z")
        assert datetime.fromisoformat(moment).utcoffset() is not None


def test_a_listing_is_truncated_at_its_limit_and_counts_all(call_tool: CallTool, shelf: Shelf) -> None:
    folder = shelf.folder("/many")
    for number in range(5):
        shelf.file(f"{number}.txt", folder="/many")
    cut = call_tool("list_files", folder_key=folder.key, limit=2, sort="+objectName")
    assert [each["name"] for each in result(cut)] == ["0.txt", "1.txt"]
    assert cut["count"] == 5
    assert len(result(call_tool("list_files", folder_key=folder.key, limit=None))) == 5


def test_search_finds_by_name_and_extension_anywhere(call_tool: CallTool, shelf: Shelf) -> None:
    shelf.folder("/deep/down")
    wanted = shelf.file("Größe.txt", folder="/deep/down")
    shelf.file("other.jpg")
    found = call_tool("search_files", query="GRÖSSE")
    assert [each["object_key"] for each in result(found)] == [wanted.key]
    assert found["count"] == 1
    assert [each["name"] for each in result(call_tool("search_files", query="", extension=".JPG"))] == ["other.jpg"]
    cut = call_tool("search_files", query="", limit=1)
    assert (len(result(cut)), cut["count"]) == (1, 4)


def test_one_file_is_downloaded_and_never_over_another(call_tool: CallTool, shelf: Shelf, root: Path) -> None:
    made = shelf.file("a.txt", b"the content")
    returned = result(call_tool("download_file", object_key=made.key, destination="new/b.txt", confirm=True))
    assert returned == {
        "object_key": made.key,
        "path": str(root / "new" / "b.txt"),
        "size_bytes": 11,
        "md5": md5(b"the content").hexdigest(),
        "verified": True,
    }
    assert (root / "new" / "b.txt").read_bytes() == b"the content"
    (root / "new" / "b.txt").write_bytes(b"mine")
    again = {"object_key": made.key, "destination": "new/b.txt", "confirm": True}
    assert refused(call_tool("download_file", **again)) == "DestinationExists"
    assert (root / "new" / "b.txt").read_bytes() == b"mine"
    result(call_tool("download_file", **again, overwrite=True))
    assert (root / "new" / "b.txt").read_bytes() == b"the content"
    result(call_tool("download_file", object_key=made.key, destination="new", confirm=True))
    assert (root / "new" / "a.txt").read_bytes() == b"the content"


def test_everything_is_downloaded_with_its_folders(call_tool: CallTool, shelf: Shelf, root: Path) -> None:
    shelf.folder("/a/b")
    shelf.file("1.txt", b"one", folder="/a/b")
    shelf.file("2.jpg", b"two")
    returned = call_tool("download_all", destination_dir="all", confirm=True)
    assert result(returned)["downloaded"] == returned["count"] == 2
    assert (root / "all" / "a" / "b" / "1.txt").read_bytes() == b"one"
    assert result(call_tool("download_all", destination_dir="all", confirm=True))["skipped"] == 2
    result(call_tool("download_all", destination_dir="pictures", extension="jpg", max_workers=1, confirm=True))
    assert [each.name for each in (root / "pictures").rglob("*.*") if not each.is_dir() and "db" not in each.name] == [
        "2.jpg"
    ]
    (root / "all" / "2.jpg").write_bytes(b"mine")
    assert refused(call_tool("download_all", destination_dir="all", confirm=True)) == "DestinationExists"
    assert (root / "all" / "2.jpg").read_bytes() == b"mine"


def test_a_folder_is_created_and_a_taken_name_refused(call_tool: CallTool, shelf: Shelf) -> None:
    made = result(call_tool("create_folder", name="Neu"))
    assert (made["type"], made["name"]) == ("folder", "Neu")
    inner = result(call_tool("create_folder", name="inner", parent_folder_key=made["object_key"]))
    assert inner["parent_object_key"] == made["object_key"]
    assert shelf.names("/Neu") == ["inner"]
    assert refused(call_tool("create_folder", name="Neu")) == "ConflictError"
    assert refused(call_tool("create_folder", name="a/b")) == "InvalidRequestError"
    assert refused(call_tool("create_folder", name="x", parent_folder_key="0" * 32)) == "ObjectNotFoundError"


def test_objects_go_to_the_trash_and_come_back(call_tool: CallTool, shelf: Shelf) -> None:
    one, two = shelf.file("1.txt"), shelf.file("2.txt", b"two")
    keys = [one.key, two.key.lower()]
    trashed = call_tool("move_to_trash", object_keys=keys, confirm=True)
    assert [each["object_key"] for each in result(trashed)] == [one.key, two.key]
    assert trashed["count"] == 2
    assert shelf.names() == []
    listed = call_tool("list_trash", limit=1)
    assert (len(result(listed)), listed["count"]) == (1, 2)
    result(call_tool("restore_from_trash", object_keys=keys, confirm=True))
    assert shelf.names() == ["1.txt", "2.txt"]


def test_a_partial_refusal_is_a_failure_that_lists_what_was_done(call_tool: CallTool, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    shelf.client.move_to_trash([made])
    envelope = call_tool("restore_from_trash", object_keys=[made.key, "F" * 32], confirm=True)
    assert refused(envelope) == "InvalidRequestError"
    assert "1 of 2" in envelope["error"]["message"]
    assert "F" * 32 in envelope["error"]["message"].partition("Done:")[0]
    assert made.key in envelope["error"]["message"].partition("Done:")[2]
    assert shelf.names() == ["1.txt"]


def test_unknown_objects_are_not_found_and_nothing_is_changed(call_tool: CallTool, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    unknown = "F" * 32
    assert refused(call_tool("move_to_trash", object_keys=[made.key, unknown], confirm=True)) == "ObjectNotFoundError"
    assert refused(call_tool("rename_object", object_key=unknown, new_name="x")) == "ObjectNotFoundError"
    assert refused(call_tool("version_history", object_key=unknown)) == "ObjectNotFoundError"
    assert refused(call_tool("list_files", folder_key=unknown)) == "ObjectNotFoundError"
    assert refused(call_tool("share_link", object_keys=[unknown], confirm=True)) == "ObjectNotFoundError"
    download = {"object_key": unknown, "destination": "x", "confirm": True}
    assert refused(call_tool("download_file", **download)) == "ObjectNotFoundError"
    assert shelf.names() == ["1.txt"]


def test_a_public_link_is_created(call_tool: CallTool, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    returned = result(call_tool("share_link", object_keys=[made.key], confirm=True))
    assert "/l/?u=" in returned["url"]
    assert returned["object_keys"] == [made.key]
    assert [each.key for each in shelf.client.shares.objects()] == [made.key]


def test_an_object_is_renamed_wherever_it_is(call_tool: CallTool, shelf: Shelf) -> None:
    shelf.folder("/a/b")
    made = shelf.file("old.txt", folder="/a/b")
    assert result(call_tool("rename_object", object_key=made.key, new_name="new.txt"))["name"] == "new.txt"
    assert shelf.names("/a/b") == ["new.txt"]
    result(call_tool("search_files", query="new"))
    shelf.client.move([made.key], "/a")
    # The bridge last saw it in another folder, and still finds it.
    assert result(call_tool("rename_object", object_key=made.key, new_name="newer.txt"))["name"] == "newer.txt"
    assert shelf.names("/a") == ["b", "newer.txt"]


def test_favourites_are_added_and_removed(call_tool: CallTool, shelf: Shelf) -> None:
    made = shelf.file("1.txt")
    assert result(call_tool("set_favorite", object_keys=[made.key]))[0]["is_favorite"] is True
    assert shelf.client.get(made.key).is_favorite
    assert result(call_tool("set_favorite", object_keys=[made.key], favorite=False))[0]["is_favorite"] is False
    assert not shelf.client.get(made.key).is_favorite


def test_versions_are_listed_newest_first(call_tool: CallTool, shelf: Shelf) -> None:
    made = shelf.file("1.txt", b"one")
    shelf.file("1.txt", b"number two")
    returned = call_tool("version_history", object_key=made.key)
    assert [(each["version"], each["size_bytes"], each["is_current"]) for each in result(returned)] == [
        (2, 10, True),
        (1, 3, False),
    ]
    assert returned["count"] == 2


def test_recent_activity_mixes_pictures_and_documents_newest_first(call_tool: CallTool, shelf: Shelf) -> None:
    for name in ("1.txt", "2.jpg", "3.txt"):
        shelf.file(name, name.encode())
    returned = call_tool("recent_activity", limit=2)
    assert [each["name"] for each in result(returned)] == ["3.txt", "2.jpg"]
    assert returned["count"] == 3


def test_boards_and_contacts_are_listed(call_tool: CallTool, shelf: Shelf) -> None:
    assert call_tool("get_contacts") == {"ok": True, "result": [], "count": 0}
    shelf.client.boards.create("Summer", "by the sea")
    returned = call_tool("list_boards")
    assert returned["count"] == 1
    (board,) = result(returned)
    assert (board["board_name"], board["description"], board["is_mine"]) == ("Summer", "by the sea", True)


@pytest.mark.parametrize("tool", ["account_info", "list_files", "search_files"])
def test_an_expired_session_is_an_authentication_error(tool: str, library: CallTool, shelf: Shelf) -> None:
    shelf.client.logout()
    arguments = {"query": "x"} if tool == "search_files" else {}
    assert refused(library(tool, **arguments)) == "AuthenticationError"


@pytest.mark.parametrize("record", [VersionSummary, VersionRecord])
def test_what_is_no_md5_is_not_shown_as_one(record: type[VersionSummary | VersionRecord]) -> None:
    sent = ["../../precious", "0" * 31, "\x1b[2J" + "0" * 28, "", None, " ABCDEF" + "0" * 26]
    shown = [record.of(FileVersion(version=1, hash=one)).md5 for one in sent]
    assert shown == [None] * 5 + ["abcdef" + "0" * 26]
