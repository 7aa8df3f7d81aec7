"""Files that let the system start a watch whenever the user logs in: for systemd, launchd and Windows' Task Scheduler.

They are written and never run from here: `Service.commands` says what does that.
"""

import hashlib
import plistlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from msgspec import Struct

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import translate_os_errors, write_private
from skyshelf.client.settings import config_path

ServiceKind = Literal["systemd", "launchd", "task-scheduler"]

_TASKS: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"
_RETRY_SECONDS: Final = 60
_ASKED: Final = 7
"""The exit code of a sync that needs an answer: starting it again does not help."""

_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_UNIT: Final = """\
[Unit]
Description={description}
After=network-online.target

[Service]
ExecStart={command}
Restart=on-failure
RestartSec={retry}
RestartPreventExitStatus={asked}
Nice=10

[Install]
WantedBy=default.target
"""


class Service(Struct, frozen=True, kw_only=True):
    """A service of the user's session: its file, and the commands that start and stop it."""

    kind: ServiceKind
    name: str
    path: Path
    text: str
    start: list[list[str]]
    stop: list[list[str]]

    def write(self) -> None:
        """Write the file, instead of an earlier one of the same folder."""
        with translate_os_errors("cannot write", self.path):
            write_private(self.path, self.text.encode())

    def remove(self) -> bool:
        """Delete the file; return whether there was one."""
        with translate_os_errors("cannot delete", self.path):
            try:
                self.path.unlink()
            except FileNotFoundError:
                return False
        return True


def usual_kind(platform: str = sys.platform) -> ServiceKind:
    """Return what starts services on this system."""
    return "launchd" if platform == "darwin" else "task-scheduler" if platform == "win32" else "systemd"


def service(kind: ServiceKind, top: Path, command: Sequence[str], home: Path) -> Service:
    """Describe the service of a local folder. `home` is the folder of the user."""
    if any(_UNWRITABLE.search(word) for word in (*command, str(top))):
        raise LocalFileError(
            f"{top} or an option has a character in it that no service file can hold: rename the folder"
        )
    digest = hashlib.sha256(str(top).encode(errors="surrogateescape")).hexdigest()[:8]
    plain = re.sub(r"[^a-z0-9]+", "-", top.name.lower()).strip("-")[:32] or "folder"
    name = f"skyshelf-sync-{plain}-{digest}"
    description = f"Skyshelf: keep {top} in sync"
    if kind == "systemd":
        unit = f"{name}.service"
        return Service(
            kind=kind,
            name=name,
            path=config_path().parent.parent / "systemd/user" / unit,
            text=_UNIT.format(
                description=description.replace("%", "%%"),
                command=" ".join(map(_systemd_word, command)),
                retry=_RETRY_SECONDS,
                asked=_ASKED,
            ),
            start=[["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", "--now", unit]],
            stop=[["systemctl", "--user", "disable", "--now", unit]],
        )
    if kind == "launchd":
        path = home / "Library/LaunchAgents" / f"org.{name}.plist"
        return Service(
            kind=kind,
            name=name,
            path=path,
            text=_property_list(f"org.{name}", command),
            start=[["launchctl", "load", "-w", str(path)]],
            stop=[["launchctl", "unload", "-w", str(path)]],
        )
    path = home / "AppData/Local/skyshelf" / f"{name}.xml"
    return Service(
        kind=kind,
        name=name,
        path=path,
        text=_task(description, command),
        start=[["schtasks", "/Create", "/TN", name, "/XML", str(path), "/F"], ["schtasks", "/Run", "/TN", name]],
        stop=[["schtasks", "/End", "/TN", name], ["schtasks", "/Delete", "/TN", name, "/F"]],
    )


def _systemd_word(word: str) -> str:
    """Quote a word of ExecStart: `%` and `$` stand for something else there."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _property_list(label: str, command: Sequence[str]) -> str:
    return plistlib.dumps(
        {
            "Label": label,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            # A sync that needs an answer ends with an error, too: then it asks every ten minutes.
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 10 * _RETRY_SECONDS,
            "ProcessType": "Background",
        }
    ).decode()


def _task(description: str, command: Sequence[str]) -> str:
    task = Element("Task", {"version": "1.2", "xmlns": _TASKS})
    SubElement(SubElement(task, "RegistrationInfo"), "Description").text = description
    SubElement(SubElement(SubElement(task, "Triggers"), "LogonTrigger"), "Enabled").text = "true"
    settings = SubElement(task, "Settings")
    for name, value in (
        ("MultipleInstancesPolicy", "IgnoreNew"),
        ("DisallowStartIfOnBatteries", "false"),
        ("StopIfGoingOnBatteries", "false"),
    ):
        SubElement(settings, name).text = value
    restart = SubElement(settings, "RestartOnFailure")
    SubElement(restart, "Interval").text = "PT1M"
    SubElement(restart, "Count").text = "10"
    SubElement(settings, "ExecutionTimeLimit").text = "PT0S"
    run = SubElement(SubElement(task, "Actions"), "Exec")
    SubElement(run, "Command").text = command[0]
    SubElement(run, "Arguments").text = subprocess.list2cmdline(command[1:])
    indent(task)
    return '<?xml version="1.0"?>\n' + tostring(task, encoding="unicode") + "\n"
