"""A forked command is what the installed program is, to all who look from outside."""

import os
import signal
from pathlib import Path

import pytest
from tests.cli.typing_commands import without_colors
from tests.real_parts import commands


@pytest.mark.parametrize(
    "arguments",
    [("version",), ("--help",), ("ls", "--help"), ("fly",), ("ls",), ("login", "--from-curl"), ("completion", "zsh")],
    ids=" ".join,
)
def test_a_forked_command_prints_and_ends_as_the_installed_one(arguments: tuple[str, ...], tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(tmp_path)}
    said = [
        commands.run(arguments, stdin="curl 'http://x'", environment=environment, folder=tmp_path, installed=installed)
        for installed in (True, False)
    ]
    assert (said[0].returncode, said[0].stdout, said[0].stderr) == (
        said[1].returncode,
        said[1].stdout,
        said[1].stderr,
    )


@pytest.mark.parametrize("installed", [True, False], ids=["installed", "forked"])
def test_a_command_at_a_terminal_ends_by_the_signal_that_is_sent_to_it(installed: bool, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    try:
        asking = commands.start(
            ("login", "--server", "http://127.0.0.1:9", "you@example.org"),
            (theirs, theirs, theirs),
            {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(tmp_path), "TERM": "xterm"},
            tmp_path,
            has_terminal=True,
            installed=installed,
        )
        shown = b""
        while b"assword" not in shown:
            shown += os.read(ours, 4096)
        assert "Password" in without_colors(shown.decode())
        os.kill(asking.process_id, signal.SIGTERM)
        assert asking.wait() == -signal.SIGTERM
    finally:
        os.close(theirs)
        os.close(ours)
