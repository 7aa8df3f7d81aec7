"""Notifications on the user's desktop: conflicts, questions and failures of a sync.

Names of files come from other people, so they are arguments of a program or in its environment, never part of a script
or of a command line that a shell reads.
"""

import html
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import Final

from skyshelf.client.errors import NetworkError, SkyshelfError
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.pausing import PausedError
from skyshelf.desktop.sync.rounds import SyncResult
from skyshelf.wire.text import escaped_code_point, is_unprintable, replace_invisible

TITLE: Final = "Skyshelf"
_SECONDS: Final = 10
_SHOWN: Final = 3
_LENGTH_MAX: Final = 300
_APPLESCRIPT: Final = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)
_POWERSHELL: Final = """
$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$toast = $manager::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $toast.GetElementsByTagName('text')
$texts.Item(0).AppendChild($toast.CreateTextNode($env:SKYSHELF_TITLE)) | Out-Null
$texts.Item(1).AppendChild($toast.CreateTextNode($env:SKYSHELF_TEXT)) | Out-Null
$manager::CreateToastNotifier('Skyshelf').Show([Windows.UI.Notifications.ToastNotification]::new($toast))
"""


def command_for(text: str) -> tuple[list[str], dict[str, str]] | None:
    """Return the program that shows a text here, with its arguments and variables; None where there is none."""
    if found := shutil.which("notify-send"):
        # It may understand some markup.
        return [found, f"--app-name={TITLE}", "--", TITLE, html.escape(text)], {}
    if found := shutil.which("osascript"):
        return [found, *(word for line in _APPLESCRIPT for word in ("-e", line)), TITLE, text], {}
    if found := shutil.which("powershell"):
        variables = {"SKYSHELF_TITLE": TITLE, "SKYSHELF_TEXT": text}
        return [found, "-NoProfile", "-NonInteractive", "-Command", _POWERSHELL], variables
    return None


def show(text: str) -> bool:
    """Show a text; return whether that was possible. A desktop that does not answer stops nothing."""
    text = replace_invisible(text, escaped_code_point, is_unprintable)[:_LENGTH_MAX]
    command = command_for(text)
    if command is None:
        return False
    words, variables = command
    try:
        subprocess.run(  # noqa: S603 - the program is known, and no shell reads the arguments
            words,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


class Notifications:
    """Shows what each run of a sync needs somebody for: conflicts, and failures that the run before did not have."""

    def __init__(self, folder: str, show: Callable[[str], object] = show) -> None:
        self._folder = folder
        self._show = show
        self._conflicts: list[str] = []
        self._failed: set[str] = set()
        self._stopped = ""

    def note(self, event: SyncEvent) -> None:
        if event.kind == "conflict":
            self._conflicts.append(event.path)

    def run(self, sync: Callable[[], SyncResult]) -> SyncResult:
        """Run a sync, and show what it needs somebody for."""
        self._conflicts = []
        try:
            result = sync()
        except (NetworkError, PausedError):
            raise
        except SkyshelfError as error:
            if str(error) != self._stopped:
                self._show(f"{self._folder} is not synced: {error}")
            self._stopped = str(error)
            raise
        self._stopped = ""
        failed = {path for path, _ in result.failures}
        new = sorted(failed - self._failed)
        self._failed = failed
        for sentence, paths in (("kept twice, because both sides changed it", self._conflicts), ("not synced", new)):
            if paths:
                self._show(f"{self._folder}: {sentence}: {_listed(paths)}")
        return result


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _SHOWN:,} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more
