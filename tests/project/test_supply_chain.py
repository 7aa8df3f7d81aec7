"""What comes from outside: pinned by its hash, and nothing of it or of ours reaches out when it is only loaded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADING = """
import pkgutil, sys
def heard(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"}:
        raise SystemExit(f"{event} {arguments}")
sys.addaudithook(heard)
import skyshelf
def fail(name):
    raise
for found in pkgutil.walk_packages(skyshelf.__path__, "skyshelf.", fail):
    if not found.name.endswith("__main__"):
        __import__(found.name)
"""


@pytest.mark.parametrize("file", sorted(one.name for one in ROOT.glob("requirements*.txt")))
def test_every_python_package_has_one_version_and_its_hashes(file: str) -> None:
    lines = (ROOT / file).read_text().replace("\\\n", " ").splitlines()
    pinned = [line for line in lines if line.strip() and not line.strip().startswith(("#", "--"))]
    assert pinned
    assert [one for one in pinned if "==" not in one or "--hash=sha256:" not in one] == []


def test_every_package_of_the_web_client_has_a_hash_and_runs_nothing_when_it_is_installed() -> None:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    foreign = {name: one for name, one in packages.items() if name}
    assert [name for name, one in foreign.items() if not one.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, one in foreign.items() if one.get("hasInstallScript")] == []
    assert "ignore-scripts=true" in (ROOT / "web/.npmrc").read_text().splitlines()


def test_loading_the_modules_opens_no_connection_and_starts_no_program() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, timeout=120, check=False)
    assert (loaded.returncode, loaded.stderr) == (0, "")
