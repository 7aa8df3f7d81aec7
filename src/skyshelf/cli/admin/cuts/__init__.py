"""Looking into cuts: `skyshelf admin verify`, and what `skyshelf admin restore` takes out of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skyshelf.backup.cut import Manifest
from skyshelf.backup.opened import opened_cut
from skyshelf.backup.places import Place
from skyshelf.backup.sealing import Opener
from skyshelf.cli.admin.cuts.kept import unpacked
from skyshelf.cli.admin.outcomes import ShownProgress
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.text import visible
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing.from_store import Source
from skyshelf.storage.errors import AccountMissing


@contextmanager
def cut_context(
    place: Place, found: Manifest, opener: Opener | None, work: Path | None, progress: ShownProgress
) -> Iterator[ServiceContext]:
    """A cut as the service reads it."""
    with (
        unpacked(place, found, opener, work, progress) as folder,
        opened_cut(place, found, folder, opener=opener) as opened,
    ):
        ctx = ServiceContext(metadata=opened.metadata, blobs=opened.blobs)
        try:
            yield ctx
        finally:
            ctx.media.close()


def account_in(ctx: ServiceContext, found: Manifest, email: str) -> Source:
    """An account of a cut; CommandFailed if the cut has none with that address."""
    try:
        return Source(ctx, find_account(ctx, email))
    except AccountMissing as missing:
        raise CommandFailed(
            f"the cut {found.id} has no account {visible(email)}: `skyshelf admin restore DEST --list --cut {found.id}`"
            " lists its accounts"
        ) from missing
