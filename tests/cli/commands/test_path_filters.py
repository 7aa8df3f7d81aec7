"""Which files a backup takes, by globs."""

import re

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.cli.commands.path_filters import PathFilter, path_filter

FILES = [
    "a.jpg",
    "notes.txt",
    "Photos/b.jpg",
    "Photos/raw/c.dng",
    "Photos/2024/d.jpg",
    "Photos/2024/May/e.jpg",
    "Documents/cache/f.tmp",
    "cache/g.bin",
    "Documents/cache",
]


def chosen(include: tuple[str, ...], exclude: tuple[str, ...]) -> set[str]:
    """What a backup would take, as it asks: folder by folder from the top, and never below one that is refused."""
    chooser = path_filter(include, exclude)
    if chooser is None:
        return set(FILES)
    taken = set()
    for path in FILES:
        folders = path.split("/")[:-1]
        above = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
        if all(chooser.accepts(one, is_folder=True) for one in above) and chooser.accepts(path, is_folder=False):
            taken.add(path)
    return taken


@pytest.mark.parametrize(
    ("include", "left"),
    [
        ("*.jpg", {"a.jpg", "Photos/b.jpg", "Photos/2024/d.jpg", "Photos/2024/May/e.jpg"}),
        ("/*.jpg", {"a.jpg"}),
        ("Photos/*.jpg", {"Photos/b.jpg"}),
        ("/Photos/2024", {"Photos/2024/d.jpg", "Photos/2024/May/e.jpg"}),
        ("Photos/**/*.jpg", {"Photos/b.jpg", "Photos/2024/d.jpg", "Photos/2024/May/e.jpg"}),
        ("Photos/*/d.jpg", {"Photos/2024/d.jpg"}),
        ("**/May/", {"Photos/2024/May/e.jpg"}),
        ("May", {"Photos/2024/May/e.jpg"}),
        ("cache/", {"Documents/cache/f.tmp", "cache/g.bin"}),
        ("cache", {"Documents/cache/f.tmp", "cache/g.bin", "Documents/cache"}),
        ("/cache/**", {"cache/g.bin"}),
        ("Photos/20[0-9][0-9]/*", {"Photos/2024/d.jpg", "Photos/2024/May/e.jpg"}),
        ("[!a].???", {"Photos/b.jpg", "Photos/raw/c.dng", "Photos/2024/d.jpg", "Photos/2024/May/e.jpg"}
                     | {"Documents/cache/f.tmp", "cache/g.bin"}),
        ("photos/", set()),
    ],
)  # fmt: skip
def test_an_include_takes_what_fits_and_what_is_below_it(include: str, left: set[str]) -> None:
    assert chosen((include,), ()) == left
    # The same glob leaves out exactly the same.
    assert chosen((), (include,)) == set(FILES) - left


def test_an_exclude_wins_over_every_include() -> None:
    assert chosen(("Photos/", "*.txt"), ("raw/", "**/2024/May")) == {"notes.txt", "Photos/b.jpg", "Photos/2024/d.jpg"}


def test_nothing_asked_for_is_no_filter() -> None:
    assert path_filter((), ()) is None


def test_folders_that_cannot_contain_a_match_are_not_listed() -> None:
    chooser = path_filter(("Photos/2024/*.jpg",), ())
    assert isinstance(chooser, PathFilter)
    wanted = [
        one for one in ("Photos", "Documents", "Photos/2024", "Photos/raw") if chooser.accepts(one, is_folder=True)
    ]
    assert wanted == ["Photos", "Photos/2024"]


@pytest.mark.parametrize("glob", ["", "/", "//", "[z-a]"])
def test_a_glob_that_cannot_be_is_refused(glob: str) -> None:
    with pytest.raises(click.UsageError):
        path_filter((glob,), ())


@given(st.text(alphabet="ab*?[]!^-\\.{}()|&~+$ é/", min_size=1, max_size=12), st.text(alphabet="ab./ é", max_size=12))
def test_any_text_is_a_glob_or_refused_in_a_sentence(glob: str, path: str) -> None:
    try:
        chooser = path_filter((), (glob,))
    except click.UsageError:
        return
    assert chooser is not None
    assert chooser.accepts(path, is_folder=False) in {True, False}


@given(st.lists(st.text(alphabet="ab*?[]!\\.é", min_size=1, max_size=5), min_size=1, max_size=4))
def test_a_name_written_with_backslashes_fits_itself_alone(parts: list[str]) -> None:
    path = "/".join(parts)
    glob = "/" + re.sub(r"([\\*?\[\]!])", r"\\\1", path)
    chooser = path_filter((glob,), ())
    assert chooser is not None
    assert chooser.accepts(path, is_folder=False)
    assert not chooser.accepts(path + "x", is_folder=False)
    for depth in range(1, len(parts)):
        assert chooser.accepts("/".join(parts[:depth]), is_folder=True)
