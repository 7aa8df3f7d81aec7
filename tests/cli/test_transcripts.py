"""What people read: the commands of golden/*.txt are run in order, and print what the file says.

Each file is one person's session. A line that starts with `$` is a command; below it is its standard output, its
standard error, and its exit code unless that is 0. `$ echo TEXT > FILE` writes a local file, and `<<< TEXT` is standard
input. After a change of wording, run `pytest tests/cli/test_transcripts.py --update-golden` and read the diff.
"""

import os
import re
import shlex
from pathlib import Path

import pytest
from tests.cli.typing_commands import Typist

from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
UNORDERED = ("uploaded ", "download ", "downloaded ")
"""Lines of parallel transfers, which end in any order."""


def play(line: str, typist: Typist) -> str:
    """What a command prints, without what differs from run to run."""
    words = shlex.split(line)
    if words[0] == "echo":
        path = typist.write(words[3], words[1] + "\n")
        # One after the other, also where the clock has not moved: some lists are sorted by time.
        newest = max(file.stat().st_mtime for file in typist.desk.rglob("*"))
        os.utime(path, (newest + 1, newest + 1))
        return ""
    stdin = ""
    if "<<<" in words:
        stdin = words[words.index("<<<") + 1] + "\n"
        words = words[: words.index("<<<")]
    assert words[0] == "skyshelf", line
    places = {"SERVER": typist.server, "EMAIL": typist.person.account.email}
    ended = typist.run(*(places.get(word, word) for word in words[1:]), stdin=stdin)
    code = f"[exit {ended.returncode}]\n" if ended.returncode else ""
    return _alike(_sorted(ended.stdout + ended.stderr), typist) + code


def _sorted(text: str) -> str:
    lines = text.splitlines(keepends=True)
    files = sorted(line for line in lines if line.startswith(UNORDERED))
    return "".join(files + [line for line in lines if not line.startswith(UNORDERED)])


def _alike(text: str, typist: Typist) -> str:
    for here, name in (
        (typist.server, "SERVER"),
        (typist.person.account.email, "EMAIL"),
        (str(typist.desk), "DESK"),
    ):
        text = text.replace(here, name)
    for pattern, name in (
        (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z)?", "TIME"),
        (r"\b[0-9A-Fa-f]{32}\b", "KEY"),
        (r"(?<=, identity )[0-9a-f]{8}\b", "IDENTITY"),
        (r"\bc\d+-\d+\b", "CURSOR"),
        # Numbers of accounts are stored with more bytes when there are many.
        (r"(size of [^\n]*  +)[1-9]\d* B", r"\1SIZE"),
        (r"(?<=\?u=)[\w-]+", "TOKEN"),
        (r"(?<=#invitation=)[\w-]+", "TOKEN"),
    ):
        text = re.sub(pattern, name, text)
    return text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_commands_print_what_the_transcript_says(path: Path, typist: Typist, request: pytest.FixtureRequest) -> None:
    metadata, blobs = embedded_urls(typist.desk / "skyshelf-data")
    open_metadata(metadata).close()
    open_blobs(blobs).close()
    expected = path.read_text(encoding="utf-8")
    lines = [line for line in expected.splitlines() if line.startswith(("$ ", "#"))]
    played = "".join(
        f"{line}\n{play(line.removeprefix('$ '), typist)}" if line.startswith("$") else f"{line}\n" for line in lines
    )
    if request.config.getoption("--update-golden"):
        path.write_text(played, encoding="utf-8")
        return
    assert played == expected, f"{path.name} differs: after a change of wording, run pytest with --update-golden"
