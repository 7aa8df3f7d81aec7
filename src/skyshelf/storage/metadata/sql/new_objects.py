"""Objects as they begin: what a folder and a file have in common is said once."""

from msgspec.structs import replace

from skyshelf.storage.metadata.files import NewFile
from skyshelf.storage.metadata.tree import ACTIVE, StoredObject


def new_folder(
    account_id: int, object_key: str, parent_key: str | None, name: str, now: int, *, source_name: str = "DRIVE"
) -> StoredObject:
    """A folder that nothing is in yet; the root of an account is the only one without a parent."""
    return StoredObject(
        account_id=account_id,
        object_key=object_key,
        parent_key=parent_key,
        is_folder=True,
        status=ACTIVE,
        name=name,
        size=0,
        file_created_at=now,
        last_modified_at=now,
        sha256=None,
        md5=None,
        version=1,
        mime_type="",
        mime_subtype="",
        source_name=source_name,
        source_folder="",
        app_code="",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=now,
        updated_at=now,
        arrived_at=now,
        trashed_at=0,
        taken_at=None,
        taken_day=None,
    )


def new_file(account_id: int, file: NewFile, now: int) -> StoredObject:
    """A file in its first version."""
    return replace(
        new_folder(account_id, file.object_key, file.parent_key, file.name, now, source_name=file.source_name),
        is_folder=False,
        size=file.size,
        file_created_at=file.file_created_at,
        last_modified_at=file.last_modified_at,
        sha256=file.sha256,
        md5=file.md5,
        mime_type=file.mime_type,
        mime_subtype=file.mime_subtype,
        source_folder=file.source_folder,
        app_code=file.app_code,
        taken_at=file.taken_at,
        taken_day=file.taken_day,
    )
