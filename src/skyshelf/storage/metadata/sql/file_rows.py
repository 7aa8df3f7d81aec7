"""The rows of a file's versions."""

from collections.abc import Sequence

from skyshelf.storage.metadata.files import NewFile
from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.tree import StoredObject


def insert_versions(sql: Sql, files: Sequence[tuple[StoredObject, NewFile]], now: int) -> None:
    """The current version of each object, with what arrived for it."""
    sql.insert_many(
        "INSERT INTO versions (account_id, object_key, version, content, md5, size, category, mime_type,"
        " mime_subtype, created_at, created_by, file_created_at, last_modified_at) VALUES (:account, :key,"
        " :version, :content, :md5, :size, :category, :mime_type, :mime_subtype, :now, :by, :created, :modified)",
        [
            {
                "account": stored.account_id,
                "key": raw(stored.object_key),
                "version": stored.version,
                "content": raw(file.sha256),
                "md5": raw(file.md5),
                "size": file.size,
                "category": file.category,
                "mime_type": file.mime_type,
                "mime_subtype": file.mime_subtype,
                "now": now,
                "by": file.created_by,
                "created": file.file_created_at,
                "modified": file.last_modified_at,
            }
            for stored, file in files
        ],
    )
