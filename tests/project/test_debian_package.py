"""The Debian package: built twice alike, and installed, used, upgraded and removed on a clean Debian."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.real_parts.programs import program, root_alone
from tests.real_parts.proxies import free_port
from tools.debian_package import make_debian_package, own_architecture
from tools.release_files import PYTHONS, server_requirements

from skyshelf.wire.version import VERSION

ROOT = Path(__file__).parents[2]
DEBIAN = ROOT / "packaging" / "debian"
SCRIPTS = ("postinst", "prerm", "postrm")
UNITS = ("skyshelf.service", "skyshelf-backup.service", "skyshelf-backup.timer", "skyshelf.socket")
PATIENCE = 600
BASE = ("python3", "systemd", "procps")
"""What the package depends on, beside the base."""
IDENTITY = {"DEBFULLNAME": "Somebody", "DEBEMAIL": "somebody@example.org"}


def run(*command: str, given: str = "", code: int = 0) -> str:
    """What a command prints on both of its outputs."""
    said = subprocess.run(
        command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=PATIENCE
    )
    assert said.returncode == code, (command, said.stdout)
    return said.stdout


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_the_package_is_accepted_by_the_shell_and_touches_no_data(name: str) -> None:
    run("sh", "-n", str(DEBIAN / name))
    for line in (DEBIAN / name).read_text().splitlines():
        if re.search(r"\brm(dir)?\b|-delete|-exec", line):
            assert "/var" not in line, line


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_the_package_refuses_what_dpkg_never_says(name: str) -> None:
    assert "unknown argument 'nonsense'" in run("sh", str(DEBIAN / name), "nonsense", code=1)


@pytest.mark.parametrize("python", PYTHONS)
def test_what_the_server_needs_is_locked_for_every_version_of_python(python: str) -> None:
    """A package may be locked at one version for older versions of Python, and at another one for newer ones."""
    lines = re.findall(r"^\S+==.*?(?= \\$)", server_requirements(ROOT), re.MULTILINE)
    wanted = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    locked = [one for one in map(Requirement, lines) if one.marker is None or one.marker.evaluate(wanted)]
    names = [canonicalize_name(one.name) for one in locked]
    assert len(names) == len(set(names))
    assert {"av", "apsw", "obstore", "pillow", "psycopg-binary", "uvloop"} <= set(names)


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel of the working tree, and an identity for its package."""
    program("dpkg-deb")
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist"))
    (made,) = (tmp_path / "dist").glob("*.whl")
    return made


