"""`./dev release` turns a clean checkout into a version, a changelog entry, a wheel, an sdist and a tag."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.real_parts.programs import program
from tools.release_files import PYTHONS

ROOT = Path(__file__).parents[2]
NEEDED = ("tests/releases/", "tests/storage/schemas/", "docs/openapi.json")
BUILT = "src/skyshelf/server/pages/web_client/built"


def _git(folder: Path, *command: str) -> str:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    return subprocess.run(
        [program("git"), *identity, *command], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with the files of this one as they are now, without fragments, and the built web client."""
    folder = tmp_path / "checkout"
    for name in _git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        is_fragment = name.startswith("changes/") and name.count(".") > 1 and name.endswith(".md")
        is_needed = name.startswith(NEEDED) or not (is_fragment or name.startswith(("tests/", "docs/", "web/")))
        if not is_needed or not (ROOT / name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / BUILT, folder / BUILT)
    _git(folder, "init", "--quiet")
    _git(folder, "config", "user.name", "Somebody")
    _git(folder, "config", "user.email", "somebody@example.org")
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", "everything")
    return folder


def _release(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.release", *arguments], cwd=folder, check=False, capture_output=True, text=True
    )


def _commit(checkout: Path, name: str, text: str) -> None:
    (checkout / name).write_text(text)
    _git(checkout, "add", "--all")
    _git(checkout, "commit", "--quiet", "--message", name)


@pytest.mark.whole
def test_a_release_writes_version_and_changelog_builds_and_tags(checkout: Path) -> None:
    _commit(checkout, "changes/something.added.md", "Something that nobody had before.\n")
    program("dpkg-deb")
    done = _release(checkout, "7.8.9", "--architecture", "amd64")
    assert done.returncode == 0, done.stderr
    chart = (checkout / "packaging/helm/skyshelf/Chart.yaml").read_text()
    assert ('\nversion: "7.8.9"\n' in chart, '\nappVersion: "7.8.9"\n' in chart) == (True, True)
    assert 'VERSION: Final = "7.8.9"' in (checkout / "src/skyshelf/wire/version.py").read_text()
    assert '"version": "7.8.9"' in (checkout / "docs/openapi.json").read_text()
    changelog = (checkout / "CHANGELOG.md").read_text()
    assert changelog.index("## 7.8.9 (20") < changelog.index("- Something that nobody had before.")
    assert {"7.8.9.json", "7.8.9.zip"} <= {path.name for path in (checkout / "tests" / "releases").iterdir()}
    assert [path.name for path in (checkout / "changes").glob("*.md")] == ["README.md"]
    with zipfile.ZipFile(checkout / "dist" / "skyshelf-7.8.9-py3-none-any.whl") as wheel:
        assert "skyshelf/server/pages/web_client/built/index.html" in wheel.namelist()
    with tarfile.open(checkout / "dist" / "skyshelf-7.8.9.tar.gz") as source:
        assert "skyshelf-7.8.9/pyproject.toml" in source.getnames()
    _check_other_files(checkout / "dist")
    assert _git(checkout, "tag", "--list").split() == ["v7.8.9"]
    assert _git(checkout, "status", "--porcelain") == ""
    again = _release(checkout, "7.8.9")
    assert again.returncode == 1
    assert "not newer than the last release" in again.stderr


def _check_other_files(dist: Path) -> None:
    with tarfile.open(dist / "skyshelf-7.8.9-container.tar.gz") as context:
        folder = "skyshelf-7.8.9-container"
        names = {name.removeprefix(f"{folder}/") for name in context.getnames()}
        requirements = context.extractfile(f"{folder}/requirements.txt")
        assert requirements is not None
        locked = requirements.read().decode()
    wheel = "skyshelf-7.8.9-py3-none-any.whl"
    assert names == {"Containerfile", "compose.yaml", "Caddyfile", "requirements.txt", wheel}
    packages = set(re.findall(r"^([\w.-]+)==", locked, re.MULTILINE))
    assert {"starlette", "psycopg", "psycopg-binary", "uvloop", "click"} <= packages
    assert not {"pytest", "mypy", "ruff", "skyshelf"} & packages
    assert locked.count("--hash=sha256:") > len(packages)
    with tarfile.open(dist / "skyshelf-7.8.9-helm-chart.tgz") as chart:
        assert {"skyshelf/Chart.yaml", "skyshelf/values.schema.json", "skyshelf/templates/server.yaml"} <= set(
            chart.getnames()
        )
    _check_debian_package(dist / "skyshelf_7.8.9_amd64.deb")
    with tarfile.open(dist / "skyshelf-7.8.9-packaging.tar.gz") as packaging:
        names = {name.removeprefix("skyshelf-7.8.9-packaging/") for name in packaging.getnames()}
    assert {"systemd/skyshelf.service", "systemd/sysusers.conf", "proxies/haproxy.cfg", "ansible/skyshelf.yml"} <= names
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, check=True, capture_output=True
    )
    assert checked.stdout.count(b": OK") == len(list(dist.iterdir())) - 1


