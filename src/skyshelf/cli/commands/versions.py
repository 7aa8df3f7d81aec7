"""`skyshelf versions`: earlier versions of a file."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import DownloadRecord, ObjectRecord, VersionRecord, object_record
from skyshelf.cli.base.output import table
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import display_name, known_path, locate, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.get import allow_unverified_option
from skyshelf.client.errors import NotOfferedError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.client_errors import INVALID_REQUEST_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.versions import FileVersion
from skyshelf.wire.sizes import format_size


@click.group("versions")
def versions() -> None:
    """List, download and restore earlier versions of a file."""


@versions.command("ls", cls=ClientCommand, record=VersionRecord, many=True, example="skyshelf versions ls /notes.txt")
@click.argument("path")
def versions_ls(*, session: CommandSession, path: str) -> None:
    """List a file's versions, newest first."""

    def lines(found: Iterable[FileVersion]) -> Iterator[str]:
        rows = (
            (
                str(one.version),
                "" if one.size_in_bytes is None else format_size(one.size_in_bytes),
                local_time(one.created_date),
                visible(_author(one) or ""),
                "current" if one.is_current_version else "",
            )
            for one in found
        )
        yield from table(rows, right=frozenset({0, 1}))

    found = session.client.versions.list(target(path)).obj_versions or []
    session.out.records(found, _record, lines)


def _author(one: FileVersion) -> str | None:
    return one.version_created_by.first_name if one.version_created_by else None


def _record(one: FileVersion) -> VersionRecord:
    return VersionRecord(
        version=one.version,
        is_current=bool(one.is_current_version),
        size_bytes=one.size_in_bytes,
        md5=one.hash,
        created=utc_time(one.created_date),
        author=_author(one),
    )


@versions.command(
    "get", cls=ClientCommand, record=DownloadRecord, example="skyshelf versions get /notes.txt 2 notes-before.txt"
)
@click.argument("path")
@click.argument("version", type=click.IntRange(1))
@click.argument("destination", type=click.Path(path_type=Path), metavar="DEST")
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
@allow_unverified_option
def versions_get(
    *,
    session: CommandSession,
    path: str,
    version: int,
    destination: Path,
    overwrite: bool,
    allow_unverified: bool,
) -> None:
    """Download one version of a file."""
    session.resume_hint = "Run the same command again to resume"
    with Meter(session.out, "downloaded") as meter:
        done = session.client.download(
            target(path),
            destination,
            version=version,
            overwrite=overwrite,
            allow_unverified=allow_unverified,
            progress=lambda received, _: meter.moved(path, received),
        )
        meter.finished(str(done.path), done.size)
    session.out.record(
        DownloadRecord(
            path=str(done.path), object_key=done.object_key, size_bytes=done.size, md5=done.md5, verified=done.verified
        )
    )


@versions.command("restore", cls=ClientCommand, record=ObjectRecord, example="skyshelf versions restore /notes.txt 2")
@click.argument("path")
@click.argument("version", type=click.IntRange(1))
def versions_restore(*, session: CommandSession, path: str, version: int) -> None:
    """Make an earlier version the current one. The replaced content is kept as a version."""
    found = locate(session.client, path)
    if found.object.is_folder:
        raise CommandFailed(f"{path} is a folder; only files have versions", INVALID_REQUEST_ERROR.exit_code)
    known = {one.version for one in session.client.versions.list(found.object).obj_versions or ()}
    if version not in known:
        raise CommandFailed(
            f"{path} has no version {version}: `skyshelf versions ls {path}` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    try:
        current = session.client.versions.restore(found.object.key, version)
    except NotOfferedError:
        current = _restore_by_upload(session, found.object, version)
    session.out.record(object_record(current, known_path(found)))
    session.out.note(f"Restored version {version} of {display_name(found)}.")


def _restore_by_upload(session: CommandSession, file: RemoteObject, version: int) -> RemoteObject:
    """Restore a version on a server that has no call for it: download it and upload it again."""
    with TemporaryDirectory(prefix="skyshelf-version-") as folder:
        done = session.client.download(file.key, Path(folder) / "content", version=version)
        assert file.parent_key is not None
        return session.client.upload(done.path, file.parent_key, name=file.name)
