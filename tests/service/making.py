"""Files and folders, made without HTTP."""

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder, Trash


def folder(ctx: ServiceContext, account: Account, name: str, parent_key: str | None = None) -> str:
    """A folder; its key."""
    new = NewFolder(object_key=ctx.new_key(), parent_key=parent_key or account.root_key, name=name)
    now = ctx.clock.now()
    return ctx.metadata.write(lambda unit: unit.tree.add_folder(account.account_id, new, now)).object_key


def file(
    ctx: ServiceContext, account: Account, name: str, data: bytes, parent_key: str | None = None
) -> tuple[str, str]:
    """A file; its key and the location of its bytes."""
    stored, now = ctx.blobs.put([data]), ctx.clock.now()
    new = NewFile(
        object_key=ctx.new_key(),
        parent_key=parent_key or account.root_key,
        name=name,
        sha256=stored.sha256,
        md5=stored.md5,
        size=stored.size,
        location=stored.location,
        category="document",
        mime_type="text",
        mime_subtype="plain",
        file_created_at=now,
        last_modified_at=now,
        created_by="Ada",
    )
    put = ctx.metadata.write(lambda unit: unit.files.put(account.account_id, new, now, keep_versions=20))
    return put.object.object_key, stored.location


def trash(ctx: ServiceContext, account: Account, *keys: str) -> None:
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.tree.apply(account.account_id, [Trash(key) for key in keys], now))
