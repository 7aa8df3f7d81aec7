"""`skyshelf account storage`: what takes up space."""

from collections.abc import Iterator

import click

from skyshelf.cli.base.account_records import StorageRecord
from skyshelf.cli.base.file_records import CopiesRecord, ObjectRecord, OldVersionsRecord, object_record
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import KEY
from skyshelf.cli.base.text import visible
from skyshelf.client.api.account import StorageReport
from skyshelf.wire.sizes import format_size


@click.command(
    "storage",
    cls=ClientCommand,
    record=StorageRecord,
    example=("skyshelf account storage", "skyshelf account storage --top 50 --json"),
)
@click.option("--top", type=click.IntRange(1, 100), default=10, show_default=True, help="Number of entries per list.")
def account_storage(*, session: CommandSession, top: int) -> None:
    """Show what takes up space.

    Lists the largest files, files with the same content, and files with earlier versions. To free space: `skyshelf rm`,
    `skyshelf trash empty`, or the storage page of the web client.
    """
    report = session.client.account.storage(limit=top)
    record = _record(report)
    session.out.record(record, _lines(record))


def _record(report: StorageReport) -> StorageRecord:
    use = report.use
    return StorageRecord(
        used_bytes=use.used_space or 0,
        quota_bytes=use.allocated_space or 0,
        photos_bytes=use.photos or 0,
        videos_bytes=use.videos or 0,
        audio_bytes=use.audio or 0,
        documents_bytes=use.documents or 0,
        old_versions_bytes=use.old_versions or 0,
        trash_bytes=use.trash or 0,
        is_estimate=bool(use.is_estimate),
        largest=[object_record(one) for one in report.largest],
        duplicates=[
            CopiesRecord(size_bytes=group.size_in_bytes or 0, files=[object_record(one) for one in group.objects or []])
            for group in report.duplicates
        ],
        old_versions=[
            OldVersionsRecord(
                file=object_record(one.object), versions=one.versions or 0, size_bytes=one.size_in_bytes or 0
            )
            for one in report.old_versions
            if one.object is not None
        ],
    )


def _lines(record: StorageRecord) -> Iterator[str]:
    about = "about " if record.is_estimate else ""
    yield f"{about}{format_size(record.used_bytes)} of {format_size(record.quota_bytes)} used"
    parts = {
        "photos": record.photos_bytes,
        "videos": record.videos_bytes,
        "audio": record.audio_bytes,
        "documents": record.documents_bytes,
        "earlier versions": record.old_versions_bytes,
        "trash": record.trash_bytes,
    }
    yield from table([(f"  {name}", format_size(size)) for name, size in parts.items()])
    if record.largest:
        yield ""
        yield "Largest files"
        yield from table([(f"  {format_size(one.size_bytes or 0)}", *_named(one)) for one in record.largest])
    if record.duplicates:
        yield ""
        yield "Same content"
        for group in record.duplicates:
            spare = format_size(group.size_bytes * (len(group.files) - 1))
            copies, each = format_count(len(group.files), "file"), format_size(group.size_bytes)
            yield f"  {copies} of {each}; {spare} could be freed"
            yield from table([(f"    {name}", key) for name, key in map(_named, group.files)])
    if record.old_versions:
        yield ""
        yield "Earlier versions"
        yield from table(
            [
                (f"  {format_size(one.size_bytes)}", format_count(one.versions, "version"), *_named(one.file))
                for one in record.old_versions
            ]
        )


def _named(one: ObjectRecord) -> tuple[str, str]:
    return visible(one.name), f"{KEY}{one.object_key}"
