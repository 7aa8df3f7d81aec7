"""`skyshelf admin restore`: a store made of a backup, and what is taken out of a cut."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from skyshelf.backup import open_place
from skyshelf.backup.cut import Manifest, choose, manifests
from skyshelf.backup.places import CutDamaged, Place
from skyshelf.backup.restore import RestoreResult, Target
from skyshelf.backup.restore import restore as make_store
from skyshelf.backup.rows_only import restore_rows
from skyshelf.backup.sealing import Opener
from skyshelf.cli.admin import outcomes, stores
from skyshelf.cli.admin.cuts import account_in, cut_context
from skyshelf.cli.admin.cuts.files import files_summary, write_files
from skyshelf.cli.admin.cuts.into_store import into_store_summary, restore_into
from skyshelf.cli.admin.cuts.kept import remove_unused
from skyshelf.cli.admin.cuts.listings import list_accounts, list_cuts, list_files, refuse_damaged
from skyshelf.cli.admin.cuts.repairing import heal_from, heal_summary, rows_only_summary, start_line
from skyshelf.cli.admin.cuts.serving import serve_cut
from skyshelf.cli.admin.import_ import stopped_early
from skyshelf.cli.admin.which_store import StoreCommand, announce
from skyshelf.cli.base.errors import CommandFailed, UsageProblem
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import FOLDER, shown_option
from skyshelf.cli.base.text import first_lines, format_count
from skyshelf.service.importing.from_store import Source, SourcePath, find
from skyshelf.wire.sizes import format_size


@click.command(
    cls=StoreCommand,
    asks=False,
    epilog=examples(
        "skyshelf admin restore /mnt/backup --data /srv/skyshelf",
        "skyshelf admin restore s3://backups/drive --identity key.txt --metadata postgresql://… --blobs s3://…",
        "skyshelf admin restore /mnt/backup --list --account ada@example.org --path /Photos",
        "skyshelf admin restore /mnt/backup --account ada@example.org --path /Photos/2026 --to /tmp/photos",
        "skyshelf admin restore /mnt/backup --account ada@example.org --cut 2027-03-01 --data /srv/skyshelf",
        "skyshelf admin restore /mnt/backup --heal --data /srv/skyshelf",
        "skyshelf admin restore /mnt/backup --serve --port 8700",
    ),
)
@outcomes.destination_argument
@click.option("--cut", "wanted", metavar="TIME", help="A cut by its time or id.  [default: the newest complete one]")
@click.option("--list", "listing", is_flag=True, help="List cuts; with --cut its accounts, with --account its files.")
@click.option("--account", "email", metavar="EMAIL", help="Restore the files of one account.")
@click.option("--path", metavar="PATH", help="Restore or list only this file or folder of the account.")
@click.option("--to", "target", type=FOLDER, help="Write the account's files to a folder of this machine.")
@click.option(
    "--into",
    metavar="PATH",
    help="Folder in the account for what comes back to a store.  [default: /Restored and the day of the cut]",
)
@click.option("--recreate", is_flag=True, help="Make the account again if the store no longer has it.")
@click.option("--rows-only", is_flag=True, help="Restore a lost database over file contents that are still there.")
@click.option("--heal", is_flag=True, help="Replace damaged and missing contents of a store in use.")
@click.option("--deep", is_flag=True, help="With --heal, read every content of the store.")
@click.option("--serve", "serving", is_flag=True, help="Start a read-only server over a cut, on this machine.")
@shown_option("--port", type=click.IntRange(0, 65535), default=8700, help="Port of --serve; 0 for any free port.")
@outcomes.identity_option
@outcomes.work_option
@stores.data_option
@stores.metadata_option
@stores.blobs_option
@stores.json_option
@stores.debug_option
def restore(*, destination: str, wanted: str | None, identity: Path | None, **given: Any) -> None:
    """Restore a store, an account or a file from a backup, or look into it.

    Without other options it makes a store in an empty place. Each content is verified as it is restored. A backup of
    either kind of store can be restored to either: a folder (--data), or PostgreSQL and a bucket (--metadata,
    --blobs). After an interruption, run the same command to continue.

    --account restores one account, or a --path of it: into a folder of this machine (--to), or into the same account of
    a store in use, as new files in a separate folder. Nothing there is replaced or deleted.

    Exits with 1 if contents could not be restored, which are listed, and with 2 if it stopped: the sentence says why.
    """
    _check_options(given)
    as_json: bool = given["as_json"]
    with outcomes.report_outcome(debug=given["debug"], as_json=as_json):
        remove_unused(given["work"])
        if given["serving"]:
            port, work = given["port"], given["work"]
            serve_cut(destination, wanted, identity=identity, work=work, port=port, debug=given["debug"])
            return
        opener = outcomes.opener_of(identity)
        with closing(open_place(destination)) as place, _another_cut():
            if given["listing"] and wanted is None and given["email"] is None:
                cuts = list(manifests(place))
                result, unfinished = list_cuts(cuts), 0
            else:
                cuts = []
                result, unfinished = _Call(place, wanted, opener, given).run()
    stores.print_result(as_json, *result)
    refuse_damaged(cuts)
    if unfinished:
        raise CommandFailed(
            f"{format_count(unfinished, 'content')} could not be restored: see the lines above; an earlier cut may have"
            " them",
            outcomes.DAMAGE,
        )


@contextmanager
def _another_cut() -> Iterator[None]:
    """Say what to do about a cut that is damaged."""
    try:
        yield
    except CutDamaged as damaged:
        raise CommandFailed(
            f"{damaged}: choose an earlier cut with --cut; `skyshelf admin verify` says which are sound"
        ) from damaged


def _check_options(given: Mapping[str, Any]) -> None:
    """Refuse options that contradict each other, before anything is opened."""
    kinds = [name for name in ("listing", "rows_only", "heal", "serving") if given[name]]
    names = {"listing": "--list", "rows_only": "--rows-only", "heal": "--heal", "serving": "--serve"}
    if len(kinds) > 1:
        raise UsageProblem(f"{' and '.join(names[kind] for kind in kinds)} are different things: choose one")
    if kinds not in ([], ["listing"]) and given["email"] is not None:
        raise UsageProblem(f"{names[kinds[0]]} applies to a whole cut: leave out --account")
    for option, shown in (("path", "path"), ("target", "to"), ("into", "into"), ("recreate", "recreate")):
        if given[option] and given["email"] is None:
            raise UsageProblem(f"--{shown} applies to one account: name it with --account")
    if given["listing"] and (given["target"] or given["into"] or given["recreate"]):
        raise UsageProblem("--list restores nothing: leave out --to, --into and --recreate")
    if given["target"] and (given["into"] or given["recreate"]):
        raise UsageProblem("--to writes to this machine, --into and --recreate to a store: choose one")
    if given["deep"] and not given["heal"]:
        raise UsageProblem("--deep applies to --heal: add it")


class _Call(NamedTuple):
    """A restore as it was asked for."""

    place: Place
    wanted: str | None
    opener: Opener | None
    given: Mapping[str, Any]

    def run(self) -> tuple[stores.Result, int]:
        """Return what to print, and how many contents could not be restored."""
        given = self.given
        if given["heal"]:
            return self._heal()
        found = choose(self.place, self.wanted)
        if not given["listing"] and given["email"] is None:
            return self._store(found)
        return self._in_cut(found)

    def _in_cut(self, found: Manifest) -> tuple[stores.Result, int]:
        """Look into a cut, or take files out of it."""
        given = self.given
        if not given["listing"] and given["target"] is None:
            # Before the rows of the cut are unpacked, which may take long.
            stores.metadata_url(given["data"], given["metadata"])
            stores.blobs_url(given["data"], given["blobs"])
        with (
            self._progress() as shown,
            cut_context(self.place, found, self.opener, given["work"], shown) as ctx,
        ):
            if given["email"] is None:
                return list_accounts(ctx, found), 0
            source = account_in(ctx, found, given["email"])
            if given["listing"]:
                return list_files(source, found, given["path"] or "/"), 0
            what = find(source, given["path"] or "/")
            if given["target"] is not None:
                written = write_files(source, what, given["target"].absolute(), found.id, shown)
                return stores.Result(written, files_summary(written)), len(written.problems)
            return self._into_store(source, what, found, shown)

    def _progress(self) -> outcomes.ShownProgress:
        return outcomes.ShownProgress.on_terminal("restored", quiet=self.given["as_json"])

    def _where(self) -> dict[str, Any]:
        return {name: self.given[name] for name in ("data", "metadata", "blobs")}

    def _store(self, found: Manifest) -> tuple[stores.Result, int]:
        """A new store, or the rows of one."""
        given, where = self.given, self._where()
        rows_only: bool = given["rows_only"]
        if rows_only:
            # Looked for before anything is made: without the contents, this is not what is wanted.
            stores.blobs_url(given["data"], given["blobs"])
        with stores.prepare_restored(**where) as (rows, contents):
            announce(rows, contents, looking=False)
            temporary = given["metadata"] is not None and given["blobs"] is not None
            folder = given["work"] or (Path(tempfile.gettempdir()) if temporary else given["data"])
            target = Target(rows, contents, folder.absolute() / f"unfinished-restore-{found.id}")
            with self._progress() as shown:
                make = restore_rows if rows_only else make_store
                restored = make(self.place, found, target, opener=self.opener, progress=shown)
        summary = (rows_only_summary if rows_only else _restore_summary)(restored, **where)
        return stores.Result(restored, summary), len(restored.problems)

    def _heal(self) -> tuple[stores.Result, int]:
        deep: bool = self.given["deep"]
        with (
            stores.open_context(**self._where(), debug=self.given["debug"]) as ctx,
            self._progress() as shown,
        ):
            healed = heal_from(ctx, self.place, self.opener, deep=deep, progress=shown)
        return stores.Result(healed, heal_summary(healed, deep=deep)), len(healed.not_healed)

    def _into_store(
        self, source: Source, what: SourcePath, found: Manifest, shown: outcomes.ShownProgress
    ) -> tuple[stores.Result, int]:
        given = self.given
        with stores.open_context(**self._where(), debug=given["debug"]) as ctx:
            came = restore_into(
                ctx, source, what, found, into=given["into"], recreate=given["recreate"], progress=shown
            )
        result = stores.Result(came, into_store_summary(came))
        if came.summary.stopped is not None:
            stores.print_result(given["as_json"], *result)
            raise stopped_early(came.summary, "what came back stays")
        return result, came.summary.failed_count


def _restore_summary(restored: RestoreResult, data: Path, metadata: str | None, blobs: str | None) -> str:
    lines = first_lines(restored.problems)
    lines.append(
        f"restored the cut of {restored.time}: {format_count(restored.files, 'content')}, {format_size(restored.bytes)}"
    )
    lines.append(start_line(data, metadata, blobs))
    return "\n".join(lines)
