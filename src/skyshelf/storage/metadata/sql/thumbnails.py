"""Thumbnails in SQL."""

from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.thumbnails import KeptThumbnail


class SqlThumbnails:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, sha256: str, size: int, form: str) -> KeptThumbnail | None:
        row = self._sql.one(
            "SELECT location, bytes FROM thumbnails WHERE content = :content AND size = :size AND form = :form",
            {"content": raw(sha256), "size": size, "form": form},
        )
        return KeptThumbnail(*row) if row else None

    def keep(self, sha256: str, size: int, form: str, thumbnail: KeptThumbnail, now: int) -> KeptThumbnail:
        self._sql.run(
            "INSERT INTO thumbnails (content, size, form, location, bytes, created_at)"
            " SELECT b.content, :size, :form, :location, :bytes, :now FROM blobs b WHERE b.content = :content"
            " ON CONFLICT (content, size, form) DO NOTHING",
            {
                "content": raw(sha256),
                "size": size,
                "form": form,
                "location": thumbnail.location,
                "bytes": thumbnail.size,
                "now": now,
            },
        )
        return self.get(sha256, size, form) or KeptThumbnail("", 0)
