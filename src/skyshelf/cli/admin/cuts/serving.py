"""`skyshelf admin restore --serve`: a read-only server over a cut, for the web client and every other one."""

import tempfile
from contextlib import closing
from pathlib import Path

import click

from skyshelf.backup import open_place
from skyshelf.backup.cut import Manifest
from skyshelf.backup.opened import unpack_rows
from skyshelf.backup.sealing import Opener
from skyshelf.cli.admin.outcomes import ShownProgress
from skyshelf.cli.base.errors import CommandFailed, report_errors


def serve_cut(
    destination: str,
    found: Manifest,
    *,
    identity: Path | None,
    opener: Opener | None,
    work: Path | None,
    port: int,
    debug: bool,
) -> None:
    """Serve a cut on this machine until a signal ends it. Nothing in the backup is changed."""
    assert found.cut is not None
    from skyshelf.server.app import BackupCut, ServerSettings
    from skyshelf.server.observability.metrics_dir import NoTemporaryFolder, shared_metrics
    from skyshelf.server.serving.run import CannotListen, Listening, check_stores, free_port, run
    from skyshelf.storage.open import embedded_urls

    reason = f"This is a backup of {found.cut.time}, and only for looking: nothing can be changed here"
    with (
        tempfile.TemporaryDirectory(prefix="skyshelf-cut-", dir=work) as folder,
        report_errors(CannotListen, NoTemporaryFolder, debug=debug),
        shared_metrics(1),
    ):
        listening = Listening(port=free_port("127.0.0.1", port), log_format="text", log_level="warning")
        with ShownProgress.on_terminal(None, quiet=False) as shown, closing(open_place(destination)) as place:
            unpack_rows(place, found, Path(folder), opener=opener, progress=shown)
        rows, _ = embedded_urls(Path(folder))
        settings = ServerSettings(
            metadata=rows,
            blobs="",
            read_only_reason=reason,
            cut=BackupCut(destination, found.id, None if identity is None else str(identity)),
        )
        findings = check_stores(settings, demo=False)
        if findings.problem:
            raise CommandFailed(findings.problem)
        if not findings.has_accounts:
            raise CommandFailed(f"the cut {found.id} has no accounts: there is nothing to look at")
        run(settings, listening, lambda: _announce(listening.url, found))


def _announce(url: str, found: Manifest) -> None:
    assert found.cut is not None
    click.echo(
        f"the cut of {found.cut.time}, read-only\n"
        f"  listening on   {url}\n"
        "  log in with an account and password of that time, in a browser or with\n"
        f"    skyshelf login --server {url} EMAIL\n"
        "  Ctrl-C ends it"
    )
