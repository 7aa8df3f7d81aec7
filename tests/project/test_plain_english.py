"""The wording check finds banned phrases where people read them, and nowhere else."""

from pathlib import Path

import pytest
from tools.plain_english import files, found_in


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


@pytest.mark.parametrize("opening", ["Of", "That of", "Those", "The same", "As", "It"])
def test_a_docstring_begins_with_a_subject_or_a_verb(tmp_path: Path, opening: str) -> None:
    text = f'def size():\n    """{opening} one worker, at most."""\n\n\nLIMIT = 1\n"""{opening} one worker."""\n'
    assert _found(tmp_path, "a.py", text) == [(6, f"{opening} …"), (2, f"{opening} …")]


def test_a_class_name_in_the_wrong_sentence_is_a_slip(tmp_path: Path) -> None:
    assert _found(tmp_path, "a.py", '"""FileContent all of them."""\n') == [(1, "FileContent all")]


def test_no_class_is_named_by_a_participle_except_for_exceptions(tmp_path: Path) -> None:
    text = "class Asked: ...\nclass _Known(Protocol): ...\nclass Locked(ServiceError): ...\nclass Feed: ...\n"
    assert _found(tmp_path, "a.py", text) == [(1, "class Asked"), (2, "class _Known")]


@pytest.mark.program("git")
def test_only_paths_that_are_given_are_read() -> None:
    names = {path.name for path in files(["tools/audit.py", "tools/release.py"])}
    assert names == {"audit.py", "release.py"}
