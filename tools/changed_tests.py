"""The test files that a change can reach, by the graph of imports, nearest first and as many as a minute takes."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import grimp

_ROOT: Final = Path(__file__).parents[1]
_PACKAGES: Final = ("skyshelf", "tests", "tools", "benchmarks")
_MAIN: Final = ("origin/HEAD", "origin/main", "main", "origin/master", "master")
SECONDS: Final = 100.0
"""The work of a run: two processes need a minute for it, with their start."""
_SECONDS_PER_TEST: Final = 0.2
"""The guess for a file that no full run has measured."""
_SHOWN: Final = 12
_BY_FOLDER: Final = {
    "web": "tests/web",
    "packaging": "tests/project",
    "docs": "tests/project",
    "changes": "tests/project/test_release.py",
    ".ci": "tests/project",
}
"""Where files that nothing imports are tested; those in the root of the repository as those of docs."""


class Choice(NamedTuple):
    """The files of a run, and the sentence about them."""

    files: list[str]
    says: str


def changed_tests(durations: Path) -> Choice:
    """Choose the tests of what differs from the main branch, committed or not."""
    changed = _changed_files()
    found = reached(changed)
    seconds = _seconds_by_file(durations)
    chosen: list[str] = []
    spent = 0.0
    for file in found:
        spent += seconds.get(file) or _guess(file)
        if chosen and spent > SECONDS:
            break
        chosen.append(file)
    says = f"{len(changed)} changed files reach {len(found)} test files"
    if len(chosen) < len(found):
        says += f"; these are the nearest {len(chosen)}, and ./dev test runs the others"
    shown = ", ".join(chosen[:_SHOWN]) + (f" and {len(chosen) - _SHOWN} more" if len(chosen) > _SHOWN else "")
    return Choice(chosen, f"{says}: {shown}")


def _changed_files() -> list[str]:
    """Return the paths that differ from where this branch left the main one; on that, from the last commit."""
    named = (_git("merge-base", "HEAD", branch) for branch in _MAIN)
    base = next((found[0] for found in named if found), "HEAD")
    changed = [*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")]
    return changed or _git("diff", "--name-only", "HEAD~1")


def _git(*command: str) -> list[str]:
    done = subprocess.run(["git", *command], cwd=_ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def reached(changed: Iterable[str]) -> list[str]:
    """Return the test files that import a changed file, at any distance: changed ones and namesakes come first."""
    graph = grimp.build_graph(*_PACKAGES, cache_dir=None)
    known = graph.modules
    rank: dict[str, int] = {}
    modules: set[str] = set()
    for path in changed:
        module = _module(path)
        if module in known:
            modules.add(module)
        elif not path.endswith(".py"):
            rank |= dict.fromkeys(_tests_near(path), 1)
    for module, distance in _importers(graph, modules):
        if file := _file(module):
            rank[file] = min(distance, *(distance - _nearness(module, one) for one in modules))
    return sorted(rank, key=lambda file: (rank[file], file))


def _nearness(test: str, module: str) -> int:
    """Return how many imports a common folder outweighs: tests stand where the code stands, and may share its name."""
    *folders, name = module.split(".")[1:]
    *test_folders, test_name = test.split(".")[1:]
    shared = 0
    for one, other in zip(folders, test_folders, strict=False):
        if one != other:
            break
        shared += 2
    return shared + (10 if test_name.removeprefix("test_").startswith(name) else 0)


def _importers(graph: grimp.ImportGraph, changed: set[str]) -> Iterator[tuple[str, int]]:
    """Yield each module that depends on a changed one, with the number of imports between them."""
    seen, edge, distance = set(changed), set(changed), 0
    while edge:
        yield from ((module, distance) for module in edge)
        nearer = {one for module in edge for one in graph.find_modules_that_directly_import(module)}
        # A conftest is imported by nobody, and all tests below it depend on it.
        for module in (one for one in edge if one.endswith(".conftest")):
            below = f"{module.removesuffix('conftest')}"
            nearer |= {one for one in graph.modules if one.startswith(below) and ".test_" in one}
        edge = nearer - seen
        seen |= edge
        distance += 1


def _module(path: str) -> str:
    return re.sub(r"(/__init__)?\.py$", "", path.removeprefix("src/")).replace("/", ".")


def _file(module: str) -> str | None:
    """Return the path of a test module; None for any other module."""
    is_test = module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")
    return f"{module.replace('.', '/')}.py" if is_test else None


def _tests_near(path: str) -> list[str]:
    """Return the test files of something that is not imported: a page, a template, a golden file."""
    top, *rest = Path(path).parts
    if top == "tests":
        folder = _ROOT / Path(path).parent
        while not any(folder.glob("test_*.py")) and folder != _ROOT:
            folder = folder.parent
    elif top == "src":
        folder = _ROOT / "tests" / rest[1]
    else:
        folder = _ROOT / _BY_FOLDER.get(top, "tests/project")
        if folder.is_file():
            return [folder.relative_to(_ROOT).as_posix()]
    return [file.relative_to(_ROOT).as_posix() for file in sorted(folder.rglob("test_*.py"))]


def _seconds_by_file(durations: Path) -> dict[str, float]:
    """Return what the last full run has measured."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for line in durations.read_text("utf-8").splitlines() if durations.exists() else ():
        spent, _, test = line.strip().partition("  ")
        seconds[test.partition("::")[0]] += float(spent)
    return seconds


def _guess(file: str) -> float:
    return _SECONDS_PER_TEST * (_ROOT / file).read_text("utf-8").count("def test_")
