"""The wording check finds banned phrases where people read them, and nowhere else."""

from pathlib import Path

import pytest
from tools.plain_english import found_in


def _found(folder: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = folder / name
    path.write_text(text)
    return [(line, phrase) for line, phrase, _ in found_in(path)]


def test_strings_comments_and_docstrings_of_python_are_read(tmp_path: Path) -> None:
    text = '"""One.\n\nIt is told anew.\n"""\n# any more\nanew = "by itself"  # fine\n'
    assert _found(tmp_path, "a.py", text) == [(3, "is told"), (3, "anew"), (5, "any more"), (6, "by itself")]


def test_pages_are_read_but_for_words_in_asterisks(tmp_path: Path) -> None:
    assert _found(tmp_path, "a.md", "*anew* is banned\nWhoever reads\n") == [(2, "Whoever")]


@pytest.mark.parametrize("text", ["its own folder", "kept out of their own data", "a new file", "as many more"])
def test_good_english_is_left_alone(tmp_path: Path, text: str) -> None:
    assert _found(tmp_path, "a.md", text) == []
