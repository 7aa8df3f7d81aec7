"""Folders on this machine: entered name by name, so that no link leads out of the one that was meant."""

from pathlib import Path

import pytest

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local_files import LocalFolder


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
