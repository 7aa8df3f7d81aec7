"""Contents that come back, in SQL: out of quarantine, if need be, and to a file as its next version."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.contract import ContentPlace
from skyshelf.storage.metadata.sql.content import release_versions
from skyshelf.storage.metadata.sql.files_bulk import insert_versions
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine
from skyshelf.storage.metadata.sql.statements import Params, Sql, digest_text, raw
from skyshelf.storage.metadata.sql.undated import await_dates
from skyshelf.wire.names import category

_MEDIA = ("photo", "video")


def content_places(sql: Sql, contents: Iterable[str]) -> dict[str, ContentPlace]:
    """Where the bytes of contents are; those that are gone are left out."""
    wanted = sorted({raw(content) for content in contents})
    if not wanted:
        return {}
    # What is in quarantine comes first: what is in use replaces it.
    rows = sql.all(
        "SELECT content, location, size, md5, 1 FROM quarantine WHERE content = ANY_KEY(:contents) AND kind = 'blob'"
        " AND deleting = 0 AND md5 IS NOT NULL",
        {"contents": wanted},
    )
    rows += sql.all(
        "SELECT content, location, size, md5, 0 FROM blobs WHERE content = ANY_KEY(:contents)", {"contents": wanted}
    )
    return {
        digest_text(content): ContentPlace(location, size, digest_text(md5), bool(quarantined))
        for content, location, size, md5, quarantined in rows
    }


def give_content(stored: StoredObject, target: StoredObject, now: int) -> StoredObject:
    """The object with the content of another state of it, as its next version."""
    return replace(
        stored,
        size=target.size,
        sha256=target.sha256,
        md5=target.md5,
        version=stored.version + 1,
        mime_type=target.mime_type,
        mime_subtype=target.mime_subtype,
        arrived_at=target.arrived_at,
        taken_at=target.taken_at,
        taken_day=target.taken_day,
        updated_at=now,
    )


def _file(stored: StoredObject, place: ContentPlace) -> NewFile:
    assert stored.sha256 is not None
    assert stored.parent_key is not None
    kind = category(stored.mime_type)
    return NewFile(
        object_key=stored.object_key,
        parent_key=stored.parent_key,
        name=stored.name,
        sha256=stored.sha256,
        md5=place.md5,
        size=place.size,
        location=place.location,
        category=kind,
        mime_type=stored.mime_type,
        mime_subtype=stored.mime_subtype,
        file_created_at=stored.file_created_at,
        last_modified_at=stored.last_modified_at,
        created_by="",
        # What the pictures show of themselves is read again.
        needs_date=kind in _MEDIA,
    )


def refer_to(sql: Sql, given: Sequence[StoredObject], places: dict[str, ContentPlace], now: int) -> dict[str, int]:
    """Count one more reference for each, out of quarantine if need be; the bytes that come to be used, by category."""
    more = Counter(str(one.sha256) for one in given)
    quarantine = SqlQuarantine(sql)
    for content in sorted(more):
        if places[content].is_quarantined:
            quarantine.reinstate(places[content].location)
    # In the order of the digests, so two transactions cannot wait for each other.
    sql.insert_many(
        "INSERT INTO blobs (content, location, size, md5, refs, created_at, idle_since)"
        " VALUES (:content, :location, :size, :md5, :more, :now, 0)"
        " ON CONFLICT (content) DO UPDATE SET refs = blobs.refs + excluded.refs",
        [
            {
                "content": raw(content),
                "location": places[content].location,
                "size": places[content].size,
                "md5": raw(places[content].md5),
                "more": more[content],
                "now": now,
            }
            for content in sorted(more)
        ],
    )
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
    sql.run_many(
        "DELETE FROM kept_contents WHERE account_id = :account AND object_key = :key AND content = :content",
        [{"account": one.account_id, "key": raw(one.object_key), "content": raw(str(one.sha256))} for one in given],
    )


def drop_old_versions(sql: Sql, account_id: int, object_keys: Sequence[str], keep: int, now: int) -> None:
    """Versions beyond those that files keep; history keeps their contents."""
    if not object_keys:
        return
    params: Params = {"account": account_id, "keys": sorted(raw(key) for key in object_keys), "kept": keep}
    gone = sql.all(
        "DELETE FROM versions WHERE account_id = :account AND object_key = ANY_KEY(:keys) AND version <="
        " (SELECT o.version - :kept FROM objects o WHERE o.account_id = versions.account_id"
        " AND o.object_key = versions.object_key) RETURNING content, category, size, object_key, version",
        params,
    )
    release_versions(sql, account_id, gone, now)
