"""Edits of both sides in one text file: merged by the version that both had, or both kept."""

import itertools
import random
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, Put, in_local_trash, local_tree, run, same, sync

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.index import SyncIndex
from skyshelf.desktop.sync.merging import BYTES_MAX, merge_text

BASE = b"one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "merged"),
    [
        (b"ONE\ntwo\nthree\nfour\nfive\n", b"one\ntwo\nthree\nfour\nFIVE\n", b"ONE\ntwo\nthree\nfour\nFIVE\n"),
        (b"zero\n" + BASE, BASE + b"six\n", b"zero\n" + BASE + b"six\n"),
        (b"one\nthree\nfour\nfive\n", BASE + b"six", b"one\nthree\nfour\nfive\nsix"),
        (BASE + b"six\n", BASE + b"six\n", BASE + b"six\n"),
        (BASE, BASE + b"six\n", BASE + b"six\n"),
        # Both in one place, or in lines beside each other
        (b"ONE\ntwo\nthree\nfour\nfive\n", b"Eins\ntwo\nthree\nfour\nfive\n", None),
        (b"ONE\ntwo\nthree\nfour\nfive\n", b"one\nTWO\nthree\nfour\nfive\n", None),
        (BASE + b"six\n", BASE + b"sechs\n", None),
        # Not text, or too large
        (BASE + b"\0", b"zero\n" + BASE, None),
        (BASE + b"\xff\n", b"zero\n" + BASE, None),
        (BASE + b"x" * BYTES_MAX, b"zero\n" + BASE, None),
        (BASE.replace(b"\n", b"\r\n"), b"zero\n" + BASE, None),
    ],
)
def test_changes_in_different_places_are_merged(mine: bytes, theirs: bytes, merged: bytes | None) -> None:
    assert merge_text(BASE, mine, theirs) == merged
    assert merge_text(BASE, theirs, mine) == merged


def test_line_endings_are_kept() -> None:
    base = b"one\r\ntwo\r\nthree\r\n"
    assert merge_text(base, b"zero\r\n" + base, base + b"four\r\n") == b"zero\r\n" + base + b"four\r\n"


def test_a_merge_by_lot_has_the_lines_of_both_sides() -> None:
    dice = random.Random(7)
    merges = 0
    for _ in range(300):
        base = [b"%d\n" % dice.randrange(6) for _ in range(dice.randrange(1, 12))]
        sides = [list(base), list(base)]
        for side, number in itertools.product((0, 1), range(dice.randrange(1, 3))):
            sides[side].insert(dice.randrange(len(sides[side]) + 1), b"new %d %d\n" % (side, number))
        merged = merge_text(b"".join(base), b"".join(sides[0]), b"".join(sides[1]))
        if merged is not None:
            merges += 1
            lines = merged.splitlines(keepends=True)
            assert sorted(lines) == sorted([*base, *(one for side in sides for one in side if one.startswith(b"new"))])
    assert merges > 100


def test_a_file_of_very_many_equal_lines_is_given_up_at_once() -> None:
    assert merge_text(b"a\nx\n" * 5_000, b"b\n" + b"x\na\n" * 5_000, b"x\n" * 9_000) is None


@pytest.fixture
def text(client: Client, here: Path) -> Path:
    (here / "a.txt").write_bytes(BASE)
    sync(client, here)
    return here / "a.txt"


def test_both_edits_are_in_the_file_on_both_sides(client: Client, here: Path, text: Path, there: Put) -> None:
    text.write_bytes(b"zero\n" + BASE)
    text.chmod(0o640)
    there("a.txt", BASE + b"six\n")
    assert sync(client, here, merge_text=True) == ["merge a.txt", "upload a.txt"]
    assert local_tree(here) == {"a.txt": b"zero\n" + BASE + b"six\n"}
    assert text.stat().st_mode & 0o777 == 0o640
    assert same(client, here)
    # Each side's edit is kept: here in the trash, there as the version before.
    assert in_local_trash(here) == {"a.txt": b"zero\n" + BASE}
    versions = client.versions.list(f"{TOP}/a.txt").obj_versions or []
    assert [one.size_in_bytes for one in versions] == [len(BASE) + 9, len(BASE) + 4, len(BASE)]
    assert sync(client, here, merge_text=True) == []


def test_edits_of_one_place_and_unasked_for_merges_keep_both(
    client: Client, here: Path, text: Path, there: Put
) -> None:
    text.write_bytes(b"ONE\n" + BASE[4:])
    there("a.txt", b"Eins\n" + BASE[4:])
    assert sync(client, here, merge_text=True)[0] == "conflict a.txt"
    text.write_bytes(b"zero\n" + text.read_bytes())
    there("a.txt", text.read_bytes()[5:] + b"six\n")
    assert sync(client, here)[0] == "conflict a.txt"
    assert len(local_tree(here)) == 3


def test_without_the_common_version_both_are_kept(client: Client, here: Path, text: Path, there: Put) -> None:
    found = client.get(f"{TOP}/a.txt")
    client.move_to_trash([found])
    text.write_bytes(b"zero\n" + BASE)
    there("a.txt", BASE + b"six\n")
    events, result = run(client, here, merge_text=True)
    assert result.failures == []
    assert events[0].kind == "conflict"
    assert len(local_tree(here)) == 2


def test_a_kill_after_the_merge_loses_neither_edit(
    client: Client, here: Path, text: Path, there: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    text.write_bytes(b"zero\n" + BASE)
    there("a.txt", BASE + b"six\n")

    class Killed(BaseException):
        """A kill."""

    def killed(*_: object) -> int:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(SyncIndex, "record", killed)
        with pytest.raises(Killed):
            run(client, here, merge_text=True)
    sync(client, here, merge_text=True)
    assert local_tree(here) == {"a.txt": b"zero\n" + BASE + b"six\n"}
    assert same(client, here)
