"""What is really in the metadata, read in one moment, in a form that can be laid beside a shelf."""

from dataclasses import dataclass, field

from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.statements import digest_text, key_text
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from
from skyshelf.storage.metadata.sql.unit import SqlUnit

VersionFound = tuple[str, str, int]
"""SHA-256, MD5 and size."""


@dataclass(frozen=True)
class UploadFound:
    account_id: int
    parent_key: str
    name: str
    size: int
    md5: str
    received: int


@dataclass
class Found:
    """Everything by its key; objects have their effective status, so those below a watermark count as purged."""

    accounts: dict[str, tuple[int, str]] = field(default_factory=dict)
    """account_key → account_id and root_key."""
    objects: dict[str, StoredObject] = field(default_factory=dict)
    versions: dict[str, dict[int, VersionFound]] = field(default_factory=dict)
    uploads: dict[str, UploadFound] = field(default_factory=dict)
    feeds: dict[int, list[tuple[str, str]]] = field(default_factory=dict)


def look(unit: SqlUnit) -> Found:
    found = Found()
    for account in unit.accounts.list(limit=100_000):
        found.accounts[account.account_key] = (account.account_id, account.root_key)
        changes = unit.changes.since(account.account_id, 0, 10_000_000)
        found.feeds[account.account_id] = [(change.kind, change.object_key) for change in changes]
    for row in unit.sql.all(f"SELECT {COLUMNS} FROM objects o"):
        stored = object_from(row)
        found.objects[stored.object_key] = stored
    for key, number, content, md5, size in unit.sql.all("SELECT object_key, version, content, md5, size FROM versions"):
        of_object = found.versions.setdefault(key_text(key), {})
        of_object[number] = (digest_text(content), digest_text(md5), size)
    for key, account_id, parent, name, size, md5, received in unit.sql.all(
        "SELECT upload_key, account_id, parent_key, name, size, md5, received FROM uploads"
    ):
        upload = UploadFound(account_id, key_text(parent), name, size, digest_text(md5), received)
        found.uploads[key_text(key)] = upload
    return found
