"""Breaks the code on purpose, one mutation at a time, and looks whether the tests notice.

    python -m tools.mutations                 every mutation of tests/mutations/mutations.toml
    python -m tools.mutations NAME...         only these
    python -m tools.mutations --list          print the names and what each one breaks
    python -m tools.mutations --unchanged     run the named tests on the code as it is: they must pass

The checkout is never touched. `src` is copied to a temporary folder, with an environment beside it that imports the
copy and takes everything else from .venv: the tests and every process that they start, isolated ones too, see the
fault. `--tree` and `--table` run another checkout with its own table.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "mutations" / "mutations.toml"
_PASSED, _FAILED = 0, 1
_SECONDS_MAX = 600
# The plugin of schemathesis takes a third of the time that pytest needs to start.
_PYTEST = ("-n", "0", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "--no-header", "--tb=line")


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault: the text that it replaces, which occurs once in its file, and the tests that notice it."""

    breaks: str
    """The promise that no longer holds, in a sentence."""
    file: str
    """Below src/skyshelf."""
    old: str
    new: str
    tests: list[str]

    @property
    def package(self) -> str:
        return self.file.partition("/")[0]


def mutations(table: Path = TABLE) -> dict[str, Mutation]:
    """Return the mutations of a table by name."""
    return msgspec.convert(tomllib.loads(table.read_text(encoding="utf-8")), dict[str, Mutation])


def mutated(mutation: Mutation, source: Path) -> str:
    """Return the text of the file with its fault; ValueError unless the old text occurs exactly once."""
    text = (source / "skyshelf" / mutation.file).read_text(encoding="utf-8")
    if (times := text.count(mutation.old)) != 1:
        raise ValueError(f"{mutation.file} has the text {times} times instead of once: {mutation.old!r}")
    return text.replace(mutation.old, mutation.new)


class Overlay:
    """A copy of a checkout's code, which the tests of that checkout import instead."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self._tree = tree
        self._source = folder / "src"
        shutil.copytree(tree / "src", self._source)
        self._python = _make_environment(tree / ".venv", folder / "venv", self._source)
        imported = self._run("-I", "-c", "import skyshelf.wire; print(skyshelf.wire.__file__)").stdout.strip()
        if not Path(imported).is_relative_to(self._source):
            raise RuntimeError(f"the tests would import {imported or 'nothing'} instead of the copy")

    @contextmanager
    def with_fault(self, mutation: Mutation) -> Iterator[None]:
        """Write the fault into the copy, and the original text back at the end."""
        file = self._source / "skyshelf" / mutation.file
        text = mutated(mutation, self._source)
        file.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            shutil.copy2(self._tree / "src" / "skyshelf" / mutation.file, file)

    def test(self, tests: list[str]) -> subprocess.CompletedProcess[str]:
        """Run these tests in one process, up to the first that fails."""
        return self._run("-m", "pytest", *_PYTEST, *tests)

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self._python, *arguments],
            cwd=self._tree,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS_MAX,
        )


def _make_environment(original: Path, folder: Path, source: Path) -> Path:
    """Make an environment like the original whose packages begin with the source; returns its Python."""
    [packages] = original.glob("lib/python3.*/site-packages")
    added = folder / packages.relative_to(original)
    added.mkdir(parents=True)
    (added / "overlay.pth").write_text(f"{source}\nimport site; site.addsitedir({str(packages)!r})\n")
    shutil.copy(original / "pyvenv.cfg", folder)
    programs = folder / "bin"
    programs.mkdir()
    own = f"#!{original / 'bin'}/".encode()
    for program in (original / "bin").iterdir():
        text = b"" if program.is_symlink() or program.is_dir() else program.read_bytes()
        if text.startswith(own):
            (programs / program.name).write_bytes(text.replace(own, f"#!{programs}/".encode(), 1))
            shutil.copymode(program, programs / program.name)
        else:
            (programs / program.name).symlink_to(program)
    return programs / "python"


def _verdict(overlay: Overlay, mutation: Mutation) -> tuple[bool, str]:
    """Return whether a fault was noticed, and by what."""
    try:
        with overlay.with_fault(mutation):
            run = overlay.test(mutation.tests)
    except ValueError as problem:
        return False, f"STALE: {problem}"
    except subprocess.TimeoutExpired:
        return False, f"STUCK: the tests took over {_SECONDS_MAX} seconds"
    if run.returncode == _FAILED:
        failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return True, f"caught: {failed[0][:160] if failed else '?'}"
    if run.returncode == _PASSED:
        return False, "MISSED"
    return False, f"BROKEN: pytest ended with {run.returncode}\n{run.stdout[-800:]}{run.stderr[-800:]}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutations", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="run only these mutations")
    parser.add_argument("--list", action="store_true", help="print the mutations instead of running them")
    parser.add_argument("--unchanged", action="store_true", help="run their tests on the code as it is")
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout, with its own .venv")
    parser.add_argument("--table", type=Path, default=TABLE, help="the table for that checkout")
    options = parser.parse_args()
    known = mutations(options.table)
    if unknown := set(options.names) - set(known):
        parser.error(f"no such mutation: {', '.join(sorted(unknown))}")
    chosen = {name: one for name, one in known.items() if not options.names or name in options.names}
    if options.list:
        for name, one in chosen.items():
            print(f"{name} ({one.package}): {one.breaks}")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        overlay = Overlay(options.tree.resolve(), Path(folder))
        if options.unchanged:
            run = overlay.test(sorted({test for one in chosen.values() for test in one.tests}))
            print(run.stdout[-2000:])
            return run.returncode
        caught = 0
        for name, one in chosen.items():
            is_caught, verdict = _verdict(overlay, one)
            caught += is_caught
            print(f"{name}: {verdict}", flush=True)
    print(f"{caught} of {len(chosen)} caught")
    return 0 if caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
