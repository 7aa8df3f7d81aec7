"""Wheel and sdist: what must be in them, and that nothing is made without it."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
NEEDED = (
    *("pyproject.toml", "README.md", "LICENSE", ".gitignore", "src/skyshelf/wire/version.py"),
    *("tools/build_hook.py", "tools/generate/sync_client.py", "src/skyshelf/client/async_client.py"),
    *(str(path.relative_to(ROOT)) for path in (ROOT / "src/skyshelf/client/api").glob("*.py")),
)
BUILT = "src/skyshelf/server/pages/web_client/built/index.html"
SYNC_CLIENT = "skyshelf/client/sync_client.py"


def build(checkout: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(checkout / "dist"), *targets]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in NEEDED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_nothing_is_built_without_the_web_client(checkout: Path, target: str) -> None:
    made = build(checkout, "-t", target)
    assert made.returncode != 0
    assert "./dev setup builds the web client" in made.stdout + made.stderr
    assert not list(checkout.glob("dist/*.whl")) + list(checkout.glob("dist/*.tar.gz"))


def test_an_sdist_has_what_builds_a_wheel_of_it(checkout: Path, tmp_path: Path) -> None:
    (checkout / BUILT).parent.mkdir(parents=True)
    (checkout / BUILT).write_text("<!doctype html>")
    assert build(checkout, "-t", "sdist").returncode == 0
    (made,) = checkout.glob("dist/*.tar.gz")
    assert (checkout / "src" / SYNC_CLIENT).is_file(), "built for the packages, although git ignores it"
    with tarfile.open(made) as archive:
        # Python 3.11.2 of Debian 12 knows no filters, and takes no argument for one.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    wheel = build(unpacked, "-t", "wheel")
    assert wheel.returncode == 0, wheel.stderr
    (packed,) = unpacked.glob("dist/*.whl")
    with zipfile.ZipFile(packed) as contents:
        assert contents.read(SYNC_CLIENT) == (unpacked / "src" / SYNC_CLIENT).read_bytes()
        assert b"class Client:" in contents.read(SYNC_CLIENT)


def test_a_wheel_of_a_clean_checkout_has_the_synchronous_client(checkout: Path) -> None:
    (checkout / BUILT).parent.mkdir(parents=True)
    (checkout / BUILT).write_text("<!doctype html>")
    assert not (checkout / "src" / SYNC_CLIENT).exists()
    made = build(checkout, "-t", "wheel")
    assert made.returncode == 0, made.stderr
    (packed,) = checkout.glob("dist/*.whl")
    with zipfile.ZipFile(packed) as contents:
        assert SYNC_CLIENT in contents.namelist()
