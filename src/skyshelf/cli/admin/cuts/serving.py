"""`skyshelf admin restore --serve`: a read-only server over a cut, for the web client and every other one.

This process never opens the backup: the library for buckets has threads, which the workers must not inherit.
"""

import multiprocessing
import tempfile
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import click
import msgspec

from skyshelf.backup import open_place
from skyshelf.backup.cut import choose
from skyshelf.cli.admin.cuts.kept import PREFIX, unpack_own
from skyshelf.cli.admin.outcomes import ShownProgress, opener_of
from skyshelf.cli.base.errors import CommandFailed, report_errors, sentence_of
from skyshelf.storage.errors import StorageError


class _ServedCut(msgspec.Struct, frozen=True):
    """The cut whose rows were unpacked, or why that was impossible."""

    id: str = ""
    time: str = ""
    problem: str = ""


def serve_cut(
    destination: str, wanted: str | None, *, identity: Path | None, work: Path | None, port: int, debug: bool
) -> None:
    """Serve a cut on this machine until a signal ends it. Nothing in the backup is changed."""
    from skyshelf.server.app import BackupCut, ServerSettings
    from skyshelf.server.observability.metrics_dir import NoTemporaryFolder, shared_metrics
    from skyshelf.server.serving.run import CannotListen, Listening, check_stores, free_port, run
    from skyshelf.storage.open import embedded_urls

    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, dir=work) as folder,
        report_errors(CannotListen, NoTemporaryFolder, debug=debug),
        shared_metrics(1),
    ):
        listening = Listening(port=free_port("127.0.0.1", port), log_format="text", log_level="warning")
        cut = _unpack(destination, wanted, identity, Path(folder))
        rows, _ = embedded_urls(Path(folder))
        settings = ServerSettings(
            metadata=rows,
            blobs="",
            read_only_reason=f"This is a backup of {cut.time}, for viewing only: nothing can be changed here",
            cut=BackupCut(destination, cut.id, None if identity is None else str(identity)),
        )
        findings = check_stores(settings, workers=1, demo=False)
        if findings.problem:
            raise CommandFailed(findings.problem)
        if not findings.has_accounts:
            raise CommandFailed(f"the cut {cut.id} has no accounts: choose another one with --cut")
        run(settings, listening, lambda: _announce(listening.url, cut))


def _unpack(destination: str, wanted: str | None, identity: Path | None, folder: Path) -> _ServedCut:
    """Unpack the rows of a cut in a separate process; CommandFailed if that is impossible."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_unpack_here, args=(destination, wanted, identity, folder, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        unpacked = msgspec.msgpack.decode(ours.recv_bytes(), type=_ServedCut)
    except EOFError:
        unpacked = _ServedCut(problem="the process that reads the backup ended unexpectedly: run the command again")
    process.join()
    if unpacked.problem:
        raise CommandFailed(unpacked.problem)
    return unpacked


def _unpack_here(destination: str, wanted: str | None, identity: Path | None, folder: Path, pipe: Connection) -> None:
    try:
        with closing(open_place(destination)) as place, ShownProgress.on_terminal(None, quiet=False) as shown:
            found = choose(place, wanted)
            unpack_own(place, found, opener_of(identity), folder, shown)
        assert found.cut is not None
        unpacked = _ServedCut(found.id, found.cut.time)
    except (StorageError, CommandFailed, OSError) as problem:
        unpacked = _ServedCut(problem=sentence_of(problem))
    except KeyboardInterrupt:
        return
    pipe.send_bytes(msgspec.msgpack.encode(unpacked))


def _announce(url: str, cut: _ServedCut) -> None:
    click.echo(
        f"the cut of {cut.time}, read-only\n"
        f"  listening on   {url}\n"
        "  log in with an account and password of that time, in a browser or with\n"
        f"    skyshelf login --server {url} EMAIL\n"
        "  Ctrl-C ends it"
    )
