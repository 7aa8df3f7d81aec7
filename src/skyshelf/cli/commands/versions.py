"""`skyshelf versions`: earlier versions of a file."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import click

from skyshelf.cli.base.errors import InvalidRequest, NotFound
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.records import DownloadRecord, ObjectRecord, object_record
from skyshelf.cli.base.session import ClientGroup, CommandSession
from skyshelf.cli.base.targets import display_name, known_path, locate, target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.get import RESUME_HINT, allow_unverified_option
from skyshelf.client.errors import NotOfferedError
from skyshelf.client.objects.remote_object import md5_in
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.objects import FileVersion
from skyshelf.wire.sizes import format_size


@click.group("versions", cls=ClientGroup)
def versions() -> None:
    """List, download and restore earlier versions of a file."""


class VersionRecord(Projection, frozen=True, kw_only=True):
    """A version of a file."""

    version: int
    is_current: Annotated[bool, From("is_current_version")]
    size_bytes: Annotated[int | None, From("size_in_bytes")]
    md5: Annotated[str | None, From(lambda version: md5_in(version.hash))]
    created: Time
    author: Annotated[str | None, From("version_created_by.first_name")]


@versions.command("ls", "skyshelf versions ls /notes.txt", records=VersionRecord)
@click.argument("path")
def versions_ls(*, session: CommandSession, path: str) -> None:
    """List a file's versions, newest first."""
    found = session.client.versions.list(target(path)).obj_versions or []
    session.out.rows(found, VersionRecord.of, _row, right={0, 1})


def _row(one: FileVersion) -> Row:
    author = one.version_created_by.first_name if one.version_created_by else None
    return (
        str(one.version),
        "" if one.size_in_bytes is None else format_size(one.size_in_bytes),
        local_time(one.created_date),
        visible(author or ""),
        "current" if one.is_current_version else "",
    )


@versions.command("get", "skyshelf versions get /notes.txt 2 notes-before.txt", record=DownloadRecord)
@click.argument("path")
@click.argument("version", type=click.IntRange(1))
@click.argument("destination", type=click.Path(path_type=Path), metavar="DEST")
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
@allow_unverified_option
def versions_get(
    *, session: CommandSession, path: str, version: int, destination: Path, overwrite: bool, allow_unverified: bool
) -> None:
    """Download one version of a file."""
    session.resume_hint = RESUME_HINT
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
    session.out.record(DownloadRecord.of(done))


@versions.command("restore", "skyshelf versions restore /notes.txt 2", record=ObjectRecord)
@click.argument("path")
@click.argument("version", type=click.IntRange(1))
def versions_restore(*, session: CommandSession, path: str, version: int) -> None:
    """Make an earlier version the current one. The replaced content is kept as a version."""
    found = locate(session.client, path)
    if found.object.is_folder:
        raise InvalidRequest(f"{path} is a folder; only files have versions")
    known = {one.version for one in session.client.versions.list(found.object).obj_versions or ()}
    if version not in known:
        raise NotFound(f"{path} has no version {version}: `skyshelf versions ls {path}` lists them")
    try:
        current = session.client.versions.restore(found.object.key, version)
    except NotOfferedError:
        # A server without such a call: download the version and upload it again.
        assert found.object.parent_key is not None
        with TemporaryDirectory(prefix="skyshelf-version-") as folder:
            done = session.client.download(found.object.key, Path(folder) / "content", version=version)
            current = session.client.upload(done.path, found.object.parent_key, name=found.object.name)
    session.out.record(object_record(current, known_path(found)))
    session.out.note(f"Restored version {version} of {display_name(found)}.")
