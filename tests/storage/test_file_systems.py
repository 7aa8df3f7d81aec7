"""A database is refused on a file system of the network, and file contents there are warned of."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner, Result
from tests.desktop.mount.test_fuse import can_open_fuse
from tests.real_parts.commands import SKYSHELF

from skyshelf.cli.main import main
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.file_systems import mount_point, network_file_system, network_name
from skyshelf.storage.metadata.transfer.stores import refuse_filled
from skyshelf.storage.open import embedded_urls, open_metadata
from skyshelf.storage.upgrade import upgrade_metadata

Test = TypeVar("Test", bound=Callable[..., None])
RCLONE = Path(SKYSHELF).with_name("rclone")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments])


def test_a_disk_of_this_machine_is_no_file_system_of_the_network(tmp_path: Path) -> None:
    assert network_file_system(tmp_path / "not" / "there" / "yet") is None
    assert mount_point(tmp_path / "not" / "there" / "yet") == mount_point(tmp_path)
    assert mount_point(Path("/proc/self/stat")) == Path("/proc")


def test_the_numbers_of_the_kernel_have_names() -> None:
    assert [network_name(magic) for magic in (0x6969, 0xFE534D42, 0xEF53, 0x01021994)] == ["NFS", "SMB", None, None]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of the network, mounted by rclone."""
    place, source = tmp_path / "mounted", tmp_path / "source"
    place.mkdir()
    source.mkdir()
    options = ("--vfs-cache-mode", "writes", "--cache-dir", str(tmp_path / "cache"))
    command = [str(RCLONE), "mount", str(source), str(place), *options]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as mounting:
        ends = time.monotonic() + 60
        while not place.is_mount():
            assert mounting.poll() is None
            assert time.monotonic() < ends
            time.sleep(0.05)
        try:
            yield place
        finally:
            mounting.terminate()


def needs_fuse(test: Test) -> Test:
    """Skip a test where nobody can mount."""
    reason = "this machine lets nobody mount: there is no /dev/fuse for this user"
    for mark in (pytest.mark.skipif(not can_open_fuse(), reason=reason), pytest.mark.program("fusermount3")):
        mark(test)
    pytest.mark.whole(test)
    return test


@needs_fuse
def test_no_database_is_made_there_by_any_way(mounted: Path) -> None:
    data = mounted / "data"
    url = embedded_urls(data)[0]
    for make in (open_metadata, upgrade_metadata, refuse_filled):
        with pytest.raises(StoreUnavailable, match=r"would be on rclone, where SQLite loses data: name a folder"):
            make(url)
    for command in (("admin", "init"), ("serve", "--port", "0")):
        refused = run(*command, "--data", str(data))
        assert refused.exit_code == 1
        assert "where SQLite loses data" in refused.stderr
    assert list(mounted.iterdir()) == []


@needs_fuse
def test_a_store_that_is_there_already_can_be_moved_off(mounted: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    assert run("admin", "init", "--data", str(made)).exit_code == 0
    subprocess.run(["cp", "-r", made, mounted / "data"], check=True)
    assert run("admin", "user", "ls", "--data", str(mounted / "data")).exit_code == 0
    moved = run("admin", "move", "--data", str(mounted / "data"), "--to-data", str(tmp_path / "local"))
    assert moved.exit_code == 0, moved.output
    with closing(open_metadata(embedded_urls(tmp_path / "local")[0])) as store:
        store.check()


@needs_fuse
def test_file_contents_there_are_warned_of(mounted: Path, tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text(f'data = "{tmp_path / "data"}"\nblobs = "{(mounted / "blobs").as_uri()}"\n')
    checked = run("admin", "settings", "check", "--config", str(config))
    assert checked.exit_code == 0, checked.output
    assert f"the file contents at {mounted}/blobs are on rclone: uploads are only as safe as" in checked.stderr
    config.write_text(f'data = "{mounted / "data"}"\n')
    refused = run("admin", "settings", "check", "--config", str(config))
    assert refused.exit_code == 1
    assert "where SQLite loses data" in refused.stderr