@pytest.mark.whole
def test_two_builds_of_one_release_are_equal(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    once = make_debian_package(ROOT, wheel, [python], own_architecture())
    first = once.read_bytes()
    again = make_debian_package(ROOT, wheel, [python], own_architecture())
    assert (again.name, again.read_bytes() == first) == (f"skyshelf_{VERSION}_{own_architecture()}.deb", True)
    fields = dict(line.split(": ", 1) for line in run("dpkg-deb", "--field", str(once)).splitlines() if ": " in line)
    assert fields["Maintainer"] == "Somebody <somebody@example.org>"
    assert f"python3 (>= {python}~), python3 (<< {python[:2]}{int(python[2:]) + 1}~)" in fields["Depends"]
    listed = run("dpkg-deb", "--contents", str(once))
    assert {line.split()[1] for line in listed.splitlines()} == {"root/root"}
    assert "2026-09-21" in listed, "the date of the release"
    assert str(ROOT) not in run("dpkg-deb", "--info", str(once))


class CleanRoot:
    """A Debian of the release of this machine with nothing but its base, Python and systemd, which does not run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        release = Path("/etc/os-release").read_text()
        suite = re.search(r"^VERSION_CODENAME=(\w+)", release, re.MULTILINE)
        assert suite is not None
        # It takes minutes, so the next run finds what this one has made.
        kept = Path("/var/tmp") / f"skyshelf-tests-{os.geteuid()}-{suite[1]}-{'-'.join(BASE)}.tar"
        if not kept.exists():
            run(program("debootstrap"), "--variant=minbase", f"--include={','.join(BASE)}", suite[1], str(folder))
            run("tar", "--create", "--file", f"{kept}.new", "--directory", str(folder), "--numeric-owner", ".")
            Path(f"{kept}.new").rename(kept)
        else:
            assert kept.stat().st_uid == os.geteuid()
            run("tar", "--extract", "--file", str(kept), "--directory", str(folder), "--numeric-owner")
        # The services of the machine must not be asked.
        assert not (folder / "run/systemd/system").exists()

    def path(self, name: str) -> Path:
        return self.folder / name.lstrip("/")

    def command(self, *words: str) -> list[str]:
        variables = ["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/root"]
        script = f'mount --bind /proc {self.folder}/proc && exec chroot {self.folder} env -i "$@"'
        mounting = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"]
        return [*mounting, *variables, "DEBIAN_FRONTEND=noninteractive", *words]

    def run(self, *words: str, code: int = 0) -> str:
        return run(*self.command(*words), code=code)

    def as_service(self, *words: str) -> str:
        return self.run("runuser", "-u", "skyshelf", "--", "skyshelf", *words)

    def install(self, package: Path) -> str:
        shutil.copy2(package, self.folder / "tmp")
        # As for apt: the files that somebody has changed stay as they are.
        return self.run("dpkg", "--force-confdef", "--force-confold", "--install", f"/tmp/{package.name}")

    def python(self) -> str:
        said = self.run("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
        return said.strip()


@pytest.fixture
def clean_root() -> Iterator[CleanRoot]:
    root_alone()
    folder = Path(tempfile.mkdtemp(prefix="skyshelf-root-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        yield CleanRoot(folder)
    finally:
        shutil.rmtree(folder)


def older(package: Path) -> Path:
    """The same package as an earlier version that shipped another configuration."""
    tree = package.parent / "older"
    run("dpkg-deb", "--raw-extract", str(package), str(tree))
    control = tree / "DEBIAN" / "control"
    control.write_text(control.read_text().replace(f"Version: {VERSION}", "Version: 0.0.1"))
    configuration = tree / "etc/skyshelf/server.toml"
    configuration.write_text(configuration.read_text() + "# of the earlier version\n")
    made = package.with_name("skyshelf_0.0.1.deb")
    run("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(made))
    return made


@pytest.mark.whole
def test_it_is_installed_used_upgraded_and_removed_on_a_clean_machine(wheel: Path, clean_root: CleanRoot) -> None:
    assert clean_root.python() in PYTHONS
    package = make_debian_package(ROOT, wheel, [clean_root.python()], own_architecture())
    said = clean_root.install(older(package))
    assert "systemctl enable --now skyshelf.service skyshelf-backup.timer" in said
    check_what_was_installed(clean_root)
    configuration = clean_root.path("/etc/skyshelf/server.toml")
    configuration.write_text(configuration.read_text() + f"port = {free_port()}\n# mine\n")
    assert clean_root.as_service("admin", "init").splitlines()[-1] == "The stores are ready."
    check_that_it_serves(clean_root)
    clean_root.as_service("admin", "backup", "/var/backups/skyshelf")
    said = clean_root.install(package)
    assert "not started" not in said
    assert configuration.read_text().endswith("# mine\n")
    assert clean_root.run("dpkg-query", "--show", "--showformat", "${Version}", "skyshelf") == VERSION
    changed = clean_root.run("dpkg", "--verify", "skyshelf").splitlines()
    assert [line.split()[-1] for line in changed] == ["/etc/skyshelf/server.toml"]
    check_that_it_serves(clean_root)
    for script, *words in (("postinst", "configure", VERSION), ("postinst", "triggered"), ("prerm", "upgrade")):
        clean_root.run(f"/var/lib/dpkg/info/skyshelf.{script}", *words)
    check_restart(clean_root, package)
    check_removal(clean_root)
    clean_root.install(package)
    assert "All checks passed" in clean_root.as_service("admin", "doctor")


def check_what_was_installed(clean_root: CleanRoot) -> None:
    assert clean_root.run("skyshelf", "version") == f"skyshelf {VERSION}\n"
    wanted = {
        "/etc/skyshelf": "750 root skyshelf",
        "/etc/skyshelf/server.toml": "640 root skyshelf",
        "/var/lib/skyshelf": "700 skyshelf skyshelf",
        "/var/backups/skyshelf": "700 skyshelf skyshelf",
    }
    for place, rights in wanted.items():
        assert clean_root.run("stat", "--format", "%a %U %G", place).strip() == rights, place
    for unit in UNITS:
        said = clean_root.run("sh", "-c", f"systemd-analyze verify /usr/lib/systemd/system/{unit} 2>&1 || true")
        assert [line for line in said.splitlines() if "skyshelf" in line] == []
    units = "".join(path.read_text() for path in clean_root.path("/usr/lib/systemd/system").glob("skyshelf*"))
    assert "/opt/" not in units
    assert units.count("=/usr/bin/skyshelf ") == 4
    packages = clean_root.path(f"/usr/lib/skyshelf/lib/python{clean_root.python()}/site-packages/skyshelf")
    assert list((packages / "__pycache__").glob("*.pyc")), "what it imports is compiled"
    # A module of the system's Python is not one of ours, and what somebody puts into the environment is not either.
    assert clean_root.run("env", "PYTHONPATH=/nowhere", "skyshelf", "version")


def check_that_it_serves(clean_root: CleanRoot) -> None:
    command = clean_root.command("runuser", "-u", "skyshelf", "--", "skyshelf", "serve")
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            until = time.monotonic() + PATIENCE
            asking = clean_root.command("skyshelf", "admin", "health", "--json")
            while (said := subprocess.run(asking, capture_output=True, text=True, check=False)).returncode != 0:
                assert server.poll() is None, server.communicate()[0].decode()
                assert time.monotonic() < until, said.stderr
                time.sleep(0.1)
            assert json.loads(said.stdout)["metadata"] == "ready"
        finally:
            # runuser passes the signal on.
            server.terminate()
            server.communicate(timeout=PATIENCE)


def check_restart(clean_root: CleanRoot, package: Path) -> None:
    """What runs before an upgrade runs again after it. A script that records stands for systemd."""
    clean_root.path("/run/systemd/system").mkdir(parents=True)
    systemctl = clean_root.path("/usr/local/bin/systemctl")
    systemctl.write_text('#!/bin/sh\necho "$@" >> /tmp/asked\n[ "$1" != is-active ] || [ "$3" = skyshelf.service ]\n')
    systemctl.chmod(0o755)
    clean_root.install(package)
    asked = clean_root.path("/tmp/asked").read_text().splitlines()
    stop = asked.index("stop skyshelf-backup.timer skyshelf-backup.service skyshelf.socket skyshelf.service")
    assert stop < asked.index("daemon-reload") < asked.index("start skyshelf.service")
    assert not clean_root.path("/run/skyshelf.running").exists()
    systemctl.unlink()
    clean_root.path("/run/systemd/system").rmdir()


def check_removal(clean_root: CleanRoot) -> None:
    clean_root.path("/etc/skyshelf/environment").write_text("AWS_SECRET_ACCESS_KEY=secret\n")
    clean_root.run("dpkg", "--remove", "skyshelf")
    assert not clean_root.path("/usr/lib/skyshelf").exists()
    assert clean_root.path("/etc/skyshelf/server.toml").exists()
    said = clean_root.run("dpkg", "--purge", "skyshelf")
    assert "/var/lib/skyshelf is kept" in said
    assert "/var/backups/skyshelf is kept" in said
    assert not clean_root.path("/etc/skyshelf").exists()
    assert clean_root.path("/var/lib/skyshelf/metadata.db").exists()
    assert list(clean_root.path("/var/backups/skyshelf").iterdir())
