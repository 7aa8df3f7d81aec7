"""The table of what an account may store: no table of the database, and no bound, is missing from it."""

import re
from pathlib import Path
from string import Formatter

from tools.generate.budget import DOES, OF_SERVER, ROWS, sections

from skyshelf.storage.metadata.sql.bounds import BOUNDS
from skyshelf.storage.metadata.sql.migrate import FOLDER
from skyshelf.wire import limits

WORDS = Path(__file__).parents[2] / "web" / "src" / "words"
COUNTED = {"objects", "uploadBytes", "historyBytes", "proofBytes", "changes", "thumbnailBytes"}


def columns_of_tables() -> dict[str, str]:
    schema = "\n".join(file.read_text() for file in sorted(FOLDER.glob("*.sql")))
    return dict(re.findall(r"^CREATE TABLE (\w+) \((.*?)^\)", schema, re.DOTALL | re.MULTILINE))


def test_every_table_is_bounded_or_says_why_it_need_not_be() -> None:
    tables = columns_of_tables()
    assert len(tables) > 50
    of_accounts = [name for row in ROWS for name in row.tables.split()]
    assert len(of_accounts) == len(set(of_accounts))
    assert set(of_accounts) | set(OF_SERVER) == set(tables)
    assert not set(of_accounts) & set(OF_SERVER)
    owned = {name for name, columns in tables.items() if re.search(r"\b(account_id|account_key|owner_id)\b", columns)}
    assert owned & set(OF_SERVER) == {"accounts", "account_counters", "promotions"}


def test_the_table_names_limits_that_exist_and_every_bound_that_is_checked() -> None:
    named = {name for row in ROWS for _, name, _, _ in Formatter().parse(row.bound) if name}
    assert all(hasattr(limits, name) for name in named | {name for _, name in DOES})
    assert {bound.limit for bound in BOUNDS.values()} <= named
    assert "{" not in "".join(sections())


def test_each_kind_has_words_in_each_language() -> None:
    for language in ("en", "de"):
        words = set(re.findall(r"'storage\.kept\.(\w+)'", (WORDS / f"{language}.ts").read_text()))
        assert words == {*BOUNDS, *COUNTED, "text", "of"}
