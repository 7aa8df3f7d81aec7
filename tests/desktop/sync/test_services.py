"""Services of the user's session: systemd, launchd and Windows can read their files, whatever a folder is called."""

import plistlib
import shlex
import subprocess
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from skyshelf.client.errors import LocalFileError
from skyshelf.desktop.sync.services import ServiceKind, service, usual_kind

ODD = ["/usr/bin/env", "sync", '/home/a b/100% "$HOME" \\n ${X} <&>\'', "/There %i", "--watch"]
TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.mark.program("systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    made = service("systemd", tmp_path / 'a b "c" 100%', ODD, tmp_path)
    made.write()
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(made.path)],
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert (checked.returncode, made.path.name in checked.stderr) == (0, False), checked.stderr
    assert made.path.parent == tmp_path / "config/systemd/user"


def test_words_of_the_unit_mean_what_they_say(tmp_path: Path) -> None:
    text = service("systemd", tmp_path, ODD, tmp_path).text
    (line,) = (line for line in text.splitlines() if line.startswith("ExecStart="))
    assert [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(line.partition("=")[2])] == ODD
    assert "%i" not in line.replace("%%", "")


def test_launchd_gets_a_property_list(tmp_path: Path) -> None:
    made = service("launchd", tmp_path, ODD, tmp_path)
    found = plistlib.loads(made.text.encode())
    assert found["ProgramArguments"] == ODD
    assert found["RunAtLoad"] is True
    assert made.path == tmp_path / "Library/LaunchAgents" / f"{found['Label']}.plist"


def test_windows_gets_a_task_that_begins_with_the_session(tmp_path: Path) -> None:
    made = service("task-scheduler", tmp_path, ODD, tmp_path)
    task = fromstring(made.text)
    assert task.findtext(f"{TASK}Actions/{TASK}Exec/{TASK}Command") == ODD[0]
    assert task.findtext(f"{TASK}Actions/{TASK}Exec/{TASK}Arguments") == subprocess.list2cmdline(ODD[1:])
    assert task.find(f"{TASK}Triggers/{TASK}LogonTrigger") is not None


@pytest.mark.parametrize("kind", ["systemd", "launchd", "task-scheduler"])
def test_a_service_is_written_and_deleted_and_no_name_adds_a_line(tmp_path: Path, kind: ServiceKind) -> None:
    made = service(kind, tmp_path / "My Documents", ["skyshelf"], tmp_path)
    assert made.name.startswith("skyshelf-sync-my-documents-")
    made.write()
    assert made.path.read_text() == made.text
    assert made.remove()
    assert not made.remove()
    for bad in ("a\nExecStart=/bin/sh", "a\udc80"):
        with pytest.raises(LocalFileError, match="rename the folder"):
            service(kind, tmp_path / bad, ["skyshelf"], tmp_path)


def test_two_folders_of_one_name_have_two_services(tmp_path: Path) -> None:
    assert (
        service("systemd", tmp_path / "a/x", [], tmp_path).name
        != service("systemd", tmp_path / "b/x", [], tmp_path).name
    )


def test_each_system_has_its_own_kind() -> None:
    assert [usual_kind(one) for one in ("linux", "darwin", "win32")] == ["systemd", "launchd", "task-scheduler"]
