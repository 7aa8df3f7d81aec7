"""Links from the command line: with limits, listed, changed and taken back."""

import httpx2
import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.shares import LinkRecord, ShareRecord


@pytest.fixture
def noted(typist: Typist) -> Typist:
    typist.write("a.txt", "one")
    typist.done("put", "a.txt", "/")
    return typist


def test_a_link_with_limits_is_created_listed_changed_and_revoked(noted: Typist) -> None:
    url = noted.done("share", "/a.txt", "--expires", "7d", "--max-downloads", "2", "--name", "For Ada").strip()
    (link,) = noted.records(LinkRecord, "shares", "ls")
    assert (link.url, link.share_name, link.names, link.max_downloads) == (url, "For Ada", ["a.txt"], 2)
    assert (link.is_live, link.has_password, link.visits, link.downloads) == (True, False, 0, 0)
    assert link.expires is not None
    shown = noted.done("shares", "ls")
    assert "For Ada: a.txt" in shown
    assert "0 of 2 downloads" in shown
    noted.done("shares", "edit", url, "--password-stdin", "--expires", "never", stdin="open sesame\n")
    noted.done("shares", "edit", f"key:{link.share_key}", "--name", "For Grace", "--max-downloads", "none")
    assert "This link has a password" in httpx2.get(url).text
    edited = noted.record(LinkRecord, "shares", "edit", url, "--no-password")
    assert (edited.share_name, edited.expires, edited.max_downloads) == ("For Grace", None, None)
    assert "a.txt" in httpx2.get(url).text
    assert noted.refused("shares", "revoke", url)[0] == 2
    noted.done("shares", "revoke", url, "--yes")
    assert httpx2.get(url).status_code == 404
    assert noted.records(LinkRecord, "shares", "ls") == []
    assert noted.refused("shares", "revoke", url, "--yes")[0] == 6


def test_a_password_is_set_from_the_first_moment_and_never_an_argument(noted: Typist) -> None:
    ended = noted.run("share", "/a.txt", "--password-stdin", "--json", stdin="open sesame")
    assert ended.returncode == 0, ended.stderr
    url = noted.records(LinkRecord, "shares", "ls")[0].url
    assert url is not None
    assert url in ended.stdout
    assert "a.txt" not in httpx2.get(url).text
    assert noted.refused("share", "/a.txt", "--password-stdin", stdin="short")[0] == 3
    assert noted.refused("share", "/a.txt", "--password")[0] == 2, "there is no terminal to ask at"


def test_what_cannot_be_meant_is_refused(noted: Typist) -> None:
    url = noted.record(ShareRecord, "share", "/a.txt").url
    assert noted.refused("shares", "edit", url)[0] == 2
    assert noted.refused("shares", "edit", url, "--no-password", "--password-stdin", stdin="x")[0] == 2
    assert noted.refused("share", "/a.txt", "--expires", "2001-01-01")[0] == 2
    assert noted.refused("shares", "edit", url, "--max-downloads", "0")[0] == 2
    assert noted.refused("shares", "edit", "nonsense", "--name", "x")[0] == 3


def test_a_link_asks_for_files_and_shows_none(noted: Typist) -> None:
    noted.done("mkdir", "/In")
    link = noted.record(
        LinkRecord, "shares", "request", "/In", "--name", "Send here", "--max-files", "3", "--max-size", "5MB"
    )
    assert (link.share_name, link.is_live) == ("Send here", True)
    assert link.url is not None
    page = httpx2.get(link.url).text
    assert "Send here" in page
    assert "a.txt" not in page
    assert noted.refused("shares", "request", "/a.txt")[0] != 0


def test_a_board_has_a_link_for_everybody(noted: Typist) -> None:
    noted.done("albums", "create", "Summer")
    noted.done("albums", "add", "Summer", "/a.txt")
    link = noted.record(LinkRecord, "albums", "publish", "Summer", "--guests-add", "--expires", "7d")
    assert link.url is not None
    assert "Summer" in httpx2.get(link.url).text
    noted.done("shares", "revoke", link.url, "--yes")
    assert httpx2.get(link.url).status_code == 404
