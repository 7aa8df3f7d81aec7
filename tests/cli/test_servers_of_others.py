"""Commands against servers that are not ours, which answer with less, with more, or with something else altogether."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.cli.typing_commands import Typist
from tests.client.foreign import Answering, Asked, Foreign, Reply, foreign_server

ROOT = "F" * 32
FOLDER = "A" * 32

Elsewhere = Callable[[Answering], tuple[Foreign, Callable[..., tuple[int, str, str]]]]


@pytest.fixture
def elsewhere(stranger: Typist) -> Iterator[Elsewhere]:
    """A server of somebody else, and commands that go there: exit code, output, and what is said beside it."""
    with ExitStack() as opened:

        def start(answering: Answering) -> tuple[Foreign, Callable[..., tuple[int, str, str]]]:
            foreign = opened.enter_context(foreign_server(answering))
            session = {"AUTH_TOKEN": "t", "USER_ID": "U" * 32, "DEVICE_KEY": "00000000-0000-0000-0000-000000000005"}
            environment = {f"SKYSHELF_{name}": value for name, value in {"SERVER": foreign.url, **session}.items()}

            def run(*arguments: str) -> tuple[int, str, str]:
                ended = stranger.run(*arguments, **environment)
                assert "Traceback" not in ended.stderr
                return ended.returncode, ended.stdout, ended.stderr

            return foreign, run

        yield start


def drive(objects: dict[str, list[dict[str, Any]]], profile: dict[str, Any] | None = None) -> Answering:
    """A server of the interface alone, that shows objects by the folder in which they are."""

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT, **(profile or {})})
        if asked.path == "/nms/metadata" and asked.method == "GET":
            kind = {"f": "FE", "w": "FR"}[asked.query["type"]]
            found = [one for one in objects[asked.query["folderKey"]] if one["objectType"] == kind]
            return Reply(200, {"objects": found if asked.query["page"] == "0" else []})
        return Reply(404, b"<html>nothing here</html>")

    return answering


def shown(key: str, name: str, kind: str = "FE", **fields: Any) -> dict[str, Any]:
    return {"objectKey": key, "objectName": name, "objectType": kind, **fields}


def test_a_tree_is_drawn_from_objects_without_a_parent_key(elsewhere: Elsewhere) -> None:
    _, run = elsewhere(
        drive({ROOT: [shown(FOLDER, "in", "FR"), shown("B" * 32, "b", parentObjectKey="9")], FOLDER: [shown("C", "c")]})
    )
    assert run("tree") == (0, "/\n├── in/\n│   └── c\n└── b\n", "")


def test_a_tree_of_a_folder_inside_itself_has_an_end(elsewhere: Elsewhere) -> None:
    _, run = elsewhere(drive({ROOT: [shown(FOLDER, "in", "FR")], FOLDER: [shown(FOLDER, "in", "FR")]}))
    assert run("tree") == (0, "/\n└── in/\n    └── in/\n", "")


def test_an_account_of_which_the_server_says_nothing_is_not_shown_as_full(elsewhere: Elsewhere) -> None:
    foreign, run = elsewhere(drive({}))
    assert run("whoami") == (0, "U\n", "")
    code, told, _ = run("agent", "call", '{"tool": "account_info", "arguments": {}}')
    assert code == 0
    assert '"quota":null' in told
    foreign.answering = drive({}, {"quota": {"allocatedSpace": 1000, "usedSpace": 10}})
    assert "10 B of 1000 B (1.0%)" in run("whoami")[1]


def test_devices_are_those_of_the_profile_where_sessions_are_not_listed(elsewhere: Elsewhere) -> None:
    here, phone = "00000000-0000-0000-0000-000000000005", "00000000-0000-0000-0000-000000000006"
    known = [
        {"deviceKey": here.upper(), "deviceName": "browser", "deviceType": "W", "platformType": "Firefox"},
        {"deviceKey": phone, "deviceName": "phone"},
    ]
    _, run = elsewhere(drive({}, {"devices": known}))
    code, told, said = run("account", "devices")
    assert (code, said) == (0, "")
    first, second = told.splitlines()
    assert (first.split(), second.split()) == (["*", "browser", "Firefox", here.upper()], ["phone", phone])
    own, other = json.loads(run("account", "devices", "--json")[1])
    assert (own["name"], own["is_this_one"], own["is_logged_in"]) == ("browser", True, None)
    assert (other["name"], other["is_this_one"], other["is_logged_in"]) == ("phone", False, None)


def test_shared_items_are_listed_where_links_are_not(elsewhere: Elsewhere) -> None:
    shared = [shown("B" * 32, "beach.jpg"), shown("C" * 32, "sea.jpg")]

    def answering(asked: Asked) -> Reply:
        if asked.path == "/nms/collshare/byme":
            return Reply(200, {"objects": shared if asked.query["page"] == "0" else []})
        return drive({})(asked)

    _, run = elsewhere(answering)
    note = "This server does not list links; these are the items that have one.\n"
    assert run("shares", "ls") == (0, "beach.jpg\nsea.jpg\n", note)
    code, told, _ = run("shares", "ls", "--json")
    assert code == 0
    assert [(one["url"], one["names"]) for one in json.loads(told)] == [(None, ["beach.jpg"]), (None, ["sea.jpg"])]


def test_a_web_page_in_the_place_of_data_is_named_as_one(elsewhere: Elsewhere) -> None:
    _, run = elsewhere(lambda _: Reply(200, b"<!DOCTYPE html><title>Welcome to our hotel</title>"))
    code, _, said = run("ls")
    assert code == 11
    assert "it is a web page; check the server's address" in said


def test_a_redirect_is_reported_with_the_full_url_to_try(elsewhere: Elsewhere) -> None:
    _, run = elsewhere(lambda _: Reply(308, b"", {"Location": "https://drive.example.org:8443/x?nonce=secret"}))
    _, _, said = run("ls")
    assert "the server redirects to https://drive.example.org:8443;" in said
    assert "secret" not in said


def test_a_long_throttling_is_reported_with_its_duration(elsewhere: Elsewhere) -> None:
    foreign, run = elsewhere(lambda _: Reply(429, b"", {"Retry-After": "5400"}))
    code, _, said = run("ls")
    assert (code, said.endswith("Wait 2 hours and try again.\n")) == (10, True), said
    foreign.answering = lambda _: Reply(429, b"", {"Retry-After": "250000"})
    assert run("ls")[2].endswith("Wait 3 days and try again.\n")
    foreign.answering = lambda _: Reply(429, b"", {"Retry-After": "150"})
    assert run("ls")[2].endswith("Wait 3 minutes and try again.\n")


def test_a_server_cannot_add_lines_to_what_we_say(elsewhere: Elsewhere) -> None:
    _, run = elsewhere(lambda _: Reply(400, {"code": "E", "message": "no\nskyshelf: everything is fine\r\nyes"}))
    assert run("ls")[2] == "skyshelf: no skyshelf: everything is fine yes\n"


def test_the_root_is_refused_for_what_it_is(elsewhere: Elsewhere) -> None:
    foreign, run = elsewhere(drive({ROOT: [shown(FOLDER, "in", "FR", sourceName="DRIVE")], FOLDER: []}))
    for command in (("rm", "/"), ("rename", "/", "other"), ("mv", "/", "/in")):
        code, _, said = run(*command)
        assert code == 3
        assert "The root folder cannot be renamed, moved or trashed" in said
    assert [one for one in foreign.paths() if one.startswith("PUT")] == []


def test_a_server_without_uploads_is_reported_without_a_retry(elsewhere: Elsewhere, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    _, run = elsewhere(drive({ROOT: []}))
    code, _, said = run("put", str(tmp_path / "a.txt"), "/")
    assert code == 6
    assert "this server cannot accept uploads" in said
    assert "skyshelf: 1 file could not be uploaded" in said
    assert "Run the same command again" not in said


def test_a_folder_that_cannot_be_listed_is_named_even_if_it_is_the_one_asked_for(
    elsewhere: Elsewhere, tmp_path: Path
) -> None:
    whole = drive({ROOT: []})
    _, run = elsewhere(lambda asked: Reply(403) if "metadata" in asked.path else whole(asked))
    code, _, said = run("get", "/", str(tmp_path / "copy"))
    assert code == 5
    assert "skyshelf: the folder itself: the server answered 403" in said
