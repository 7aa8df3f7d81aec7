"""A store and a backup of every release so far work with this version: nothing is lost by an upgrade or a restore."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.releases.sample import FOLDER, look, make_sample, opened, run_admin

RELEASED = sorted(path.name.removesuffix(".json") for path in FOLDER.glob("*.json"))


@pytest.fixture(scope="module", params=["this version", *RELEASED])
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Unpack a sample: a folder with `data` and `backup`, and what an account saw in it."""
    version, source, folder = str(request.param), FOLDER, tmp_path_factory.mktemp("sample")
    if version not in RELEASED:
        make_sample("now", folder)
        version, source = "now", folder
    shutil.unpack_archive(source / f"{version}.zip", folder)
    return folder, json.loads((source / f"{version}.json").read_text("utf-8"))


def test_a_store_is_upgraded_and_keeps_everything(sample: tuple[Path, dict[str, Any]]) -> None:
    folder, seen = sample
    data = folder / "data"
    run_admin("upgrade", "--yes", "--data", str(data))
    run_admin("doctor", "--data", str(data))
    with opened(data) as client:
        assert look(client) == seen


def test_a_backup_is_verified_and_restored(sample: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, seen = sample
    run_admin("verify", str(folder / "backup"))
    run_admin("restore", str(folder / "backup"), "--data", str(tmp_path / "restored"))
    run_admin("upgrade", "--yes", "--data", str(tmp_path / "restored"))
    with opened(tmp_path / "restored") as client:
        assert look(client) == seen
