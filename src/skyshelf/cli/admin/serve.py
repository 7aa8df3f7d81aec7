"""`skyshelf serve`: run the server."""

import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin import stores
from skyshelf.cli.admin.config_file import use
from skyshelf.cli.admin.serving import options, services
from skyshelf.cli.admin.serving.start import checked, server_settings
from skyshelf.cli.admin.which_store import place_of
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import FILE, SIZE, WORKERS, number_option, seconds_option, shown_option
from skyshelf.wire.version import VERSION

if TYPE_CHECKING:
    from skyshelf.server.app import ServerSettings
    from skyshelf.server.serving.run import Findings, Listening


ARGUMENTS: Final = "skyshelf.serve.arguments"


class _Serve(click.Command):
    """Remembers its arguments, which are read again when the settings are reloaded."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


@click.command(
    cls=_Serve,
    # Click caches the names of --help that the first context has, and the first one may be without `main`.
    context_settings={"auto_envvar_prefix": "SKYSHELF_SERVE", "help_option_names": ["-h", "--help"]},
    epilog=examples(
        "skyshelf serve --data /srv/skyshelf",
        "skyshelf serve --demo --port 0",
        "skyshelf serve --metadata postgresql://db/skyshelf --blobs 's3://bucket?endpoint=https://s3.example.org'",
    ),
)
@click.option(
    "--config",
    type=FILE,
    callback=use,
    help="TOML file with these options.  [default: server.toml in ~/.config/skyshelf or /etc/skyshelf]",
)
@stores.data_option
@shown_option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 for all interfaces.")
@shown_option("--port", type=click.IntRange(0, 65535), default=8600, help="Port to listen on; 0 for any free port.")
@click.option(
    "--listen",
    callback=options.parse_listen,
    metavar="unix:PATH",
    help="Listen on a Unix socket, for a proxy on this machine, instead of --host and --port.",
)
@shown_option(
    "--listen-mode", default="660", callback=options.parse_mode, metavar="MODE", help="Permissions of the Unix socket."
)
@click.option(
    "--public-url",
    callback=options.parse_public_url,
    metavar="URL",
    help="The server's address as clients see it; it may have a path.",
)
@stores.metadata_option
@stores.blobs_option
@shown_option(
    "--workers",
    type=WORKERS,
    default="1",
    metavar="N|auto",
    help="Number of worker processes; auto for one per processor core.",
)
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate chain (PEM), to serve HTTPS directly.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Private key of the certificate (PEM).")
@click.option(
    "--accept-app",
    multiple=True,
    callback=options.parse_apps,
    metavar="KEY:SECRET",
    help="Accept another application's key.",
)
@options.networks_option("--trust-proxy", "Trust X-Forwarded headers from this network.")
@options.networks_option(
    "--proxy-protocol", "Connections from this network start with a PROXY protocol header, version 1 or 2."
)
@click.option(
    "--offload",
    type=click.Choice(["x-accel-redirect", "x-sendfile"]),
    help="Let a trusted reverse proxy send files from the disk, if it asks for that.",
)
@shown_option(
    "--offload-prefix",
    default="/blobs/",
    callback=options.parse_prefix,
    metavar="PATH",
    help="The internal location of the blobs in nginx, for x-accel-redirect.",
)
@click.option(
    "--connections-per-address",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum connections and requests of one client address, per worker.  [default: 256]",
)
@options.networks_option("--metrics", "Allow this network to read /metrics.")
@shown_option("--log-format", type=click.Choice(["json", "text"]), default="json", help="Format of the log.")
@shown_option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    help="The least important lines of the log; requests are at info.",
)
@seconds_option(
    "--slow-calls",
    0,
    3600,
    default=2,
    help="Log calls that take at least this long, with what they spend their time on; 0 for none.",
)
@seconds_option(
    "--stop-delay",
    0,
    3600,
    default=0,
    help="How long to go on serving after a signal to stop, while /readyz answers 503; for several behind a proxy.",
)
@seconds_option(
    "--drain", 0, 3600, default=8, help="How long running requests may take when the server stops listening."
)
@number_option(
    "--database-connections", 2, 1000, default=16, metavar="N", help="Connections to PostgreSQL, per worker."
)
@options.limit_options
@services.mail_options
@services.tracing_options
@services.oidc_option
@services.backup_options
@click.option("--quota", type=SIZE, help="Quota of new accounts.  [default: 100GiB]")
@click.option(
    "--refuse-clutter",
    is_flag=True,
    help="Refuse what macOS and Windows leave on network drives: ._*, .DS_Store, Thumbs.db, desktop.ini.",
)
@click.option(
    "--reserve-space",
    type=SIZE,
    help="Free disk space below which uploads are refused.  [default: 1GiB, or a fiftieth of a small disk]",
)
@click.option(
    "--adopt", metavar="REASON", help="Use a database and blobs that do not seem to match; recorded, and applied once."
)
@click.option("--read-only", metavar="REASON", help="Refuse all changes, and show clients this reason.")
@click.option("--demo", is_flag=True, help="Create a demo account with generated photos and documents.")
@click.option("--simulate", metavar="lag=2s,throttle=0.05,fail=0.05", help="Inject faults, for testing clients.")
@stores.debug_option
def serve(**given: Any) -> None:
    """Run the server on this machine.

    Everything is stored in one folder (--data) unless you name a database or a bucket. The first start prints a link
    that creates the first account.

    Every option can be set in a TOML file (--config; `skyshelf admin settings example` prints one) and in the
    environment, such as SKYSHELF_SERVE_PORT. SIGHUP reads the file again, and no request is lost. SIGTERM and Ctrl-C
    stop the server as --stop-delay and --drain say; a second one stops it at once.
    """
    from skyshelf.server.observability.metrics_dir import NoTemporaryFolder, shared_metrics

    debug: bool = given["debug"]
    with report_errors(NoTemporaryFolder, debug=debug), shared_metrics(given["workers"]):
        from msgspec.structs import replace

        from skyshelf.server.serving.run import CannotListen, free_port, run
        from skyshelf.server.serving.sockets import is_passed_on
        from skyshelf.storage.errors import StoreInUse

        settings, listening = checked(given, debug=debug)
        if listening.socket_path is None and not is_passed_on(os.environ):
            with report_errors(CannotListen, debug=debug):
                listening = replace(listening, port=free_port(listening.host, listening.port))
        findings = _check_startup(settings, listening.workers, demo=given["demo"], debug=debug)
        settings = replace(settings, adopt_reason=None)
        where = _stores_line(given["data"], given["metadata"], given["blobs"])
        again = click.get_current_context()
        with report_errors(CannotListen, StoreInUse, debug=debug):
            run(
                settings,
                listening,
                lambda: _started(_banner(settings, listening, findings, where), findings),
                # A closed terminal ends the service.
                None if sys.stdin is not None and sys.stdin.isatty() else lambda: _reloaded(again, settings),
            )


def _reloaded(before: click.Context, settings: "ServerSettings") -> "ServerSettings":
    """The current settings from file and environment. The stores stay: nobody would notice a slip there."""
    from msgspec.structs import replace

    arguments: list[str] = before.meta[ARGUMENTS]
    with before.command.make_context(before.info_name, list(arguments), parent=before.parent) as ctx:
        new = server_settings(ctx.params)
    if (new.metadata, new.blobs) != (settings.metadata, settings.blobs):
        raise CommandFailed("the stores cannot be changed while the service runs: start it again")
    return replace(new, adopt_reason=None)


def _check_startup(settings: "ServerSettings", workers: int, *, demo: bool, debug: bool) -> "Findings":
    from skyshelf.server.serving.run import check_stores

    findings = check_stores(settings, workers=workers, demo=demo)
    if findings.problem:
        if debug:
            click.echo(findings.traceback, err=True)
        raise CommandFailed(findings.problem)
    return findings


def _stores_line(data: Path, metadata: str | None, blobs: str | None) -> str:
    """Where the data is stored, without the password in a URL."""
    parts = [str(data.absolute())] if metadata is None or blobs is None else []
    return ", ".join([*parts, *(place_of(url) for url in (metadata, blobs) if url is not None)])


def _started(banner: str, findings: "Findings") -> None:
    """Print where the server listens, and log what may go wrong; a full disk does not keep it from serving."""
    with suppress(OSError):
        click.echo(banner)
    if findings.warning is not None:
        logging.getLogger("skyshelf.server").warning("%s", findings.warning)


def _banner(settings: "ServerSettings", listening: "Listening", findings: "Findings", where: str) -> str:
    """What is printed when the service runs: where, with which stores, and how to create the first account."""
    from skyshelf.service.accounts.password_links import link_url

    url = settings.public_url or listening.url
    lines = [f"Skyshelf {VERSION}", f"  listening on   {listening.place}", f"  data           {where}"]
    if listening.workers > 1:
        lines.append(f"  workers        {listening.workers} processes")
    if settings.public_url:
        lines.append(f"  public URL     {settings.public_url}")
    if settings.offload is not None:
        lines.append(f"  offload        {settings.offload.kind}, by proxies that ask for it")
    if settings.tracing is not None:
        lines.append(f"  traces         {settings.tracing.endpoint or 'as OTEL_… variables say'}")
    if settings.read_only_reason is not None:
        lines.append(f"  READ-ONLY      {settings.read_only_reason}")
    if settings.simulation is not None:
        lines.append(f"  SIMULATION     {settings.simulation.sentence}: NOT FOR REAL DATA")
    if findings.demo is not None:
        email, password = findings.demo
        login = f'{{"emailId": "{email}", "password": "{password}"}}'
        lines += [
            f"  demo           {email}, password {password}",
            f"    skyshelf login --server {url} {email}",
            f"    curl -s {url}/x/v1/login -H 'Content-Type: application/json' -d '{login}'",
        ]
    if findings.first_link is not None:
        store = f"--metadata {where}" if settings.metadata.startswith("postgres") else f"--data {where}"
        lines += [
            "",
            "  There are no accounts yet. Create the first one in a browser; the link works once:",
            f"    {link_url(url, findings.first_link)}",
            "  or on the command line:",
            f"    skyshelf admin user add EMAIL --first-name F --last-name L --password-stdin {store}",
        ]
    return "\n".join(lines)
