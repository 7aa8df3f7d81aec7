"""The public URL, and which paths of requests have its path in front."""

import re
from pathlib import Path

import pytest

from skyshelf.wire.public_url import CALLS_LIKE_PAGES, check_public_url, own_beginnings, path_of, without_prefix

ROUTER = Path(__file__).parents[2] / "web" / "src" / "app" / "router.svelte.ts"


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://drive.example.org", "https://drive.example.org"),
        ("https://drive.example.org/", "https://drive.example.org"),
        ("https://example.org/drive", "https://example.org/drive"),
        ("http://127.0.0.1:8080/my/apps/sky_shelf-2.0/", "http://127.0.0.1:8080/my/apps/sky_shelf-2.0"),
    ],
)
def test_a_public_url_may_have_a_path(given: str, used: str) -> None:
    assert check_public_url(given) == used


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("drive.example.org", "use scheme and host"),
        ("ftp://example.org", "use scheme and host"),
        ("https://example.org?x=1", "use scheme and host"),
        ("https://example.org/#x", "use scheme and host"),
        ("https://ada:secret@example.org", "leave out the user name"),
        ("https://example.org/a b", "use a path of letters"),
        ("https://example.org/%64rive", "use a path of letters"),
        ("https://example.org/a//b", "use a path of letters"),
        ("https://example.org/a/../b", "use a path of letters"),
        ("https://example.org/dav", "/dav is an address of the server itself"),
        ("https://example.org/x/y", "/x is an address of the server itself"),
        ("https://example.org/remote.php", "/remote.php is an address of the server itself"),
    ],
)
def test_another_one_is_refused_with_a_sentence(given: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        check_public_url(given)


def test_the_path_of_a_url() -> None:
    assert [path_of(None), path_of("https://a.org"), path_of("https://a.org/b/c/")] == ["", "", "/b/c"]


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("/sky", "/"),
        ("/sky/", "/"),
        ("/sky/x/v1/login", "/x/v1/login"),
        ("/sky/drive/files", "/drive/files"),
        ("/sky/l/", "/l/"),
        ("/x/v1/login", None),
        ("/skyx/v1", None),
        ("/sky/nothing", None),
        ("/", None),
    ],
)
def test_the_prefix_is_removed_where_the_rest_is_an_address_of_the_server(path: str, rest: str | None) -> None:
    assert without_prefix(path, "/sky", for_a_person=False) == rest


def test_a_page_whose_prefix_is_gone_is_not_taken_for_a_call() -> None:
    assert without_prefix("/drive/boards/1", "/drive", for_a_person=True) is None
    assert without_prefix("/drive/boards/1", "/drive", for_a_person=False) == "/boards/1"
    assert without_prefix("/drive/files/1", "/drive", for_a_person=False) is None


def test_the_names_of_pages_that_begin_calls_are_known() -> None:
    listed = re.search(r"SECTIONS = \[(.*?)\]", ROUTER.read_text(), re.DOTALL)
    assert listed is not None
    sections = set(re.findall(r"'([\w-]+)'", listed[1]))
    assert sections & own_beginnings() == CALLS_LIKE_PAGES
