"""What a shell offers while somebody types: commands, options, and paths of the server. Asked for by real shells."""

import os
import pty
import re
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.serving import run
from tests.cli.typing_commands import SKYSHELF, Typist
from tests.real_parts.programs import program
from tests.real_parts.readable import is_readable

from skyshelf.cli.base.shell_completion import BashCompletion, read_line
from skyshelf.cli.main import COMMANDS
from skyshelf.testing.faults import FaultPlan
from skyshelf.testing.proxy import FaultProxy


@pytest.fixture
def drive(typist: Typist) -> Typist:
    """Names that a shell has to quote."""
    account = typist.drive
    photos = account.add_folder("My Photos")
    account.add_folders(["Music", "weird: $name"])
    account.add_files([("beach day.jpg", b"1"), ("beans.jpg", b"2"), ("it's.txt", b"3")], photos)
    account.add_files([("Minutes.txt", b"4"), ("evil\x1b[2J.txt", b"5")])
    typist.environment["XDG_CACHE_HOME"] = str(typist.home / "cache")
    typist.environment["SKYSHELF_COMPLETION_SECONDS"] = "60"
    typist.environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return typist


@cache
def script_for_bash() -> str:
    return run("completion", "bash").stdout


def offered(typist: Typist, line: str, **environment: str) -> list[str]:
    """What bash is offered for a line, by the script that `skyshelf completion bash` prints."""
    asking = "COMP_LINE=$TYPED; COMP_POINT=${#COMP_LINE}; _skyshelf_completion skyshelf"
    script = "\n".join((script_for_bash(), asking, 'printf "%s\\n" "${COMPREPLY[@]}"'))
    shown = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=typist.environment | {"TYPED": line} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shown.stderr == ""
    return [one for one in shown.stdout.splitlines() if one]


@pytest.mark.whole
def test_commands_options_and_paths_are_offered(drive: Typist) -> None:
    assert offered(drive, "skyshelf re") == ["rewind", "recent", "rename", "restore"]
    assert offered(drive, "skyshelf ls --so") == ["--sort"]
    assert offered(drive, "skyshelf ls --sort m") == ["modified"]
    assert offered(drive, "skyshelf ls /M") == ["/Music/", r"/My\ Photos/", "/Minutes.txt"]
    assert offered(drive, "skyshelf ls M") == ["Music/", r"My\ Photos/", "Minutes.txt"]
    assert offered(drive, "skyshelf versions ls /Mi") == ["/Minutes.txt"]
    assert offered(drive, "skyshelf find --in /Mu") == ["/Music/"]


def test_a_group_with_a_default_offers_its_commands_and_what_the_default_takes(drive: Typist) -> None:
    asked = {"_SKYSHELF_COMPLETE": "zsh_complete"}
    shown = drive.run(**asked, COMP_LINE="skyshelf sync pa").stdout.splitlines()
    assert [line.split("\t")[:2] for line in shown] == [["plain", "pause"], ["dir", "pa"]]
    assert drive.run(**asked, COMP_LINE="skyshelf sync --wa").stdout.startswith("plain\t--watch\t")
    assert drive.run(**asked, COMP_LINE="skyshelf sync settle a --keep mi").stdout == "plain\tmine\t\n"
    assert drive.run(**asked, COMP_LINE="skyshelf albums inv").stdout.startswith("plain\tinvitations\t")


@pytest.mark.whole
def test_names_arrive_as_one_word_however_they_are_quoted(drive: Typist) -> None:
    assert offered(drive, r"skyshelf cat /My\ Photos/b") == [r"/My\ Photos/beach\ day.jpg", r"/My\ Photos/beans.jpg"]
    assert offered(drive, "skyshelf cat '/My Photos/bea") == ["/My Photos/beach day.jpg", "/My Photos/beans.jpg"]
    assert offered(drive, 'skyshelf cat "/My Photos/it') == ["/My Photos/it's.txt"]
    assert offered(drive, r"skyshelf cat /My\ Photos/it") == [r"/My\ Photos/it\'s.txt"]
    # Bash begins a word anew behind a colon.
    assert offered(drive, "skyshelf ls /weird:") == [r"\ \$name/"]
    assert offered(drive, "skyshelf put x --to=/Mu") == ["/Music/"]


def test_a_name_that_would_move_the_cursor_is_not_offered(drive: Typist) -> None:
    assert offered(drive, "skyshelf ls /e") == []


def test_a_folder_is_asked_for_once_in_a_while(drive: Typist) -> None:
    with FaultProxy(drive.server, FaultPlan()) as proxy:
        drive.move_session(proxy.url)
        line = "skyshelf ls "
        assert offered(drive, line + "/Mu") == ["/Music/"]
        first = proxy.requests
        kept = list((drive.home / "cache" / "skyshelf" / "completion").iterdir())
        for path in kept:
            # However long it took: it is a while ago now.
            path.touch()
        assert offered(drive, line + "/Min") == ["/Minutes.txt"]
        assert proxy.requests == first
        assert offered(drive, line + r"/My\ Photos/bean") == [r"/My\ Photos/beans.jpg"]
        # Its key is known from the folder above, so that only its own two pages are asked for.
        assert proxy.requests == first + 2
    assert kept
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in kept)


