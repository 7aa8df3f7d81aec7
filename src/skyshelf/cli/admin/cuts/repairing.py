"""`skyshelf admin restore --rows-only` and `--heal`: a lost database, and damaged contents."""

from pathlib import Path

from skyshelf.backup.cut import manifests
from skyshelf.backup.lookup import AnyCut
from skyshelf.backup.places import BackupRefused, Place
from skyshelf.backup.restore import RestoreResult
from skyshelf.backup.sealing import Opener
from skyshelf.cli.admin.outcomes import ShownProgress
from skyshelf.cli.base.text import first_lines, format_count
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.doctor.healing import HealResult, heal
from skyshelf.wire.sizes import format_size


def heal_from(
    ctx: ServiceContext, place: Place, opener: Opener | None, *, deep: bool, progress: ShownProgress
) -> HealResult:
    """Heal a store from all cuts of a backup."""
    found = list(manifests(place))
    if not any(one.cut is not None for one in found):
        raise BackupRefused("there is no cut at this destination: name the folder or bucket of a backup")
    cuts = AnyCut(place, found, opener)
    progress.step("reading contents" if deep else "looking for contents")
    return heal(ctx, cuts.copies, CheckRun(deep=deep))


def heal_summary(result: HealResult, *, deep: bool) -> str:
    lines = [
        *first_lines([f"healed: {one}" for one in result.healed]),
        *first_lines([f"NOT HEALED: {one}" for one in result.not_healed]),
    ]
    if not result.healed and not result.not_healed:
        looked = "every content matches its SHA-256" if deep else "every content exists with its size"
        lines.append(f"nothing to heal: {looked}" + ("" if deep else "; --deep compares their hashes"))
    else:
        lines.append(
            f"healed {format_count(len(result.healed), 'content')}, could not heal {len(result.not_healed) or 'none'}"
        )
    return "\n".join(lines)


def rows_only_summary(restored: RestoreResult, data: Path, metadata: str | None, blobs: str | None) -> str:
    return "\n".join(
        (
            *first_lines(restored.problems),
            f"restored the rows of {restored.time} over {format_count(restored.files, 'content')},"
            f" {format_size(restored.bytes)}; {format_count(restored.fetched, 'content')} came from the backup",
            start_line(data, metadata, blobs),
        )
    )


def start_line(data: Path, metadata: str | None, blobs: str | None) -> str:
    """How a restored store is started."""
    options = [] if metadata and blobs else [f"--data {data}"]
    options += [f"--metadata '{metadata}'"] if metadata else []
    options += [f"--blobs '{blobs}'"] if blobs else []
    return f"start it: skyshelf serve {' '.join(options)}"
