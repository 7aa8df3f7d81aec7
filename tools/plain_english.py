"""Finds phrases and sentence forms that CONTRIBUTING.md bans, in everything people read: texts, docs, comments.

`python -m tools.plain_english [PATH...]` prints `file:line: phrase -> better` and fails if there is any.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]

BANNED: Final = {
    r"\b(?:is|are|was|were|be|been|being) told\b": "reported, shown, stated",
    r"\banew\b": "again",
    r"\bby (?:itself|themselves)\b": "alone, automatically, separately",
    r"\bworth (?:nothing|something)\b": "no longer valid",
    r"\bany more\b": "no longer",
    r"\bwhoever\b": "anyone who, people who",
    r"\bthat nobody\b": "name who or what",
    r"\bhandfuls?\b": "batch, a few",
    r"\bof (?:its|their) own(?=[.,;:)]|$| (?:and|so|that|which|in|for|where|when|while)\b)": "its own, their own",
    r"\bof (?:ours|theirs)\b": "our, their",
    r"\bmeanwhile\b": "at the same time, since then",
    r"\bin (?:the )?place of\b": "instead of",
    r"\b(?:is|are) there already\b": "already exists",
    r"\bnot there any\b": "no longer exists",
    r"\bof now\b": "current",
    r"\bbeyond the interface\b": "an extension",
    r"\btelephones?\b": "phone",
    r"\bnotebooks?\b": "laptop",
    r"\be-mails?\b": "email",
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r"\bt(?:ake|akes|aken|aking|ook) (?:it |them |that |this )?back\b": "revoke, undo, cancel",
}
# Checked like the openings of docstrings and the names of classes: everywhere but in `_NOT_YET`, and in given paths.
BANNED_IN_STRICT_PLACES: Final = {
    r"\bin the moment\b": "as soon as, when",
    r"\bspeaks? against\b": "rules out, prevents",
    r"\bmeets? the same\b": "hits the same error, does the same",
}
_NOT_YET: Final = ("docs/reference/",)

_WEAK_OPENING: Final = re.compile(r"(?:Of|That of|Those|The same|As|It)\b")
_REPLACED_OPENING: Final = re.compile(r"[A-Z][a-z]+[A-Z]\w+ (?:all|an?|each|every|it|its|the|them|these|this|those)\b")
_PARTICIPLE: Final = re.compile(
    r"_?(?:[A-Z][a-z]+[a-df-z]ed|Begun|Built|Done|Found|Given|Gone|Held|Kept|Known|Left|Lost|Made|Met|Seen|Sent|Shown|Spent|Taken|Told|Written)"
)
# Names that programs import from the SDK.
_PUBLIC: Final = {"Downloaded"}
_RAISED: Final = re.compile(r"(?:Error|Exception)$")
# The strings of its modules are data of tests; its other files, too.
_TESTS: Final = ROOT / "tests"
_NOT_READ: Final = (
    "tests/",
    "web/tests/",
    "web/package",
    "requirements",
    "LICENSE",
    "tools/plain_english.py",
    "web/src/words/de",
)
_SUFFIXES: Final = {".py", ".md", ".ts", ".svelte", ".html", ".css", ".toml", ".yaml", ".yml", ""}


def found_in(path: Path, *, strictly: bool = True) -> Iterator[tuple[int, str, str]]:
    """Yield line, phrase and advice for every finding in a file."""
    text = path.read_text(encoding="utf-8")
    is_python = path.suffix == ".py"
    lines = enumerate(map(_without_emphasis, text.splitlines()), 1)
    prose = _python_prose(text, is_test=path.is_relative_to(_TESTS)) if is_python else lines
    phrases = BANNED | BANNED_IN_STRICT_PLACES if strictly else BANNED
    pattern, advice = _either(tuple(phrases)), tuple(phrases.values())
    for line, words in prose:
        for match in pattern.finditer(words):
            assert match.lastindex is not None
            yield line + words.count("\n", 0, match.start()), match[0], advice[match.lastindex - 1]
    if is_python and strictly:
        yield from _syntax_in(ast.parse(text))


@cache
def _either(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"({one})" for one in patterns), re.IGNORECASE | re.MULTILINE)


def _syntax_in(module: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Find docstrings without a subject, also those of attributes, and classes named by a participle."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and _PARTICIPLE.fullmatch(node.name) and not _may_stay(node):
            yield node.lineno, f"class {node.name}", "name the thing, not its state: a noun"
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (found for statement in node.body for found in _opening_of(statement))


def _opening_of(statement: ast.stmt) -> Iterator[tuple[int, str, str]]:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            if found := _WEAK_OPENING.match(text):
                yield statement.lineno, f"{found[0]} …", "begin with a verb (Return …) or with a noun"
            elif found := _REPLACED_OPENING.match(text):
                yield statement.lineno, found[0], "a class name where a verb was: a search-and-replace slip"


def _may_stay(node: ast.ClassDef) -> bool:
    return node.name in _PUBLIC or any(_RAISED.search(ast.unparse(base)) for base in node.bases)


def _without_emphasis(line: str) -> str:
    """Return the line without words in asterisks, by which a page can name a phrase."""
    return re.sub(r"(?<!\*)\*[^*]+\*(?!\*)", "", line)


def _python_prose(text: str, *, is_test: bool) -> Iterator[tuple[int, str]]:
    """Yield the strings and comments of a module; of a test, whose texts are data, docstrings and comments."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_text = token.type == tokenize.STRING and (token.string.startswith('"""') or not is_test)
        if is_text or token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def files(below: Sequence[str] = ()) -> Iterator[Path]:
    """List every file of the project that holds prose, or those at or below some paths."""
    command = ["git", "ls-files", "--full-name", "--", *below]
    listed = subprocess.run(command, cwd=Path.cwd() if below else ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        is_data = path.is_relative_to(_TESTS) and path.suffix != ".py"
        is_read = (below or not name.startswith(_NOT_READ)) and not is_data
        if is_read and path.suffix in _SUFFIXES and path.is_file():
            yield path


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was found; return 1 if there is anything."""
    parser = argparse.ArgumentParser(prog="python -m tools.plain_english", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="check these alone, and with every rule")
    below = parser.parse_args(arguments).paths
    named = {path: path.relative_to(ROOT).as_posix() for path in files(below)}
    found = [
        (name, *each)
        for path, name in named.items()
        for each in found_in(path, strictly=bool(below) or not name.startswith(_NOT_YET))
    ]
    for name, line, phrase, advice in found:
        sys.stdout.write(f"{name}:{line}: “{phrase}” -> {advice}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