def test_errors_are_silent(drive: Typist, tmp_path: Path) -> None:
    assert offered(drive, "skyshelf ls --server http://127.0.0.1:1 /M") == []
    assert offered(drive, "skyshelf ls /none/x") == []
    assert offered(drive, "skyshelf ls /M", XDG_CONFIG_HOME=str(tmp_path / "nobody")) == []
    assert offered(drive, "skyshelf nothing /M") == []


class Shell(NamedTuple):
    """How a shell is started with nobody's settings, and told to complete our commands."""

    start: tuple[str, ...]
    load: str


SHELLS = {
    "bash": Shell(("bash", "--norc", "--noprofile", "-i"), 'eval "$(skyshelf completion bash)"'),
    "zsh": Shell(("zsh", "-f", "-i"), 'autoload -Uz compinit; compinit -u -D; eval "$(skyshelf completion zsh)"'),
    "fish": Shell(
        ("fish", "--no-config", "--init-command", "function fish_prompt; printf 'ready> '; end", "-i"),
        "skyshelf completion fish | source",
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_at_a_terminal_types_the_rest(drive: Typist, name: str) -> None:
    shell = SHELLS[name]
    program(name)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(drive.desk)
        os.execvpe(shell.start[0], shell.start, drive.environment | {"PS1": "ready> ", "TERM": "xterm"})
    shown = ""

    def wait_for(text: str, *, after: str = "ready") -> None:
        nonlocal shown
        deadline = time.monotonic() + 60
        while text not in _as_read(shown).partition(after)[2]:
            assert time.monotonic() < deadline, shown
            if is_readable(terminal, 1):
                shown += os.read(terminal, 65536).decode(errors="replace")

    try:
        wait_for("> ")
        os.write(terminal, f'{shell.load}; echo lo""aded\n'.encode())
        wait_for("ready> ", after="loaded")
        os.write(terminal, b"skyshelf cat /My\t")
        wait_for(r"/My\ Photos/")
        os.write(terminal, b"beac\t")
        wait_for(r"beach\ day.jpg ")
        os.write(terminal, b"; echo do''ne\n")
        wait_for("1done")
    finally:
        os.write(terminal, b"\x03\nexit\n")
        os.close(terminal)
        os.waitpid(pid, 0)


def _as_read(shown: str) -> str:
    """What a terminal was sent, without what moves the cursor and colours the text."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][B0]?|\x07", "", shown)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_for_each_shell(shell: str) -> None:
    shown = run("completion", shell)
    assert shown.returncode == 0
    assert f"_SKYSHELF_COMPLETE={shell}_complete" in shown.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_names_as_they_are_because_they_quote_themselves(drive: Typist, shell: str) -> None:
    asked = {"_SKYSHELF_COMPLETE": f"{shell}_complete", "COMP_LINE": r"skyshelf ls /My\ Photos/b"}
    shown = drive.run(**asked)
    assert shown.stdout.splitlines() == ["plain\t/My Photos/beach day.jpg\t", "plain\t/My Photos/beans.jpg\t"]
    folders = drive.run(**asked | {"COMP_LINE": "skyshelf ls /Mu"})
    assert folders.stdout == "open\t/Music/\t\n"
    commands = drive.run(**asked | {"COMP_LINE": "skyshelf whoa"})
    assert commands.stdout == f"plain\twhoami\t{COMMANDS['whoami'].summary}\n"


def test_local_files_are_left_to_the_shell(drive: Typist) -> None:
    asked = {"_SKYSHELF_COMPLETE": "zsh_complete"}
    assert drive.run(**asked, COMP_LINE="skyshelf put ").stdout == "file\t\t\n"
    assert drive.run(**asked, COMP_LINE="skyshelf put a.txt /Mu").stdout == "open\t/Music/\t\nfile\t/Mu\t\n"
    assert drive.run(**asked, COMP_LINE="skyshelf get /Mu").stdout == "open\t/Music/\t\n"
    assert drive.run(**asked, COMP_LINE="skyshelf backup co").stdout == "dir\tco\t\n"


@given(st.lists(st.text(alphabet="ab \"'\\$`:=!*é", min_size=1, max_size=6), min_size=1, max_size=3))
def test_what_bash_is_given_reads_back_as_the_same_word(words: list[str]) -> None:
    completion = BashCompletion(None, {}, "skyshelf", "_SKYSHELF_COMPLETE")  # type: ignore[arg-type]
    completion.typed = read_line("skyshelf ls ")
    line = " ".join(completion.quoted(word) for word in words)
    assert read_line(f"skyshelf {line} ").words == ["skyshelf", *words]


def test_without_a_line_there_is_nothing_to_say() -> None:
    environment = {**os.environ, "_SKYSHELF_COMPLETE": "bash_complete"}
    environment.pop("COMP_LINE", None)
    shown = subprocess.run([SKYSHELF], capture_output=True, text=True, env=environment, check=False)
    assert shown.stderr == ""
