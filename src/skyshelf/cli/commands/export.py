"""`skyshelf export`: everything in your account, in open forms."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from skyshelf.cli.base.params import FOLDER, SIZE
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.prompts import password_stdin_option, read_confirmation
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import format_count, local_time
from skyshelf.wire.limits import EXPORT_PART_BYTES_DEFAULT, EXPORT_PART_BYTES_MIN
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.download.export import ExportEvent

_UNPACKED_BYTES = 256 * 1024 * 1024


class ExportRecord(Projection, frozen=True, kw_only=True):
    """A complete export; `bytes` is what was downloaded."""

    path: Annotated[str, From(lambda done: str(done.path))]
    begun: Annotated[Time, From("begun_date")]
    parts: int
    files: int
    bytes: Annotated[int, From("bytes_done")]
    is_zipped: bool


@client_command(
    "export",
    "skyshelf export my-account",
    "skyshelf export my-account --zip --part-size 4GiB",
    'echo "$PASSWORD" | skyshelf export my-account --password-stdin --json',
    record=ExportRecord,
)
@click.argument("folder", type=FOLDER, metavar="FOLDER")
@click.option("--zip", "keep_zips", is_flag=True, help="Keep ZIP files instead of unpacking them.")
@click.option("--part-size", type=SIZE, help="Size of the parts.  [default: 256MiB; with --zip, 2GiB]", metavar="SIZE")
@password_stdin_option
def export(
    *, session: CommandSession, folder: Path, keep_zips: bool, part_size: int | None, password_stdin: bool
) -> None:
    """Export everything in your account, in open forms, into a new folder.

    Your files with their dates and earlier versions, the trash, albums with captions and comments, tags, favourites,
    contacts as vCards, links, activity and history. README.txt in the folder explains what is where. `skyshelf admin
    import` reads it back.

    Asks for your password, since a session alone must not take everything away, and you get a message where the server
    sends mail. Every file is verified. It downloads one part after the other, and needs room for one part more than
    your account has. To resume after an interruption, run the same command within seven days.
    """
    session.resume_hint = "Run the same command again to resume"
    size = part_size or (EXPORT_PART_BYTES_DEFAULT if keep_zips else _UNPACKED_BYTES)
    if size < EXPORT_PART_BYTES_MIN:
        raise click.BadParameter(f"a part has at least {format_size(EXPORT_PART_BYTES_MIN)}", param_hint="--part-size")
    password = code = None
    if not session.client.exports.is_begun(folder):
        password, code = read_confirmation(session, from_stdin=password_stdin)
    with Meter(session.out, None) as meter:
        queued: set[int] = set()

        def report(event: "ExportEvent") -> None:
            name = f"part {event.number:,} of {event.count:,}"
            if event.number not in queued:
                queued.add(event.number)
                meter.queued(event.expected)
            if event.is_done:
                meter.finished(name, event.received)
            else:
                meter.moved(name, event.received)

        done = session.client.exports.download(
            folder, password=password, code=code, part_bytes=size, keep_zips=keep_zips, progress=report
        )
    session.out.record(ExportRecord.of(done))
    session.out.note(
        f"Exported {format_count(done.files, 'file')} ({format_size(done.bytes_done)}) to {folder.absolute()}"
        f" in {format_count(done.parts, 'part')}, all verified; begun {local_time(done.begun_date)}."
    )
