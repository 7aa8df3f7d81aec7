"""The rows of a moved store: new locations, a new generation, and nothing that belongs to the old place."""

from collections.abc import Container, Mapping
from typing import Final

from skyshelf.storage.identity import SETTING as IDENTITY
from skyshelf.storage.identity import Identity
from skyshelf.storage.metadata.read_only import MOVE, MoveRecord, even_while_read_only
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.sql.statements import Params
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.transfer.tables import Change, Rows, Table, TransferFailed
from skyshelf.storage.moving.copies import Locations

LEFT_BEHIND: Final = ("thumbnails", "damaged_contents", "quarantine")
"""Tables that are about places in the old blob store. Thumbnails are made again; what is in quarantine stays there."""
_PAGE: Final = 500

Tokens = Mapping[tuple[bytes, int], str]
"""The new token of each chunk of an unfinished upload, by upload and start."""


def changes_on_the_way(
    settings: Mapping[str, bytes],
    locations: Locations | None,
    tokens: Tokens,
    *,
    lost: Container[bytes] = (),
    left_out: Container[str] = (READ_ONLY,),
) -> dict[str, Change]:
    """Return what becomes of rows on their way into another database; without locations the blobs stay where they are.

    The settings, the identity among them, replace those of the same names. Contents that the source has lost keep their
    old location, where there is nothing.
    """

    def replaced(table: Table, rows: Rows) -> Rows:
        del table
        kept = [row for row in rows if row[0] not in left_out and row[0] not in settings]
        return [*kept, *settings.items()] if any(row[0] == IDENTITY for row in rows) else kept

    changes: dict[str, Change] = {"settings": replaced}
    if locations is None:
        return changes

    def blobs(table: Table, rows: Rows) -> Rows:
        content, location, refs = table.position("content"), table.position("location"), table.position("refs")
        found = locations.of([row[content] for row in rows if row[refs]])
        moved = []
        for row in rows:
            if row[refs] and row[content] in lost and row[content] not in found:
                moved.append(row)
            elif row[refs]:
                if row[content] not in found:
                    raise TransferFailed(f"The content {row[content].hex()} was not copied: run the same move again")
                moved.append((*row[:location], found[row[content]][0], *row[location + 1 :]))
        return moved

    def parts(table: Table, rows: Rows) -> Rows:
        key, start, token = table.position("upload_key"), table.position("start"), table.position("token")
        return [(*row[:token], tokens.get((row[key], row[start]), row[token]), *row[token + 1 :]) for row in rows]

    changes |= {"blobs": blobs, "upload_parts": parts}
    changes |= dict.fromkeys(LEFT_BEHIND, left_behind)
    return changes


def left_behind(_table: Table, _rows: Rows) -> Rows:
    """Leave out all rows."""
    return []


def switch_in_place(
    metadata: MetadataStore,
    identity: Identity,
    record: MoveRecord,
    locations: Locations,
    tokens: Tokens,
    *,
    lost: Container[bytes] = (),
) -> None:
    """Do the same in the same database, where only the blobs are moved, in one transaction."""

    def work(unit: Unit) -> None:
        sql = unit.sql
        for table in LEFT_BEHIND:
            sql.run(f"DELETE FROM {table}")  # noqa: S608 - names of our own
        sql.run("DELETE FROM blobs WHERE refs = 0")
        after = ""
        while page := unit.inspection.contents(after, limit=_PAGE):
            found = locations.of([bytes.fromhex(one.sha256) for one in page])
            for one in page:
                if (content := bytes.fromhex(one.sha256)) not in found and content not in lost:
                    raise TransferFailed(f"The content {one.sha256} was not copied: run the same move again")
            rows: list[Params] = [{"content": content, "location": place} for content, (place, _) in found.items()]
            sql.run_many("UPDATE blobs SET location = :location WHERE content = :content", rows)
            after = page[-1].sha256
        sql.run_many(
            "UPDATE upload_parts SET token = :token WHERE upload_key = :key AND start = :start",
            [{"key": key, "start": start, "token": token} for (key, start), token in tokens.items()],
        )
        unit.settings.store(IDENTITY, identity)
        unit.settings.store(MOVE, record)

    with even_while_read_only():
        metadata.write(work)
