"""`skyshelf account app-password`: made for a script, listed, and revoked."""

import re

from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

from skyshelf.cli.commands.credentials import AppPasswordRecord, NewAppPasswordRecord

APP = ("account", "app-password")


def test_an_app_password_is_made_listed_and_revoked(typist: Typist) -> None:
    """One way through everything, since each command is a process."""
    typist.done("mkdir", "/Scans")
    printed = typist.done(*APP, "add", "Finder", "--password-stdin", stdin=PASSWORD)
    assert re.fullmatch(r"(\w{5}-){4}\w{5}", printed.strip())
    options = ("--folder", "/Scans", "--read-only", "--webdav-only", "--password-stdin")
    made = typist.record(NewAppPasswordRecord, "account", "app-password", "add", "Scanner", *options, stdin=PASSWORD)
    assert made.webdav_url == f"{typist.server}/dav/"
    scanner, finder = typist.records(AppPasswordRecord, "account", "app-password", "list")
    assert (scanner.device_key, scanner.folder_name, scanner.can_write, scanner.webdav_only) == (
        made.device_key,
        "Scans",
        False,
        True,
    )
    assert (finder.name, finder.can_write, finder.folder_key, finder.last_used) == ("Finder", True, None, None)
    shown = typist.done(*APP, "list")
    assert "never used" in shown
    assert "the whole drive" in shown
    typist.done(*APP, "rm", "finder", made.device_key)
    assert typist.done(*APP, "list") == ""
    assert typist.refused(*APP, "rm", "Finder")[0] == 6
    assert typist.refused(*APP, "add", "x", "--password-stdin", stdin="wrong")[0] != 0
