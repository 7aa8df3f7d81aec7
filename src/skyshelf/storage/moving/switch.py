"""The rows of a moved store: new locations, a new generation, and nothing that belongs to the old place."""

from collections.abc import Container, Mapping
from typing import Final

import msgspec

from skyshelf.storage.identity import SETTING as IDENTITY
from skyshelf.storage.identity import Identity
from skyshelf.storage.metadata.read_only import MOVE, MoveRecord, even_while_read_only
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.sql.statements import Params
from skyshelf.storage.metadata.sql.unit import SqlUnit
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.transfer.copying import Change
from skyshelf.storage.metadata.transfer.tables import Rows, Table, TransferFailed
from skyshelf.storage.moving.locations import Locations

LEFT_BEHIND: Final = ("thumbnails", "damaged_contents", "quarantine")
"""Tables that are about places in the old blob store. Thumbnails are made again; what is in quarantine stays there."""
RELOCATED: Final = ("blobs",)
_PAGE: Final = 500

Tokens = Mapping[tuple[bytes, int], str]
"""The new token of each chunk of an unfinished upload, by upload and start."""


def changes_on_the_way(
    identity: Identity,
    record: MoveRecord,
    locations: Locations | None,
    tokens: Tokens,
    *,
    lost: Container[bytes] = (),
) -> dict[str, Change]:
    """What becomes of rows on their way into another database; without locations the blobs stay where they are.

    Contents that the source has lost keep their old location, where there is nothing.
    """

    def settings(table: Table, rows: Rows) -> Rows:
        del table
        new = {IDENTITY: msgspec.json.encode(identity), MOVE: msgspec.json.encode(record)}
        kept = [row for row in rows if row[0] not in {READ_ONLY, MOVE, IDENTITY}]
        return [*kept, *new.items()] if any(row[0] == IDENTITY for row in rows) else kept

    changes: dict[str, Change] = {"settings": settings}
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
    changes |= dict.fromkeys(LEFT_BEHIND, lambda _table, _rows: [])
    return changes


def switch_in_place(
    metadata: MetadataStore,
    identity: Identity,
    record: MoveRecord,
    locations: Locations,
    tokens: Tokens,
    *,
    lost: Container[bytes] = (),
) -> None:
    """The same in the same database, where the blobs alone are moved: one transaction."""

    def work(unit: SqlUnit) -> None:
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
        unit.settings.set(IDENTITY, msgspec.json.encode(identity))
        unit.settings.set(MOVE, msgspec.json.encode(record))

    with even_while_read_only():
        metadata.write(work)  # type: ignore[arg-type]  # both stores give units of SQL
