"""Commands against servers whose listings have no end, or contradict themselves: an honest error, and nothing lost."""

import hashlib
import json
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.cli.typing_commands import SKYSHELF, Typist
from tests.client.foreign import Answering, Asked, Foreign, Reply, foreign_server

from skyshelf.client.download.bulk import lister
from skyshelf.client.errors import BrokenListingError
from skyshelf.client.local.names import STATE_FOLDER
from skyshelf.client.objects import walk
from skyshelf.client.settings import save_profile
from skyshelf.client.sync_client import Client

ROOT = "F" * 32
CONTENT = b"x"
MD5 = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()
SESSION = {"auth_token": "T0KEN", "user_id": "U" * 32, "device_key": "00000000-0000-0000-0000-000000000005"}
EXIT_SERVER_ERROR = 11


def entry(number: int, kind: str = "FE") -> bytes:
    return b'{"objectKey":"%032X","objectName":"%x","objectType":"%b"}' % (number, number, kind.encode())


def page_of(numbers: Any, kind: str = "FE") -> bytes:
    return b'{"objects":[' + b",".join(entry(number, kind) for number in numbers) + b"]}"


def listing(answer: Callable[[Asked], bytes]) -> Answering:
    """A server of the interface alone, with such listings; every file has the same content."""

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        if asked.path == "/nms/metadata" and asked.method == "GET":
            return Reply(200, answer(asked))
        if asked.path.startswith("/download/files/"):
            return Reply(200, CONTENT)
        return Reply(404)

    return answering


def ever_new(asked: Asked) -> bytes:
    """Each page is full of files that were not listed before."""
    begin = int(asked.query["page"]) * 2000
    return page_of(range(begin + 1, begin + 2001)) if asked.query["type"] == "f" else b'{"objects":[]}'


def shuffled(asked: Asked) -> bytes:
    """Each page holds some of the same 2,500 files, in another order."""
    chance = random.Random(int(asked.query["page"]))
    return page_of(chance.sample(range(1, 2501), 2000)) if asked.query["type"] == "f" else b'{"objects":[]}'


def ever_deeper(asked: Asked) -> bytes:
    """Each folder holds another one."""
    if asked.query["type"] == "f" or asked.query["page"] != "0":
        return b'{"objects":[]}'
    above = asked.query["folderKey"]
    return page_of([1 if above == ROOT else int(above, 16) + 1], "FR")


def ever_wider(asked: Asked) -> bytes:
    """Each folder holds a hundred others."""
    if asked.query["type"] == "f" or asked.query["page"] != "0":
        return b'{"objects":[]}'
    above = 0 if asked.query["folderKey"] == ROOT else int(asked.query["folderKey"], 16)
    return page_of(range(above * 100 + 1, above * 100 + 101), "FR")


@pytest.fixture
def foreign() -> Iterator[Foreign]:
    with foreign_server(listing(ever_new)) as server:
        yield server


@pytest.fixture
def guest(stranger: Typist, foreign: Foreign) -> Typist:
    save_profile(stranger.config, "home", {"server": foreign.url, **SESSION})
    stranger.environment |= {"SKYSHELF_MAX_OBJECTS": "5000", "SKYSHELF_RETRIES": "1"}
    return stranger


def test_a_listing_without_an_end_is_an_error_of_every_command(guest: Typist) -> None:
    guest.write("local/kept.txt")
    for command in (
        ("ls", "--jsonl"),
        ("ls", "--json"),
        ("ls", "-l"),
        ("ls", "-R"),
        ("tree",),
        ("find", "a", "--no-index"),
        ("du", "--no-index"),
        ("stat", "/none"),
        ("get", "/none", "got"),
        ("get", "/", "got"),
        ("backup", "copy", "--dry-run"),
        ("mirror", "local", "/", "--delete"),
        ("sync", "local", "/"),
    ):
        code, said = guest.refused(*command)
        assert code == EXIT_SERVER_ERROR, (command, said)
        assert "SKYSHELF_MAX_OBJECTS" in said, (command, said)


