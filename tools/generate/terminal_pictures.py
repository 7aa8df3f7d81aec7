"""Draws `pictures/*.svg`: what a terminal shows while real commands run against a server with demo content.

`./dev docs --pictures` redraws them. Nothing in them is written by hand: commands run in a pseudo-terminal, and their
output, colours included, becomes a picture. Only what differs between machines is replaced: the address of the server,
the token of a link, and the names of the home folder and of the machine.
"""

import fcntl
import os
import platform
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
COLUMNS: Final = 92
ADDRESS: Final = "http://127.0.0.1:8600"
PASSWORD: Final = "look-around"  # noqa: S105 - the demo account's, which the server prints
_START_SECONDS: Final = 60
_SKYSHELF: Final = str(Path(sys.executable).parent / "skyshelf")
_NEW_LINE: Final = "\r\x1b[K"

# The library's format without its web fonts: a picture must not load anything from other hosts.
FORMAT: Final = """<svg class="terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "Fira Code", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
_DARK: Final = ((24, 27, 33), (224, 108, 117), (126, 190, 110), (209, 154, 80))
_BRIGHT: Final = ((97, 160, 239), (180, 120, 215), (86, 182, 194), (171, 178, 191))
THEME: Final = TerminalTheme((24, 27, 33), (214, 218, 226), [*_DARK, *_BRIGHT], [(92, 99, 112), *_DARK[1:], *_BRIGHT])


class Step(Struct, frozen=True):
    """A command line. With `moment`, the picture ends with the live progress line halfway through."""

    typed: str
    moment: bool = False


SCENES: Final[dict[str, tuple[str, tuple[Step, ...]]]] = {
    "look-around": (
        "Look around",
        (
            Step("skyshelf whoami"),
            Step("skyshelf tree --depth 2 --folders"),
            Step("skyshelf find lake"),
            Step("skyshelf du"),
            Step("skyshelf share '/Documents/Cabin/Guide to the lake.pdf'"),
        ),
    ),
    "backup": (
        "Back up everything",
        (
            Step("skyshelf put holiday /Photos"),
            Step("skyshelf backup ~/drive-backup --dry-run --include 'Photos/holiday/'"),
            Step("skyshelf backup ~/drive-backup --limit-rate 4M", moment=True),
        ),
    ),
    "careful": (
        "Careful with what you have",
        (
            Step("skyshelf rm '/Photos/holiday/*.jpg'"),
            Step("skyshelf trash"),
            Step("skyshelf restore sunset.jpg"),
            Step("rm holiday/diary.txt"),
            Step("skyshelf mirror holiday /Photos/holiday --delete --dry-run"),
            Step("skyshelf get /Photos/nowhere.jpg"),
        ),
    ),
    "apps": (
        "Other programs",
        (
            Step("rclone copy holiday drive:Photos/Norway"),
            Step("rclone check holiday drive:Photos/Norway"),
            Step("rclone hashsum md5 drive:Photos/Norway"),
            Step(f"nextcloudcmd --silent -n ~/Drive {ADDRESS}"),
            Step("ls ~/Drive ~/Drive/Photos/Norway"),
        ),
    ),
}


def draw(folder: Path = PICTURES) -> list[Path]:
    """Run all scenes, and write a picture of each."""
    folder.mkdir(exist_ok=True)
    drawn = []
    with tempfile.TemporaryDirectory(prefix="skyshelf-pictures-") as name, demo_server(Path(name)) as address:
        home = _prepared_home(Path(name), address)
        for scene, (title, steps) in SCENES.items():
            shown = "\n".join(_shown(step, home, address) for step in steps)
            path = folder / f"{scene}.svg"
            path.write_text(_picture(shown, title, scene), encoding="utf-8")
            drawn.append(path)
    return drawn


@contextmanager
def demo_server(folder: Path) -> Iterator[str]:
    """Start a server with demo content, and yield its address."""
    command = [_SKYSHELF, "serve", "--demo", "--port", "0", "--data", str(folder / "data")]
    log = folder / "server.log"
    with log.open("w+", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not (found := re.search(r"listening on +(\S+)[\s\S]*login", log.read_text(encoding="utf-8"))):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start: {log.read_text(encoding='utf-8')}")
            time.sleep(0.05)
        yield found[1]
    finally:
        process.terminate()
        process.wait()


def _prepared_home(folder: Path, address: str) -> Path:
    """Create a home folder with some pictures, and log in."""
    from random import Random

    home = folder / "home"
    (home / "holiday").mkdir(parents=True)
    chance = Random(1)  # noqa: S311 - the same bytes every time are the point
    for name in ("beach", "sunset", "Ålesund"):
        (home / "holiday" / f"{name}.jpg").write_bytes(chance.randbytes(4_000_000))
    (home / "holiday" / "diary.txt").write_text("It rained, and then it did not.\n", encoding="utf-8")
    login = [_SKYSHELF, "login", "--server", address, "demo@skyshelf.example", "--password-stdin"]
    subprocess.run(login, input=PASSWORD, text=True, env=_environment(home), check=True, capture_output=True)
    _connect_programs(home, address)
    return home


def _connect_programs(home: Path, address: str) -> None:
    """Create an app password, and store it where rclone and nextcloudcmd look for one."""

    def said(*command: str, stdin: str = "") -> str:
        ended = subprocess.run(command, input=stdin, text=True, env=_environment(home), check=True, capture_output=True)
        return ended.stdout.strip()

    user = "demo@skyshelf.example"
    password = said(_SKYSHELF, "account", "app-password", "add", "Laptop", "--password-stdin", stdin=PASSWORD)
    rclone = str(Path(_SKYSHELF).with_name("rclone"))
    secret = said(rclone, "obscure", password)
    options = [f"url={address}/dav/", "vendor=owncloud", f"user={user}", f"pass={secret}"]
    said(rclone, "config", "create", "drive", "webdav", *options)
    host = address.removeprefix("http://").partition(":")[0]
    (home / ".netrc").write_text(f"machine {host}\nlogin {user}\npassword {password}\n", encoding="utf-8")
    (home / ".netrc").chmod(0o600)
    (home / "Drive").mkdir()


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SKYSHELF_", "NO_COLOR", "XDG"))}
    path = f"{Path(_SKYSHELF).parent}{os.pathsep}{kept.get('PATH', '')}"
    return kept | {"HOME": str(home), "PATH": path, "TERM": "xterm-256color", "TZ": "UTC", "COLUMNS": str(COLUMNS)}


def _shown(step: Step, home: Path, address: str) -> str:
    """Return the prompt, the typed command and the output that a terminal shows."""
    output = _in_terminal(step.typed.replace(ADDRESS, address), home)
    device = f"  {platform.node()}  "
    for made, alike in ((address, ADDRESS), (str(home), "/home/you"), (device, "  laptop  ")):
        output = output.replace(made, alike)
    output = re.sub(r"(\?u=)[\w-]+", r"\1Xk3vT9…", output).replace("\r\n", "\n")
    frames = output.split(_NEW_LINE)
    if step.moment:
        moving = [frame for frame in frames if " left" in frame]
        output = moving[len(moving) // 2] if moving else frames[-1]
    else:
        # Each frame overwrites the previous line.
        output = "".join(frame if frame is frames[-1] else frame.rpartition("\n")[0] for frame in frames)
    printed = f"{output.rstrip()}\n" if output.strip() else ""
    return f"\x1b[1;32m$\x1b[0m \x1b[1m{step.typed}\x1b[0m\n{printed}"


def _in_terminal(typed: str, home: Path) -> str:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(home)
        shell = shutil.which("bash") or "/bin/sh"
        # The shell prints nothing itself: all output comes from the command.
        os.execve(shell, [shell, "-c", typed], _environment(home))  # noqa: S606 - a shell is what it starts
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    shown = b""
    try:
        while True:
            if not select.select([terminal], [], [], 120)[0]:
                raise RuntimeError(f"{typed} does not end")
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return shown.decode()


def _picture(shown: str, title: str, scene: str) -> str:
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True, legacy_windows=False)
        console.print(Text.from_ansi(shown), soft_wrap=False)
        drawn = console.export_svg(title=title, theme=THEME, code_format=FORMAT, unique_id=f"skyshelf-{scene}")
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def main(arguments: Sequence[str] = ()) -> int:
    """Draw the pictures and print their paths."""
    if arguments:
        sys.stderr.write(__doc__ or "")
        return 2
    for path in draw():
        sys.stdout.write(f"drawn: {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
