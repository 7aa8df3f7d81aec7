"""Contents that come back, in SQL: out of quarantine, if need be, and to a file as its next version."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.contract import ContentPlace
from skyshelf.storage.metadata.sql.content import refer_many
from skyshelf.storage.metadata.sql.files_bulk import insert_versions
from skyshelf.storage.metadata.sql.media_facts import await_dates
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine
from skyshelf.storage.metadata.sql.quota import add_used
from skyshelf.storage.metadata.sql.statements import Sql, raw
from skyshelf.storage.metadata.sql.tree.objects import file_of
from skyshelf.wire.names import category

_MEDIA = ("photo", "video")
_OF_CONTENT = ("size", "sha256", "md5", "mime_type", "mime_subtype", "arrived_at", "taken_at", "taken_day")


def give_content(stored: StoredObject, target: StoredObject, now: int) -> StoredObject:
    """Return the object with the content of another state of it, as its next version."""
    content = {name: getattr(target, name) for name in _OF_CONTENT}
    return replace(stored, **content, version=stored.version + 1, updated_at=now)


def _file(stored: StoredObject, place: ContentPlace) -> NewFile:
    # What the pictures show of themselves is read again.
    needs_date = category(stored.mime_type) in _MEDIA
    return file_of(stored, place.location, md5=place.md5, size=place.size, created_by="", needs_date=needs_date)


def refer_to(sql: Sql, given: Sequence[StoredObject], places: dict[str, ContentPlace], now: int) -> dict[str, int]:
    """Count one more reference for each, out of quarantine if need be; the bytes that come to be used, by category."""
    quarantine = SqlQuarantine(sql)
    for content in sorted({str(one.sha256) for one in given}):
        if places[content].is_quarantined:
            quarantine.reinstate(places[content].location)
    if given:
        refer_many(sql, [_file(one, places[str(one.sha256)]) for one in given], now)
    used: Counter[str] = Counter()
    for one in given:
        used[category(one.mime_type)] += one.size
    return dict(used)


def add_versions(
    sql: Sql, given: Sequence[StoredObject], places: dict[str, ContentPlace], now: int, *, moved: Mapping[str, int]
) -> None:
    """The versions of objects that are stored by now; history no longer has to keep their contents.

    Those of `moved` have a version with that content already, which becomes the current one.
    """
    files = [(one, _file(one, places[str(one.sha256)])) for one in given]
    insert_versions(sql, [(one, file) for one, file in files if one.object_key not in moved], now)
    sql.run_many(
        "UPDATE versions SET version = :version, created_at = :now, created_by = '', file_created_at = :created,"
        " last_modified_at = :modified WHERE account_id = :account AND object_key = :key AND version = :moved",
        [
            {
                "account": one.account_id,
                "key": raw(one.object_key),
                "moved": moved[one.object_key],
                "version": one.version,
                "now": now,
                "created": one.file_created_at,
                "modified": one.last_modified_at,
            }
            for one in given
            if one.object_key in moved
        ],
    )
    await_dates(sql, files)
    _keep_no_longer(sql, given)


def _keep_no_longer(sql: Sql, given: Sequence[StoredObject]) -> None:
    """Count no content twice: what files have again, history need not keep."""
    if not given:
        return
    account_id = given[0].account_id
    again = {(raw(one.object_key), raw(str(one.sha256))) for one in given}
    kept = sql.all(
        "SELECT object_key, content, size FROM kept_contents WHERE account_id = :account AND object_key ="
        " ANY_KEY(:keys)",
        {"account": account_id, "keys": sorted({key for key, _ in again})},
    )
    sql.run_many(
        "DELETE FROM kept_contents WHERE account_id = :account AND object_key = :key AND content = :content",
        [{"account": account_id, "key": key, "content": content} for key, content in sorted(again)],
    )
    sizes = [size for key, content, size in kept if (bytes(key), bytes(content)) in again]
    add_used(sql, account_id, {}, history=-sum(sizes))
