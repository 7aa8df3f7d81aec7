"""Migrations of versions to come, made up for the tests: the steps that a real one may have.

They follow the real ones. A test takes the fixture `later_migrations`, and the program then knows all of these.
"""

import shutil
from pathlib import Path

import pytest

from skyshelf.storage.metadata.sql import migrate
from skyshelf.storage.metadata.sql.migrate import RowWork
from skyshelf.storage.metadata.sql.statements import Sql

_TEXTS = {
    "note_length": """
ALTER TABLE objects ADD COLUMN note_length {int} NOT NULL DEFAULT 0;
UPDATE objects SET note_length = 1;
CREATE INDEX objects_notes ON objects (account_id, note_length);
""",
    "notes": """
-- It refers to the objects.
CREATE TABLE notes (
  account_id {int} NOT NULL,
  object_key {key} NOT NULL,
  note {text} NOT NULL,
  PRIMARY KEY (account_id, object_key),
  FOREIGN KEY (account_id, object_key) REFERENCES objects (account_id, object_key) ON DELETE CASCADE
){strict};

-- @back: the notes
DROP TABLE notes;
""",
    "reversed_names": """
-- Names of tags are reversed, which SQL alone cannot do.
CREATE INDEX tags_by_name ON tags (account_id, name);

-- @back: nothing
DROP INDEX tags_by_name;
""",
    "stars": """
-- @online: older servers know nothing of this table, and nothing that they write has to be in it.
CREATE TABLE stars (
  object_key {key} PRIMARY KEY,
  stars {int} NOT NULL
){strict};
CREATE INDEX stars_by_number ON stars (stars);

-- @back: the stars
DROP TABLE stars;
""",
}
REAL = migrate.newest()
COUNT = REAL + len(_TEXTS)
WITHOUT_WAY_BACK = REAL + 1
REFERRING_TO_OBJECTS = REAL + 2
WITH_ROW_WORK = REAL + 3
ONLINE = REAL + 4
WITH_WAY_BACK = (REAL + 2, REAL + 3, REAL + 4)


def _reverse(sql: Sql) -> None:
    for key, name in sql.all("SELECT tag_key, name FROM tags"):
        sql.run("UPDATE tags SET name = :name WHERE tag_key = :key", {"name": name[::-1], "key": bytes(key)})


def write_later(folder: Path) -> None:
    """Write all migrations into a folder: the real ones, and those made up."""
    for real in migrate.FOLDER.glob("*.sql"):
        shutil.copy(real, folder)
    for number, (name, text) in enumerate(_TEXTS.items(), REAL + 1):
        (folder / f"{number:04d}_{name}.sql").write_text(text, "utf-8")


def use_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program know the migrations of `write_later`."""
    write_later(folder)
    monkeypatch.setattr(migrate, "FOLDER", folder)
    work = RowWork(_reverse, _reverse, table="tags", microseconds=250)
    monkeypatch.setitem(migrate.ROW_WORK, "reversed_names", work)
