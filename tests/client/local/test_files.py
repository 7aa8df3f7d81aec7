"""Local folders: entered name by name, so no link leads out of the intended one."""

import errno
import os
from pathlib import Path

import pytest

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import LocalFolder, drop_from_cache, sync_file


def test_a_folder_within_another_is_made_and_links_on_the_way_are_not_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    LocalFolder.open(root / "a" / "b", within=root).close()
    assert (root / "a" / "b").is_dir()
    (root / "link").symlink_to(outside)
    with pytest.raises(LocalFileError):
        LocalFolder.open(root / "link" / "new", within=root)
    # A link that the user names is the user's wish.
    (tmp_path / "linked root").symlink_to(root)
    LocalFolder.open(tmp_path / "linked root" / "c", within=tmp_path / "linked root").close()
    LocalFolder.open(root / "link" / "new").close()
    assert (root / "c").is_dir()
    assert (outside / "new").is_dir()


def test_a_folder_notices_that_its_path_leads_elsewhere(tmp_path: Path) -> None:
    folder = LocalFolder.open(tmp_path / "here")
    (tmp_path / "here" / "x").write_bytes(b"")
    assert folder.is_at_its_path("x")
    assert not folder.is_at_its_path("y")
    (tmp_path / "here").rename(tmp_path / "there")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "x").write_bytes(b"")
    assert not folder.is_at_its_path("x")
    folder.close()


def test_a_file_that_leaves_memory_is_the_same_file(tmp_path: Path) -> None:
    path, content = tmp_path / "a", os.urandom(100_000)
    path.write_bytes(content)
    with path.open("r+b") as file:
        sync_file(file.fileno())
        drop_from_cache(file.fileno(), 70_000)
    assert path.read_bytes() == content


def test_a_file_system_that_takes_no_advice_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refused(file: int, start: int, length: int, advice: int) -> None:
        asked.append((start, length))
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "posix_fadvise", refused, raising=False)
    monkeypatch.setattr(os, "POSIX_FADV_DONTNEED", 4, raising=False)
    with (tmp_path / "a").open("wb") as file:
        drop_from_cache(file.fileno(), 70_000)
    assert asked == [(0, 70_000)]