def test_a_backup_of_a_listing_without_an_end_stops_and_loses_nothing(guest: Typist) -> None:
    kept = guest.write("copy/of my own.txt")
    for form in ((), ("--json",)):
        ended = guest.run("backup", "copy", *form)
        assert ended.returncode == EXIT_SERVER_ERROR
        assert "listed more than 5,000 objects without an end" in ended.stderr
        assert "Traceback" not in ended.stderr
    assert kept.read_text() == "hello"
    left = sorted(path.name for path in (guest.desk / "copy" / STATE_FOLDER).iterdir())
    assert "plan.db" not in left


def _peak_kib(pid: int) -> int:
    """The most memory so far. That of getrusage counts what the test run had when it started the process."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


@pytest.mark.whole
def test_state_and_memory_of_a_backup_stay_bounded(guest: Typist) -> None:
    """At 60,000 objects, with all limits in the same proportion as the usual ones."""
    environment = guest.environment | {"SKYSHELF_MAX_OBJECTS": "60000"}
    for command in (["backup", "copy"], ["ls", "--json"]):
        with subprocess.Popen(
            [SKYSHELF, *command], env=environment, cwd=guest.desk, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as running:
            peak = 0
            while running.poll() is None:
                peak = max(peak, _peak_kib(running.pid))
                time.sleep(0.02)
        assert running.returncode == EXIT_SERVER_ERROR
        assert 0 < peak < 200 * 1024
    held = sum(path.stat().st_size for path in guest.desk.rglob("*") if path.is_file())
    assert held < 1024 * 1024


def test_entries_that_come_again_in_another_order_are_noticed(guest: Typist, foreign: Foreign) -> None:
    foreign.answering = listing(shuffled)
    guest.environment |= {"SKYSHELF_MAX_OBJECTS": "1000000"}
    for command in (("ls", "--jsonl"), ("get", "/", "got")):
        code, said = guest.refused(*command)
        assert code == EXIT_SERVER_ERROR
        assert "keeps listing the same entries" in said
    assert len(foreign.asked) < 1000


@pytest.mark.whole
@pytest.mark.parametrize("tree", [ever_deeper, ever_wider])
def test_a_tree_without_an_end_is_an_error(guest: Typist, foreign: Foreign, tree: Callable[[Asked], bytes]) -> None:
    foreign.answering = listing(tree)
    guest.environment |= {"SKYSHELF_MAX_OBJECTS": "500"}
    for command in (("tree",), ("find", "zz", "--no-index"), ("backup", "copy", "--dry-run", "--no-index")):
        code, said = guest.refused(*command)
        assert code == EXIT_SERVER_ERROR, said
        assert "without an end" in said


def test_a_chain_of_folders_is_entered_to_a_certain_depth(
    foreign: Foreign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (lister, walk):
        monkeypatch.setattr(module, "CLIENT_DEPTH_MAX", 20)
    foreign.answering = listing(ever_deeper)
    token, user, device = SESSION.values()
    with Client(foreign.url, auth_token=token, user_id=user, device_key=device) as client:
        summary = client.download_all(tmp_path / "copy")
        assert [failure.path.count("/") for failure in summary.failed] == [20]
        assert "nested too deeply" in summary.failed[0].reason
        with pytest.raises(BrokenListingError, match="nested more than 20 deep"):
            list(client.walk())


# Lists with cursors, of an account that answers everything else.

CURSORS: dict[str, Callable[[Asked, int], str]] = {
    "ever new": lambda _asked, number: f"c{number}",
    "in a circle": lambda _asked, number: f"c{number % 7}",
    "the same": lambda _asked, _number: "c",
}


@pytest.mark.parametrize("cursors", CURSORS)
@pytest.mark.parametrize("is_empty", [True, False], ids=["empty pages", "full pages"])
def test_lists_with_cursors_end_too(guest: Typist, foreign: Foreign, cursors: str, is_empty: bool) -> None:
    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        if not asked.path.startswith("/x/v1/"):
            return Reply(200, b'{"objects":[]}')
        number = len(foreign.asked)
        following = CURSORS[cursors](asked, number)
        found = [] if is_empty else [json.loads(entry(number * 10 + place)) for place in range(10)]
        changes = [{"kind": "updated", "objectKey": one["objectKey"]} for one in found]
        return Reply(
            200, {"objects": found, "changes": changes, "nextCursor": following, "cursor": following, "hasMore": True}
        )

    foreign.answering = answering
    for command in (("find", "a"), ("changes", "--since", "c0", "--jsonl")):
        foreign.asked.clear()
        ended = guest.run(*command, SKYSHELF_MAX_OBJECTS="1000")
        assert ended.returncode == EXIT_SERVER_ERROR, (command, ended.stderr)
        assert len(foreign.asked) <= 1100
    # The index cannot be built from that, and everything is listed instead.
    foreign.asked.clear()
    assert guest.run("backup", "copy").returncode == 0
    assert len(foreign.asked) <= 1100
    assert not list((guest.home / "cache" / "skyshelf").glob("*.db"))


# Listings that contradict themselves.


def shown(key: str, name: str, kind: str = "FE", **fields: Any) -> dict[str, Any]:
    content = {"hash": MD5} if kind == "FE" else {}
    return {"objectKey": key, "objectName": name, "objectType": kind, **content, **fields}


def drive(objects: dict[str, list[dict[str, Any]]]) -> Answering:
    def answer(asked: Asked) -> bytes:
        kind = {"f": "FE", "w": "FR"}[asked.query["type"]]
        found = [one for one in objects.get(asked.query["folderKey"], []) if one["objectType"] == kind]
        return json.dumps({"objects": found if asked.query["page"] == "0" else []}).encode()

    return listing(answer)


A, B, C = "A" * 32, "B" * 32, "C" * 32


def copied(guest: Typist, folder: str = "copy") -> list[str]:
    return sorted(
        path.relative_to(guest.desk / folder).as_posix()
        for path in (guest.desk / folder).rglob("*")
        if path.is_file() and STATE_FOLDER not in path.parts
    )


CONTRADICTIONS: dict[str, tuple[dict[str, list[dict[str, Any]]], list[str], str]] = {
    "two files with one key": (
        {ROOT: [shown(A, "one"), shown(A, "two"), shown(B, "three")]},
        ["one", "three"],
        f"two: the server lists it with the key {A}, which 'one' in the same folder has too",
    ),
    "a file with the key of a folder": (
        {ROOT: [shown(A, "folder", "FR"), shown(A, "file")], A: [shown(B, "b")]},
        ["folder/b"],
        f"file: the server lists it with the key {A}, which 'folder' in the same folder has too",
    ),
    "the root inside itself": (
        {ROOT: [shown(ROOT, "again", "FR"), shown(A, "a")]},
        ["a"],
        "again: the server lists the same folder in two places, or inside itself",
    ),
    "nothing but the root inside itself": (
        {ROOT: [shown(ROOT, "again", "FR")]},
        [],
        "again: the server lists the same folder in two places, or inside itself",
    ),
    "one folder in two places": (
        {ROOT: [shown(A, "a", "FR"), shown(B, "b", "FR")], A: [shown(C, "c", "FR")], B: [shown(C, "c", "FR")]},
        [],
        "c: the server lists the same folder in two places, or inside itself",
    ),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_contradiction_is_named_and_never_a_silent_success(guest: Typist, foreign: Foreign, case: str) -> None:
    objects, files, problem = CONTRADICTIONS[case]
    foreign.answering = drive(objects)
    for command in (("backup", "copy"), ("get", "/", "copy")):
        code, said = guest.refused(*command)
        assert code == EXIT_SERVER_ERROR
        assert problem in said
        assert copied(guest) == files
    # The rest of the commands end, whatever they make of it.
    for other in (("ls",), ("tree",), ("du", "--no-index"), ("find", "o", "--no-index")):
        guest.done(*other)


@pytest.mark.parametrize(
    "body",
    [
        b'{"objects":[%b],"objects":[]}' % entry(1),
        b'{"objects":[],"objects":[%b]}' % entry(1),
        b'{"objects":[{"objectKey":"%b","objectKey":"%b","objectName":"a","objectType":"FE"}]}'
        % (b"A" * 32, b"B" * 32),
        b'{"objects":[{"objectKey":"%b","object\\u004bey":"%b","objectName":"a","objectType":"FE"}]}'
        % (b"A" * 32, b"B" * 32),
    ],
    ids=["objects, then none", "none, then objects", "two keys", "two keys in different spellings"],
)
def test_a_response_with_a_member_twice_is_an_error(guest: Typist, foreign: Foreign, body: bytes) -> None:
    foreign.answering = listing(lambda asked: body if asked.query["page"] == "0" else b'{"objects":[]}')
    for command in (
        ("backup", "copy"),
        ("ls",),
        ("tree",),
        ("get", "/", "got"),
        ("mirror", ".", "/", "--delete"),
        ("sync", ".", "/"),
    ):
        code, said = guest.refused(*command)
        assert code == EXIT_SERVER_ERROR
        assert "contradicts itself" in said
    call = '{"tool": "list_files", "arguments": {}}'
    assert guest.run("agent", "call", call).returncode == EXIT_SERVER_ERROR


def test_an_entry_that_is_merely_repeated_counts_once(guest: Typist, foreign: Foreign) -> None:
    foreign.answering = drive({ROOT: [shown(A, "a"), shown(A, "a"), shown(B, "b")]})
    guest.done("backup", "copy")
    assert copied(guest) == ["a", "b"]
    assert guest.done("ls") == "a\nb\n"


def test_names_that_collide_on_a_disk_are_all_downloaded(guest: Typist, foreign: Foreign) -> None:
    names = ["Photo", "photo", "caf\u00e9", "cafe\u0301", "CON", "con", "a.", "a", STATE_FOLDER]
    foreign.answering = drive({ROOT: [shown(f"{number:032X}", name) for number, name in enumerate(names, 1)]})
    assert json.loads(guest.done("backup", "copy", "--json"))["done"] == len(names)
    found = copied(guest)
    assert len({name.casefold() for name in found}) == len(names)


@pytest.mark.parametrize(
    "lie", [{"sizeInBytes": 2}, {"sizeInBytes": 0}, {"hash": "0" * 32}, {"sizeInBytes": 10**30, "hash": MD5[::-1]}]
)
def test_sizes_and_hashes_that_lie_are_failures(guest: Typist, foreign: Foreign, lie: dict[str, Any]) -> None:
    foreign.answering = drive({ROOT: [shown(A, "a", **lie), shown(B, "b", sizeInBytes=1, hash=MD5)]})
    for command in (("backup", "copy"), ("get", "/a", "a")):
        code, said = guest.refused(*command)
        assert code == 1, said
    assert copied(guest) == ["b"]
    assert not Path(guest.desk, "a").exists()


def test_objects_that_no_folder_leads_to_do_not_make_an_index(guest: Typist, foreign: Foreign) -> None:
    here = shown(A, "a", parentObjectKey=ROOT, status="A")
    lost = [
        shown(B, "lost", parentObjectKey="9" * 32, status="A"),
        shown("1" * 32, "x", "FR", parentObjectKey="2" * 32, status="A"),
        shown("2" * 32, "y", "FR", parentObjectKey="1" * 32, status="A"),
    ]
    plain = drive({ROOT: [here, shown(C, "c")]})

    def answering(asked: Asked) -> Reply:
        if asked.path == "/x/v1/changes/everything":
            return Reply(200, {"objects": [here, *lost], "changesCursor": "1"})
        if asked.path == "/x/v1/changes":
            return Reply(200, {"changes": [], "cursor": "1"})
        return plain(asked)

    foreign.answering = answering
    guest.done("backup", "copy")
    assert copied(guest) == ["a", "c"]
