"""Finds phrases that CONTRIBUTING.md bans, in everything people read: texts of the product, docs, comments.

`python -m tools.plain_english` prints `file:line: phrase -> better` and fails if there is any.
"""

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
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
_PATTERN: Final = re.compile("|".join(f"({one})" for one in BANNED), re.IGNORECASE | re.MULTILINE)
_ADVICE: Final = tuple(BANNED.values())
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


def found_in(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, phrase and advice for every banned phrase of a file."""
    text = path.read_text(encoding="utf-8")
    prose = _python_prose(text) if path.suffix == ".py" else enumerate(map(_without_emphasis, text.splitlines()), 1)
    for line, words in prose:
        for match in _PATTERN.finditer(words):
            assert match.lastindex is not None
            yield line + words.count("\n", 0, match.start()), match[0], _ADVICE[match.lastindex - 1]


def _without_emphasis(line: str) -> str:
    """The line without words in asterisks, by which a page can name a phrase."""
    return re.sub(r"(?<!\*)\*[^*]+\*(?!\*)", "", line)


def _python_prose(text: str) -> Iterator[tuple[int, str]]:
    """The strings and comments of a module; names are not prose."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            yield token.start[0], token.string


def files() -> Iterator[Path]:
    """Every file of the project that holds prose."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607
    for name in listed.splitlines():
        path = ROOT / name
        if not name.startswith(_NOT_READ) and path.suffix in _SUFFIXES and path.is_file():
            yield path


def main() -> int:
    """Print what was found; 1 if there is anything."""
    found = [(path, *each) for path in files() for each in found_in(path)]
    for path, line, phrase, advice in found:
        sys.stdout.write(f"{path.relative_to(ROOT)}:{line}: “{phrase}” -> {advice}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
