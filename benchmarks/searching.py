"""An account with many names to search and many changes to follow, on either database."""

import hashlib
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real_parts.postgres import fresh_schema, running_postgres

from benchmarks.metadata import NOW, Store, new_key
from skyshelf.storage.metadata.contracts.accounts import Account, NewAccount
from skyshelf.storage.metadata.contracts.tree import ACTIVE, NewFolder, StoredObject
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.account_lock import NewChange, lock_account, record_changes
from skyshelf.storage.metadata.sql.tree.objects import insert_objects
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.wire.names import split_mime

PER_FOLDER = 1000
BATCH = 2000
_WORDS = (
    *("Ferien", "Meer", "Straße", "café", "report", "invoice", "summer", "holiday", "draft", "notes", "budget"),
    *("garden", "music", "lecture", "ticket", "recipe", "écharpe", "niño", "Müller", "Łódź", "отчёт", "фото"),
    *("写真", "会議", "旅行", "가족", "사진", "scan", "final", "backup", "winter", "birthday", "contract", "letter"),
)


@contextmanager
def store(kind: str) -> Iterator[Store]:
    """An empty store of a kind."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="skyshelf-bench-") as folder:
            opened: Store = SqliteStore(Path(folder) / "metadata.db")
            try:
                yield opened
            finally:
                opened.close()
        return
    with running_postgres() as server:
        opened = PostgresStore(fresh_schema(server, "bench"))
        try:
            opened.migrate()
            yield opened
        finally:
            opened.close()


class SearchAccount:
    """Half photographs with numbers for names, half documents of two or three words; one rare name of each sort."""

    def __init__(self, store: Store, objects: int) -> None:
        self.store = store
        self.objects = objects
        new = NewAccount(
            account_key=new_key(),
            root_key=new_key(),
            email="bench@example.org",
            first_name="",
            last_name="",
            password_hash="",
            default_space=1 << 60,
        )
        self.account: Account = store.write(lambda unit: unit.accounts.add(new, NOW))
        self._random = random.Random(7)
        started = time.perf_counter()
        self._fill(objects)
        self.rate = objects / (time.perf_counter() - started)
        store.analyze()

    def _fill(self, objects: int) -> None:
        folder = ""
        for start in range(0, objects, BATCH):
            if start % (10 * PER_FOLDER) == 0:
                made = NewFolder(object_key=new_key(), parent_key=self.account.root_key, name=f"folder {start}")
                folder = self.store.write(
                    lambda unit, made=made: unit.tree.add_folder(self.account.account_id, made, NOW)  # type: ignore[misc]
                ).object_key
            files = [self._file(folder, number) for number in range(start, min(objects, start + BATCH))]
            self.store.write(lambda unit, files=files: self._insert(unit, files))  # type: ignore[misc]

    def _insert(self, unit: object, files: list[StoredObject]) -> None:
        sql = unit.sql  # type: ignore[attr-defined]
        lock = lock_account(sql, self.account.account_id)
        insert_objects(sql, files)
        record_changes(
            sql, self.account.account_id, lock, [NewChange("created", one.object_key) for one in files], NOW, folders=()
        )

    def _name(self, number: int) -> str:
        if number == self.objects // 3:
            return "the one quokka.txt"
        if number == self.objects // 2:
            return "猫.txt"
        if number % 2:
            # Scattered like the numbers of cameras, and never the same twice in a folder.
            return f"IMG_{number * 48_271 % 10**8:08d}.jpg"
        words = " ".join(self._random.choice(_WORDS) for _ in range(self._random.randrange(2, 4)))
        return f"{words} {number}.pdf"

    def _file(self, folder_key: str, number: int) -> StoredObject:
        name = self._name(number)
        digest = hashlib.sha256(f"{folder_key}{number}".encode()).hexdigest()
        mime_type, mime_subtype = split_mime(name)
        return StoredObject(
            account_id=self.account.account_id,
            object_key=new_key(),
            parent_key=folder_key,
            is_folder=False,
            status=ACTIVE,
            name=name,
            size=number,
            file_created_at=NOW - number,
            last_modified_at=NOW - number,
            sha256=digest,
            md5=digest[:32],
            version=1,
            mime_type=mime_type,
            mime_subtype=mime_subtype,
            source_name="DRIVE",
            source_folder="",
            app_code="",
            is_hidden=False,
            is_locked=False,
            is_readonly=False,
            is_favorite=number % 5000 == 0,
            created_at=NOW,
            updated_at=NOW,
            arrived_at=NOW,
            trashed_at=0,
            taken_at=None,
            taken_day=None,
        )
