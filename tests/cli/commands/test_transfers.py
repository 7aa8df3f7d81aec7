"""Files to the server and back: put, get, cat, backup, thumbnail; in a pipe, in a terminal, and interrupted."""

import hashlib
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image
from tests.cli.typing_commands import SKYSHELF, Typist, without_colors

from skyshelf.cli.base.records import DownloadRecord, ObjectRecord, TransferRecord


def contents(folder: Path) -> dict[str, str]:
    """Every file below a folder with its hash, without what a backup keeps for itself."""
    return {
        str(path.relative_to(folder)): hashlib.md5(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and ".skyshelf-backup" not in path.parts
    }


def test_a_folder_goes_up_and_comes_back_the_same(typist: Typist) -> None:
    typist.write("holiday/a.txt", "one")
    typist.write("holiday/deep/er/b.bin", os.urandom(5_000_000))
    typist.write("holiday/empty.txt", "")
    sent = typist.record(TransferRecord, "put", "holiday", "/Photos")
    assert (sent.done, sent.skipped, sent.failed) == (3, 0, [])
    assert typist.done("ls", "-R", "/Photos").splitlines()[0] == "/Photos/holiday/"
    got = typist.record(TransferRecord, "get", "/Photos/holiday", "back")
    assert got.done == 3
    assert contents(typist.desk / "back" / "holiday") == contents(typist.desk / "holiday")


def test_what_the_server_has_is_not_sent_again(typist: Typist) -> None:
    typist.write("holiday/a.txt", "one")
    typist.done("put", "holiday")
    again = typist.record(TransferRecord, "put", "holiday")
    assert (again.done, again.skipped) == (0, 1)


def test_a_single_file_can_get_a_new_name(typist: Typist) -> None:
    typist.write("a.txt", "one")
    typist.done("put", "a.txt", "/notes/first.txt")
    assert typist.done("cat", "/notes/first.txt") == "one"
    typist.write("a.txt", "two")
    typist.done("put", "a.txt", "/notes/first.txt")
    assert typist.done("cat", "/notes/first.txt") == "two"
    assert typist.done("ls", "/notes").split() == ["first.txt"]


def test_a_missing_local_file_is_said_before_anything_is_sent(typist: Typist) -> None:
    typist.write("a.txt")
    code, said = typist.refused("put", "a.txt", "b.txt", "/")
    assert code == 1
    assert "b.txt" in said
    assert "a.txt" not in said
    assert typist.done("ls") == ""


def test_get_refuses_to_replace_a_file_unless_allowed(typist: Typist) -> None:
    typist.write("a.txt", "server")
    typist.done("put", "a.txt")
    typist.write("a.txt", "mine")
    code, said = typist.refused("get", "/a.txt")
    assert code == 1
    assert "--overwrite" in said
    assert (typist.desk / "a.txt").read_text() == "mine"
    typist.done("get", "/a.txt", "--overwrite")
    assert (typist.desk / "a.txt").read_text() == "server"


def test_several_files_go_into_a_folder(typist: Typist) -> None:
    typist.write("a.txt", "one")
    typist.write("b.txt", "two")
    typist.done("put", "a.txt", "b.txt", "/")
    typist.done("get", "/*.txt", "--to", "both")
    assert {path.name for path in (typist.desk / "both").iterdir()} == {"a.txt", "b.txt"}


def test_a_pipe_gets_plain_lines_and_quiet_gets_none(typist: Typist) -> None:
    typist.write("a.txt", "one")
    shown = typist.run("put", "a.txt")
    assert shown.stdout == ""
    assert shown.stderr.splitlines() == ["uploaded a.txt (3 B)", "Uploaded 1 file (3 B)."]
    assert typist.run("get", "/a.txt", "b.txt", "--quiet").stderr == ""


def test_a_terminal_gets_one_live_line(typist: Typist) -> None:
    typist.write("large.bin", os.urandom(20_000_000))
    code, shown = typist.in_terminal("put", "large.bin")
    assert code == 0, shown
    assert "\r" in shown
    assert "of 19.1 MiB" in without_colors(shown)
    assert "left" in shown


@pytest.mark.whole
def test_a_backup_in_a_terminal_shows_the_total_and_the_time_left(typist: Typist) -> None:
    folder = typist.drive.add_folder("all")
    typist.drive.add_files([(f"{number}.bin", bytes([number]) * 100_000) for number in range(8)], folder)
    code, shown = typist.in_terminal("backup", "copy", "--limit-rate", "500k", "--verify")
    assert code == 0, shown
    frames = [frame for frame in without_colors(shown).split("\r") if " left" in frame]
    assert frames
    assert all(re.search(r" of 781.2 KiB  \d of 8 files  .+/s  \d+:\d\d left", frame) for frame in frames), frames
    assert "Downloaded 8 files (781.2 KiB)" in shown
    assert "Verified 8 files." in shown


def test_cat_prints_the_bytes_alone(typist: Typist) -> None:
    typist.write("a.txt", "one\n")
    typist.write("b.txt", "two\n")
    typist.done("put", "a.txt", "b.txt", "/")
    assert typist.done("cat", "/a.txt", "/b.txt") == "one\ntwo\n"
    typist.done("mkdir", "/folder")
    assert typist.refused("cat", "/folder")[0] == 3


def test_a_thumbnail_is_a_picture(typist: Typist) -> None:
    Image.new("RGB", (800, 600), "teal").save(typist.desk / "sea.png")
    typist.done("put", "sea.png")
    made = typist.record(DownloadRecord, "thumbnail", "/sea.png", "--size", "256")
    with Image.open(typist.desk / made.path) as picture:
        assert max(picture.size) == 256
    assert typist.refused("thumbnail", "/sea.png", "--size", "256")[0] == 1
    typist.write("a.txt")
    typist.done("put", "a.txt")
    assert typist.refused("thumbnail", "/a.txt")[0] == 6


@pytest.fixture
def full(typist: Typist) -> Typist:
    """A drive with a few hundred files."""
    for number in range(200):
        typist.write(f"all/{number % 7}/{number}.bin", os.urandom(random.randrange(1, 60_000)))
    typist.done("put", "all")
    return typist


def test_a_second_backup_fetches_nothing(full: Typist) -> None:
    first = full.record(TransferRecord, "backup", "copy")
    assert (first.done, first.skipped) == (200, 0)
    assert contents(full.desk / "copy" / "all") == contents(full.desk / "all")
    second = full.record(TransferRecord, "backup", "copy")
    assert (second.done, second.skipped, second.bytes) == (0, 200, 0)
    some = full.record(TransferRecord, "backup", "some", "--from", "/all/3")
    assert some.done == len(list((full.desk / "all" / "3").iterdir()))


def test_a_backup_takes_the_names_that_were_asked_for(typist: Typist) -> None:
    for name in ("a.jpg", "b.jpg", "c.txt", "d.tmp"):
        typist.write(f"all/{name}", name)
    typist.done("put", "all")
    typist.done("backup", "copy", "--include", "*.jpg", "--include", "*.t*", "--exclude", "*.tmp", "--exclude", "b*")
    assert set(contents(typist.desk / "copy")) == {"all/a.jpg", "all/c.txt"}


def test_a_backup_is_chosen_by_path_too(typist: Typist) -> None:
    for name in ("Photos/a.jpg", "Photos/raw/b.jpg", "Documents/cache/c.txt", "d.txt"):
        typist.write(f"all/{name}", name)
    typist.done("put", "all/Photos", "all/Documents", "all/d.txt", "/")
    typist.done("backup", "copy", "--include", "Photos/", "--include", "/*.txt", "--exclude", "raw/")
    assert set(contents(typist.desk / "copy")) == {"Photos/a.jpg", "d.txt"}
    assert not (typist.desk / "copy" / "Documents").exists()
    assert typist.refused("backup", "copy", "--exclude", "[z-a]")[0] == 2


def test_a_dry_run_of_a_backup_says_what_it_would_fetch(typist: Typist) -> None:
    typist.write("all/a.txt", "one")
    typist.write("all/b.txt", "two2")
    typist.done("put", "all")
    shown = typist.run("backup", "copy", "--dry-run")
    assert sorted(shown.stdout.splitlines()) == ["download all/a.txt", "download all/b.txt"]
    assert "2 files (7 B)" in shown.stderr
    assert not (typist.desk / "copy").exists()
    typist.done("backup", "copy")
    (typist.desk / "copy" / "all" / "b.txt").unlink()
    would = typist.record(TransferRecord, "backup", "copy", "--dry-run")
    assert (would.done, would.skipped, would.bytes, would.dry_run) == (1, 1, 4, True)


@pytest.mark.whole
def test_transfers_keep_to_a_limit(typist: Typist) -> None:
    typist.write("all/a.bin", os.urandom(60_000))
    typist.write("all/b.bin", os.urandom(60_000))
    for command in (("put", "all"), ("get", "/all", "back"), ("backup", "copy"), ("mirror", "all", "/again")):
        began = time.monotonic()
        typist.done(*command, "--limit-rate", "200kB/s")
        assert time.monotonic() - began > 0.6
    assert contents(typist.desk / "back" / "all") == contents(typist.desk / "copy" / "all")
    assert typist.refused("get", "/all", "x", "--limit-rate", "0")[0] == 2
    assert typist.refused("get", "/all", "x", "--limit-rate", "fast")[0] == 2


def test_verify_finds_bytes_that_changed_without_a_trace(full: Typist) -> None:
    full.done("backup", "copy", "--verify")
    victim = full.desk / "copy" / "all" / "3" / "3.bin"
    found = victim.stat()
    damaged = bytearray(victim.read_bytes())
    damaged[0] ^= 1
    victim.write_bytes(damaged)
    os.utime(victim, ns=(found.st_atime_ns, found.st_mtime_ns))
    full.done("backup", "copy")
    code, said = full.refused("backup", "copy", "--verify")
    assert code == 1
    assert "skyshelf: all/3/3.bin: " in said
    victim.unlink()
    full.done("backup", "copy", "--verify")


def test_ctrl_c_says_how_to_go_on(full: Typist) -> None:
    # So slow that it is never over before the signal comes, however long this process has to wait for its turn.
    process = subprocess.Popen(
        [SKYSHELF, "backup", "copy", "--workers", "1", "--limit-rate", "50k"],
        env=full.environment,
        cwd=full.desk,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert first.startswith("downloaded ")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "skyshelf: interrupted. Run the same command again to resume."
    assert "Traceback" not in said
    full.done("backup", "copy")
    assert contents(full.desk / "copy" / "all") == contents(full.desk / "all")


def test_a_full_account_says_what_to_do(typist: Typist) -> None:
    typist.person = typist.person.server.person(quota=1000)
    typist.login()
    typist.write("large.bin", b"x" * 2000)
    code, said = typist.refused("put", "large.bin")
    assert code == 9
    assert "skyshelf du" in said
    assert typist.records(ObjectRecord, "ls") == []
