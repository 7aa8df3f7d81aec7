"""The rows of a file: its object, and a version."""

from collections.abc import Sequence

from skyshelf.storage.metadata.files import NewFile
from skyshelf.storage.metadata.sql.keys import raw
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.tree import ACTIVE, StoredObject


def insert_versions(sql: Sql, files: Sequence[tuple[StoredObject, NewFile]], now: int) -> None:
    """The current version of each object, with what arrived for it."""
    sql.run_many(
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


def new_object(account_id: int, file: NewFile, now: int) -> StoredObject:
    return StoredObject(
        account_id=account_id,
        object_key=file.object_key,
        parent_key=file.parent_key,
        is_folder=False,
        status=ACTIVE,
        name=file.name,
        size=file.size,
        file_created_at=file.file_created_at,
        last_modified_at=file.last_modified_at,
        sha256=file.sha256,
        md5=file.md5,
        version=1,
        mime_type=file.mime_type,
        mime_subtype=file.mime_subtype,
        source_name=file.source_name,
        source_folder=file.source_folder,
        app_code=file.app_code,
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=now,
        updated_at=now,
        arrived_at=now,
        trashed_at=0,
        taken_at=file.taken_at,
        taken_day=file.taken_day,
    )