def _check_debian_package(package: Path) -> None:
    """It has the same packages for every version of Python, and most of their files once."""
    listed = subprocess.run(["dpkg-deb", "--contents", str(package)], check=True, capture_output=True, text=True).stdout
    names = [line.split()[5] for line in listed.splitlines()]
    packages = [
        {
            name.split("/")[7]
            for name in names
            if name.startswith(f"./usr/lib/skyshelf/lib/python{python}/site-packages/")
        }
        for python in PYTHONS
    ]
    assert {"skyshelf", "starlette", "psycopg", "uvloop", "av", "PIL"} <= set.intersection(*packages)
    assert listed.count(" link to ") > len(names) / 2
    assert [name for name in names if "direct_url" in name or name.endswith(".pyc")] == []


@pytest.mark.whole
def test_notes_are_written_from_the_fragments_and_can_be_edited(checkout: Path) -> None:
    _commit(checkout, "changes/something.added.md", "Something that nobody had before.\n")
    drafted = _release(checkout, "7.8.9", "--dry-run")
    assert "## 7.8.9 (unreleased)" in drafted.stdout
    assert "- Something that nobody had before." in drafted.stdout
    assert _git(checkout, "status", "--porcelain") == ""
    assert _release(checkout, "7.8.9", "--notes").returncode == 0
    changelog = checkout / "CHANGELOG.md"
    assert "## 7.8.9 (unreleased)" in changelog.read_text()
    assert not (checkout / "changes" / "something.added.md").exists()
    _commit(checkout, "CHANGELOG.md", changelog.read_text().replace("Something that", "A thing that"))
    shown = _release(checkout, "7.8.9", "--dry-run")
    assert "- A thing that nobody had before." in shown.stdout
    assert "0.1.0" not in shown.stdout
    again = _release(checkout, "7.8.9", "--notes")
    assert again.returncode == 1
    assert "edit them there" in again.stderr


def test_fragments_beside_notes_stop_a_release(checkout: Path) -> None:
    text = (checkout / "CHANGELOG.md").read_text()
    _commit(
        checkout, "CHANGELOG.md", text.replace("release notes start -->\n", "release notes start -->\n## 7.8.9 (x)\n")
    )
    _commit(checkout, "changes/late.fixed.md", "Late.\n")
    done = _release(checkout, "7.8.9")
    assert done.returncode == 1
    assert "move the fragments in changes/ into them" in done.stderr


def test_without_notes_and_fragments_there_is_nothing_to_release(checkout: Path) -> None:
    done = _release(checkout, "7.8.9")
    assert done.returncode == 1
    assert "there is nothing to release" in done.stderr


@pytest.mark.whole
def test_without_the_web_client_nothing_is_released_and_nothing_changes(checkout: Path) -> None:
    _commit(checkout, "changes/something.added.md", "Something.\n")
    shutil.rmtree(checkout / BUILT)
    before = _git(checkout, "rev-parse", "HEAD")
    done = _release(checkout, "7.8.9")
    assert done.returncode == 1
    assert "./dev setup builds the web client" in done.stderr
    assert _git(checkout, "rev-parse", "HEAD") == before
    assert _git(checkout, "status", "--porcelain") == ""
    assert _git(checkout, "tag", "--list") == ""


@pytest.mark.parametrize("version", ["1", "v1.2.3", "1.2.3rc1", ""])
def test_a_version_that_is_none_is_refused(checkout: Path, version: str) -> None:
    done = _release(checkout, version)
    assert done.returncode == 1
    assert "write it like 0.1.0" in done.stderr


def test_a_schema_that_is_not_frozen_stops_a_release(checkout: Path) -> None:
    _commit(checkout, "changes/something.added.md", "Something.\n")
    newest = max((checkout / "tests/storage/schemas").glob("*.sql"), key=lambda path: int(path.stem))
    _commit(checkout, str(newest.relative_to(checkout)), "another schema")
    done = _release(checkout, "7.8.9")
    assert done.returncode == 1
    assert "the frozen schema is not the current one" in done.stderr


def test_uncommitted_changes_stop_a_release(checkout: Path) -> None:
    _commit(checkout, "changes/something.added.md", "Something.\n")
    (checkout / "README.md").write_text("changed")
    done = _release(checkout, "7.8.9")
    assert done.returncode == 1
    assert "uncommitted changes" in done.stderr
