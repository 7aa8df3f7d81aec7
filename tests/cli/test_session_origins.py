"""A session goes to the server that it was made for: no option, variable, edit or response sends it elsewhere."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.typing_commands import Typist
from tests.client.foreign import Asked, Foreign, Reply, foreign_server
from tests.client.serving import PASSWORD

from skyshelf.client.settings import save_profile

TOKEN = "c2Vzc2lvbiNBVEsjb2YtdGhlLW90aGVyLXNlcnZlcg=="
SESSION = {"auth_token": TOKEN, "user_id": "U" * 32, "device_key": "00000000-0000-0000-0000-00000000d00d"}
COMMANDS = [
    ("whoami",),
    ("ls", "/"),
    ("tree", "--json"),
    ("get", "/", "copy"),
    ("backup", "copy"),
    ("put", "a.txt", "/"),
    ("mirror", ".", "/Desk"),
    ("sync", ".", "/Desk"),
    ("find", "a"),
    ("shares",),
    ("albums",),
    ("contacts",),
    ("changes",),
    ("logout",),
    ("uploads",),
    ("trash",),
    ("account", "devices"),
]


def refusing(_: Asked) -> Reply:
    return Reply(401, {"code": "X", "message": "no"})


@pytest.fixture
def other() -> Iterator[Foreign]:
    """A server that would like to have the session of another one."""
    with foreign_server(refusing) as server:
        yield server


@pytest.fixture
def member(stranger: Typist) -> Typist:
    """Somebody with a session of a server that is not asked in these tests."""
    save_profile(stranger.config, "home", {"server": "https://drive.example.org", **SESSION})
    stranger.write("a.txt")
    return stranger


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_is_sent_to_a_server_that_the_session_is_not_for(
    member: Typist, other: Foreign, command: tuple[str, ...]
) -> None:
    for ended in (member.run(*command, "--server", other.url), member.run(*command, SKYSHELF_SERVER=other.url)):
        assert ended.returncode == 2, ended.stderr
        assert "the profile 'home' is logged in to https://drive.example.org" in ended.stderr
        assert f"skyshelf login --server {other.url}" in ended.stderr
        assert ended.stdout == ""
    assert other.asked == []


def test_single_hosts_do_not_get_the_session_either(member: Typist, other: Foreign) -> None:
    for host in ("BASE", "METADATA", "DOWNLOAD", "UPLOAD", "BOARDS", "CONTACTS", "MESSAGING"):
        ended = member.run("whoami", **{f"SKYSHELF_{host}_URL": other.url})
        assert ended.returncode == 2
        assert f"is not sent to {other.url}" in ended.stderr
    assert other.asked == []


def test_an_edited_profile_does_not_take_the_session_along(member: Typist, other: Foreign) -> None:
    text = member.config.read_text()
    member.config.write_text(text.replace('"server": "https://drive.example.org"', f'"server": "{other.url}"'))
    assert member.refused("ls")[0] == 2
    assert other.asked == []


def test_tools_of_an_agent_and_completions_send_nothing_either(member: Typist, other: Foreign) -> None:
    call = '{"tool": "account_info", "arguments": {}}'
    ended = member.run("agent", "call", call, SKYSHELF_SERVER=other.url)
    assert ended.returncode == 2
    assert "its session is not sent to" in json.loads(ended.stdout)["error"]["message"]
    lines = member.run("agent", "serve", stdin=call + "\n", SKYSHELF_SERVER=other.url)
    assert "its session is not sent to" in json.loads(lines.stdout)["error"]["message"]
    words = {"_SKYSHELF_COMPLETE": "bash_complete", "COMP_LINE": "skyshelf ls /", "SKYSHELF_SERVER": other.url}
    assert member.run(**words).stdout.strip() == ""
    assert other.asked == []


def test_a_session_of_the_environment_stays_with_its_server(member: Typist, other: Foreign) -> None:
    given = {f"SKYSHELF_{name.upper()}": value for name, value in SESSION.items()}
    ended = member.run("ls", "--server", other.url, SKYSHELF_SERVER="https://env.example.org", **given)
    assert (ended.returncode, other.asked) == (2, [])
    assert "belongs to https://env.example.org" in ended.stderr
    assert member.run("ls", SKYSHELF_SERVER=other.url, **given).returncode == 4
    assert {one.headers["authorization"] for one in other.asked} == {f"Basic {TOKEN}"}


def test_a_login_elsewhere_sends_nothing_of_the_session_before(member: Typist, other: Foreign) -> None:
    given = {f"SKYSHELF_{name.upper()}": value for name, value in SESSION.items()}
    for environment in ({}, {**given, "SKYSHELF_SERVER": "https://drive.example.org"}):
        login = ("login", "--server", other.url, "me@example.org", "--password-stdin")
        assert member.run(*login, stdin=PASSWORD, **environment).returncode == 4
    assert [asked.path for asked in other.asked].count("/x/v1/login") == 2
    for asked in other.asked:
        sent = repr(asked)
        assert not any(secret in sent for secret in SESSION.values())


def test_a_login_elsewhere_leaves_no_host_of_the_server_before(typist: Typist, other: Foreign) -> None:
    save_profile(typist.config, "default", {"download_url": other.url})
    typist.login()
    profile = json.loads(typist.config.read_text())["profiles"]["default"]
    # The same server: its hosts stay, and share the session.
    assert profile["session_origins"] == sorted({typist.server, other.url})
    save_profile(typist.config, "default", {"server": "https://drive.example.org"})
    typist.login()
    profile = json.loads(typist.config.read_text())["profiles"]["default"]
    assert "download_url" not in profile
    assert profile["session_origins"] == [typist.server]


def test_a_copied_session_goes_only_to_where_it_was_copied_from(member: Typist, other: Foreign, tmp_path: Path) -> None:
    copied = tmp_path / "copied.txt"
    headers = {"Authorization": f"Basic {TOKEN}", "X-User-Id": SESSION["user_id"], "X-Device-Key": "d" * 8}
    fields = " ".join(f"-H '{name}: {value}'" for name, value in headers.items())
    copied.write_text(f"curl 'https://elsewhere.example.org/security/users' {fields}")
    code, said = member.refused("login", "--curl-file", str(copied), "--server", other.url)
    assert code == 2
    assert "was copied from https://elsewhere.example.org" in said
    # The profile's server is not the one of the copied session.
    save_profile(member.config, "home", {"server": other.url})
    copied.write_text(f"curl 'http://127.0.0.1:1/security/users' {fields}")
    assert member.refused("login", "--curl-file", str(copied))[0] == 12
    assert other.asked == []


def test_a_redirect_takes_nothing_along(member: Typist, other: Foreign) -> None:
    with foreign_server(lambda _: Reply(307, b"", {"Location": f"{other.url}/x"})) as first:
        save_profile(member.config, "home", {"server": first.url, **SESSION})
        for command in (("ls",), ("get", "/a", "."), ("thumbnail", "/a"), ("backup", "copy"), ("put", "a.txt")):
            member.refused(*command)
        assert first.asked
    assert other.asked == []


def test_links_in_responses_are_not_followed_with_the_session(member: Typist, other: Foreign) -> None:
    key, root = "A" * 32, "F" * 32
    file = {
        "objectKey": key,
        "objectName": "a.jpg",
        "objectType": "FE",
        "sizeInBytes": 1,
        "hash": "9dd4e461268c8034f5c8564e155c67a6",
        "url": f"{other.url}/file",
        "imageTranscodeUrl": f"{other.url}/thumbnail",
    }

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": root, "nextCursor": f"{other.url}/next"})
        if asked.path == "/nms/metadata":
            shown = [file] if asked.query["type"] == "f" and asked.query["page"] == "0" else []
            return Reply(200, {"objects": shown, "next": f"{other.url}/next"})
        if asked.path.endswith(key):
            return Reply(200, b"x")
        return Reply(404)

    with foreign_server(answering) as first:
        save_profile(member.config, "home", {"server": first.url, **SESSION})
        member.done("ls", "--json")
        member.done("get", "/a.jpg", "got.jpg")
        member.done("backup", "copy")
        member.run("thumbnail", "/a.jpg")
    assert other.asked == []
