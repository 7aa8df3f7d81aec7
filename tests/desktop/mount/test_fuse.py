"""A real mount, by the installed command and the system's own programs."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.client.serving import ClientServer, Person, begin_epoch
from tests.real_parts.commands import SKYSHELF

from skyshelf.client.errors import ConfigurationError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.mount import fuse


def can_open_fuse() -> bool:
    """Whether the kernel has FUSE, and lets this user mount: no package brings either."""
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError:
        return False
    return True


def environment(person: Person, home: Path) -> dict[str, str]:
    session = {f"SKYSHELF_{name.upper()}": str(value) for name, value in person.settings.items()}
    return dict(os.environ) | session | {"XDG_CACHE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}


@pytest.mark.program("fusermount3")
@pytest.mark.skipif(not can_open_fuse(), reason="this machine lets nobody mount: there is no /dev/fuse for this user")
def test_programs_use_the_mounted_drive(client: Client, person: Person, tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    mounted = subprocess.Popen(
        [SKYSHELF, "mount", str(folder)], env=environment(person, tmp_path), stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 60
        while not folder.is_mount():
            assert mounted.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        content = os.urandom(3_000_000)
        (tmp_path / "large.bin").write_bytes(content)
        (folder / "deep").mkdir()
        subprocess.run(["cp", "-p", tmp_path / "large.bin", folder / "deep"], check=True)
        assert client.read("/deep/large.bin") == content
        assert (folder / "deep/large.bin").read_bytes() == content
        (folder / "notes.txt").write_text("one\n")
        with (folder / "notes.txt").open("a") as notes:
            notes.write("two\n")
        subprocess.run(["sed", "-i", "s/one/ONE/", folder / "notes.txt"], check=True)
        assert client.read("/notes.txt") == b"ONE\ntwo\n"
        shutil.move(folder / "notes.txt", folder / "deep" / "moved.txt")
        assert sorted(path.name for path in (folder / "deep").iterdir()) == ["large.bin", "moved.txt"]
        shutil.rmtree(folder / "deep")
        assert list(client.list_folder()) == []
        assert shutil.disk_usage(folder).total > 0
    finally:
        mounted.send_signal(signal.SIGINT)
        _, said = mounted.communicate(timeout=60)
    assert mounted.returncode == 0, said
    assert "Unmounted" in said
    assert not folder.is_mount()


@pytest.mark.program("fusermount3")
@pytest.mark.skipif(not can_open_fuse(), reason="this machine lets nobody mount: there is no /dev/fuse for this user")
@pytest.mark.whole
def test_a_server_in_another_epoch_is_mentioned_once(
    desktop_host: ClientServer, person: Person, tmp_path: Path
) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()

    def mount_and_unmount() -> str:
        mounted = subprocess.Popen(
            [SKYSHELF, "mount", str(folder)], env=environment(person, tmp_path), stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 60
        while not folder.is_mount():
            assert mounted.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        mounted.send_signal(signal.SIGINT)
        return mounted.communicate(timeout=60)[1]

    words = "The server has other data than before. The drive shows what the server has now"
    assert words not in mount_and_unmount()
    desktop_host.ctx.metadata.write(begin_epoch)
    assert words in mount_and_unmount()
    assert words not in mount_and_unmount()


def test_a_system_without_fuse_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def without(error: Exception) -> None:
        def importing(name: str, *arguments: object, **options: object) -> object:
            if name == "mfusepy":
                raise error
            return real(name, *arguments, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(builtins, "__import__", importing)

    without(ImportError())
    with pytest.raises(ConfigurationError, match=r"pip install skyshelf\[mount\]"):
        fuse.fuse_library()
    without(OSError("Unable to find libfuse"))
    with pytest.raises(ConfigurationError, match="apt install fuse3"):
        fuse.fuse_library()
