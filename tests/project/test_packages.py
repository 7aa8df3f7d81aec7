"""Wheel and sdist: what must be in them, and that nothing is made without it."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "tools/build_hook.py", "src/skyshelf/wire/version.py")
BUILT = "src/skyshelf/server/pages/web_client/built/index.html"


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
    with tarfile.open(made) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    wheel = build(unpacked, "-t", "wheel")
    assert wheel.returncode == 0, wheel.stderr
    assert list(unpacked.glob("dist/*.whl"))
