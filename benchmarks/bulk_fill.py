"""An account of millions of files in SQLite, in minutes: one folder is filled as always, and copied by the database.

Every folder has the same names, so columns and terms are copied, and only keys and hashes are new. The hashes grow from
file to file and cover their whole range in the end, so a file that comes later lands anywhere in their indexes. The
indexes are made when all rows are there.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
from msgspec.structs import replace

from benchmarks.metadata import NOW, PAGE, PER_FOLDER, SampleAccount, new_file, new_key
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.search_index import IndexedFields, object_terms
from skyshelf.storage.metadata.sql.statements import raw
from skyshelf.storage.metadata.sqlite.search import in_parts, rowid_of, spaced
from skyshelf.storage.metadata.sqlite.store import SqliteStore

DEEP = 2 * PAGE
FOLDERS_AT_ONCE = 100
_QUICK = ("synchronous = OFF", "journal_mode = MEMORY", "cache_size = -1000000", "foreign_keys = OFF")
# A merge that found something to do counts as at least two changes.
_MERGED, _PAGES_MERGED = 2, 4000
_HASHED, _HASHED_AS_ALWAYS = 64 << 20, 1 << 20

# Of a file that is copied: the folder's number and its own make its place among all of them.
_KEY = "unhex(substr(hex(f.key), 1, 24) || printf('%08X', t.number))"
_CONTENT = f"unhex(printf('%014X', (f.number * {PER_FOLDER} + t.number) * :step) || substr(hex(t.content), 15))"
_MD5 = f"substr({_CONTENT}, 1, 16)"
_WIRE = (
    f"CAST(replace(replace(replace(CAST(t.wire AS TEXT), hex(t.object_key), hex({_KEY})),"
    f" hex(t.parent_key), hex(f.key)), lower(hex(t.md5)), lower(hex({_MD5}))) AS BLOB)"
)
_ENTRY = f":entry + f.number * {PER_FOLDER} + t.number"


class FilledInBulk(SampleAccount):
    """A filled store whose files have versions and contents, so that they can be downloaded."""

    def __init__(self, path: Path, objects: int) -> None:
        self.deep = DEEP
        if path.exists():
            self._open(path)
            return
        store = SqliteStore(path)
        super().__init__(store, 0)
        self.deep = DEEP
        self._put(self.page_folder, PAGE)
        self._put(self.deep_folder, DEEP)
        original = self.folder(self.archive, "folder 0")
        self._put(original, PER_FOLDER)
        copies = max(0, objects - PAGE - DEEP - PER_FOLDER) // PER_FOLDER
        names = [f"folder {number}" for number in range(1, copies + 1)]
        folders = [NewFolder(object_key=new_key(), parent_key=self.archive, name=name) for name in names]
        for start in range(0, copies, FOLDERS_AT_ONCE):
            self._add(folders[start : start + FOLDERS_AT_ONCE])
        store.close()
        if copies:
            _Copier(path, self.account.account_id, original).copy([raw(one.object_key) for one in folders])
        self._open(path)
        self.store.analyze()

    def _open(self, path: Path) -> None:
        """What is in a file that was filled before."""
        self.store = SqliteStore(path)
        with self.store.read() as unit:
            (self.account,) = unit.accounts.list()
            account_id = self.account.account_id
            keys = {
                one.name: one.object_key for one in unit.tree.children(account_id, self.account.root_key, limit=PAGE)
            }
            self.page_folder, self.deep_folder = keys["page"], keys["deep"]
            self.elsewhere = keys["elsewhere"]
            self.archive = keys["archive"]
            children = unit.tree.children(account_id, self.page_folder, limit=PAGE)
            self.page_keys = [one.object_key for one in children]

    def _add(self, folders: Sequence[NewFolder]) -> None:
        account_id = self.account.account_id
        self.store.write(lambda unit: [unit.tree.add_folder(account_id, one, NOW) for one in folders])

    def _put(self, folder_key: str, count: int) -> None:
        files = [_file(folder_key, number) for number in range(count)]
        account_id = self.account.account_id
        self.store.write(lambda unit: unit.files.put_many(account_id, files, NOW, keep_versions=20))


def _file(folder_key: str, number: int) -> NewFile:
    new = new_file(folder_key, f"IMG_{number:06d} – Ferien am Meer.jpg")
    return replace(new, size=number * 1000, file_created_at=NOW - number, last_modified_at=NOW - number * 2)


class _Copier:
    """Copies one folder's files into others, with a connection that waits for nothing."""

    def __init__(self, path: Path, account_id: int, original: str) -> None:
        self._database = apsw.Connection(str(path))
        self._account_id = account_id
        self._original = raw(original)
        for pragma in _QUICK:
            self._database.execute(f"PRAGMA {pragma}").close()

    def copy(self, folders: Sequence[bytes]) -> None:
        run = self._database.execute
        indexes = list(
            run(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
                " AND tbl_name IN ('objects', 'versions', 'blobs', 'search_entries')"
            )
        )
        for name, _ in indexes:
            run(f"DROP INDEX {name}").close()
        self._note_originals()
        run("INSERT INTO search_terms (search_terms, rank) VALUES ('hashsize', ?)", (_HASHED,)).close()
        (highest,) = next(run("SELECT max(entry) FROM search_entries"))
        step = (1 << 56) // ((len(folders) + 2) * PER_FOLDER)
        for start in range(0, len(folders), FOLDERS_AT_ONCE):
            run("BEGIN").close()
            run("DELETE FROM temp.folders").close()
            some = enumerate(folders[start : start + FOLDERS_AT_ONCE], start + 1)
            self._database.executemany("INSERT INTO temp.folders VALUES (?, ?)", list(some))
            self._copy_rows({"step": step, "entry": highest})
            run("COMMIT").close()
            print(f"  {(start + FOLDERS_AT_ONCE) * PER_FOLDER:,} files", flush=True)
        run("INSERT INTO search_terms (search_terms, rank) VALUES ('hashsize', ?)", (_HASHED_AS_ALWAYS,)).close()
        self._settle()
        for _, sql in indexes:
            run(sql).close()
        self._count(len(folders) * PER_FOLDER)
        self._database.close()

    def _settle(self) -> None:
        """Merge the parts of the search index that are due, as writes would have done one after the other."""
        changed = self._database.total_changes() - _MERGED
        while self._database.total_changes() - changed >= _MERGED:
            changed = self._database.total_changes()
            self._database.execute(
                "INSERT INTO search_terms (search_terms, rank) VALUES ('merge', ?)", (_PAGES_MERGED,)
            ).close()

    def _note_originals(self) -> None:
        run = self._database.execute
        run("CREATE TEMP TABLE folders (number INTEGER PRIMARY KEY, key BLOB)").close()
        run(
            "CREATE TEMP TABLE originals AS SELECT row_number() OVER (ORDER BY object_key) - 1 AS number, *"
            " FROM objects WHERE parent_key = ?",
            (self._original,),
        ).close()
        # None of the statements that copy reads a table that grows.
        for table, key in (("blobs", "content"), ("versions", "object_key")):
            run(
                f"CREATE TEMP TABLE {table}_originals AS SELECT t.number, b.* FROM temp.originals t"
                f" CROSS JOIN {table} b ON b.{key} = t.{key}"
            ).close()
        run("CREATE TEMP TABLE terms (number INTEGER PRIMARY KEY, terms TEXT)").close()
        rows: list[Any] = run(
            "SELECT number, name, source_folder, kind, mime_type, size, last_modified_at, file_created_at, taken_at"
            " FROM temp.originals"
        ).fetchall()
        terms = [(row[0], spaced(object_terms(IndexedFields(row[1], row[2], row[3] == 0, *row[4:])))) for row in rows]
        self._database.executemany("INSERT INTO temp.terms VALUES (?, ?)", terms)

    def _copy_rows(self, params: dict[str, int]) -> None:
        new = {"object_key": _KEY, "parent_key": "f.key", "content": _CONTENT, "md5": _MD5, "wire": _WIRE}
        run = self._database.execute
        for table, originals in (
            ("blobs", "blobs_originals"),
            ("objects", "originals"),
            ("versions", "versions_originals"),
        ):
            columns = self._columns(table, new)
            run(
                f"INSERT INTO {table} SELECT {columns} FROM temp.folders f CROSS JOIN temp.{originals} t", params
            ).close()
        run(
            f"INSERT INTO search_entries (entry, account_id, object_key) SELECT {_ENTRY}, t.account_id, {_KEY}"
            " FROM temp.folders f CROSS JOIN temp.originals t",
            params,
        ).close()
        run(
            f"INSERT INTO search_terms (rowid, terms) SELECT {rowid_of(f'({_ENTRY})')},"
            f" {in_parts('t.terms', f'({_ENTRY})')}"
            " FROM temp.folders f CROSS JOIN temp.terms t",
            params,
        ).close()

    def _columns(self, table: str, new: dict[str, str]) -> str:
        names = [row[1] for row in self._database.execute(f"PRAGMA table_info({table})")]
        ours = {**new, "location": f"'bulk/' || lower(hex({_CONTENT}))"}
        return ", ".join(ours.get(name, f"t.{name}") for name in names)

    def _count(self, objects: int) -> None:
        params = {"objects": objects, "account": self._account_id}
        self._database.execute(
            "UPDATE account_counters SET objects = objects + :objects, photo_used = photo_used + :objects * 500"
            " WHERE account_id = :account",
            params,
        )
        self._database.execute(
            "INSERT INTO timeline_months SELECT account_id, timeline_month, parent_key, count(*) FROM objects"
            " WHERE account_id = :account AND status = 'A' AND timeline_month IS NOT NULL"
            " GROUP BY account_id, timeline_month, parent_key ON CONFLICT DO NOTHING",
            params,
        )
