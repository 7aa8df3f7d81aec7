"""`skyshelf admin restore`: a store from a backup."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skyshelf.cli.admin.backup_options import (
    DAMAGE,
    SHOWN_MAX,
    ShownProgress,
    closing_place,
    destination_argument,
    identity_option,
    meter,
    opener_of,
    report_outcome,
    work_option,
)
from skyshelf.cli.admin.stores import (
    blobs_option,
    data_option,
    debug_option,
    json_option,
    metadata_option,
    prepare_restored,
    print_result,
)
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.backup.restore import Restored


@click.command(
    epilog=examples(
        "skyshelf admin restore /mnt/backup --data /srv/skyshelf",
        "skyshelf admin restore /mnt/backup --cut 2027-03-01 --data /srv/skyshelf",
        "skyshelf admin restore s3://backups/drive --identity key.txt --metadata postgresql://… --blobs s3://…",
    )
)
@destination_argument
@click.option("--cut", "wanted", metavar="TIME", help="A cut by its time or id.  [default: the newest complete one]")
@identity_option
@work_option
@data_option
@metadata_option
@blobs_option
@json_option
@debug_option
def restore(
    *,
    destination: str,
    wanted: str | None,
    identity: Path | None,
    work: Path | None,
    data: Path,
    metadata: str | None,
    blobs: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Make a store of a backup, in an empty place.

    Each content is verified as it is restored. A backup of either kind of store can be restored to either: a folder
    (--data), or PostgreSQL and a bucket (--metadata, --blobs). After an interruption, run the same command to continue.

    Exits with 1 if contents could not be restored, which are listed, and with 2 if there is no new store.
    """
    with report_outcome(debug=debug, as_json=as_json):
        from skyshelf.backup.cut import choose
        from skyshelf.backup.open import open_place
        from skyshelf.backup.restore import Target
        from skyshelf.backup.restore import restore as make_store

        opener = opener_of(identity)
        with (
            closing_place(open_place(destination)) as place,
            prepare_restored(data, metadata, blobs) as (rows, contents),
        ):
            found = choose(place, wanted)
            folder = work or (data if metadata is None or blobs is None else Path(tempfile.gettempdir()))
            target = Target(rows, contents, folder.absolute() / f"unfinished-restore-{found.id}")
            with meter("restored", quiet=as_json) as shown:
                restored = make_store(place, found, target, opener=opener, progress=ShownProgress(shown))
    print_result(as_json, restored, _restore_summary(restored, data, metadata, blobs))
    if restored.problems:
        raise CommandFailed(
            f"{format_count(len(restored.problems), 'content')} could not be restored: see the lines above; an earlier"
            " cut may have them",
            DAMAGE,
        )


def _restore_summary(restored: "Restored", data: Path, metadata: str | None, blobs: str | None) -> str:
    lines = [visible(sentence) for sentence in restored.problems[:SHOWN_MAX]]
    if len(restored.problems) > SHOWN_MAX:
        lines.append(f"and {len(restored.problems) - SHOWN_MAX:,} more")
    lines.append(
        f"restored the cut of {restored.time}: {format_count(restored.files, 'content')}, {format_size(restored.bytes)}"
    )
    stores = [] if metadata and blobs else [f"--data {data}"]
    stores += [f"--metadata '{metadata}'"] if metadata else []
    stores += [f"--blobs '{blobs}'"] if blobs else []
    lines.append(f"start it: skyshelf serve {' '.join(stores)}")
    return "\n".join(lines)
