"""What an account keeps has words that people understand, the same ones everywhere."""

import re
from pathlib import Path

from skyshelf.cli.base.kept import LABELS, kept_row
from skyshelf.storage.metadata.sql.bounds import BOUNDS

WORDS = Path(__file__).parents[3] / "web/src/words/en.ts"
NOT_ROWS = {"objects", "uploadBytes", "historyBytes", "proofBytes", "changes", "thumbnailBytes"}


def test_every_kind_has_the_words_of_the_web_client() -> None:
    of_pages = dict(re.findall(r"'storage\.kept\.(\w+)': '([^']+)'", WORDS.read_text("utf-8")))
    assert LABELS.keys() == BOUNDS.keys() | NOT_ROWS
    assert {kind: words.lower() for kind, words in LABELS.items()} == {kind: of_pages[kind].lower() for kind in LABELS}


def test_a_kind_that_a_newer_server_counts_is_shown_by_its_name() -> None:
    assert kept_row("newThings", 1, 2000, False) == ("new things", "1 of 2,000")
    assert kept_row("formerRows", 1, 2000, False)[0] == "deleted or edited albums, comments and contacts"
