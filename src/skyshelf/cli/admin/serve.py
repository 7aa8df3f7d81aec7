"""`skyshelf serve`: run the server."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin.config_file import use
from skyshelf.cli.admin.serving.banner import banner, stores_line
from skyshelf.cli.admin.serving.limits import kept_in, limit_options, rules_in
from skyshelf.cli.admin.serving.mail import mail_options, mail_settings_of
from skyshelf.cli.admin.serving.oidc import oidc_option, providers_in
from skyshelf.cli.admin.serving.tracing import tracing_options, tracing_settings_of
from skyshelf.cli.admin.serving.values import (
    parse_apps,
    parse_listen,
    parse_mode,
    parse_networks,
    parse_prefix,
    parse_public_url,
    socket_path,
)
from skyshelf.cli.admin.stores import check_owner, data_option, debug_option, metadata_option, prepare_folder
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import Size, Workers

if TYPE_CHECKING:
    from skyshelf.server.app import ServerSettings
    from skyshelf.server.http.offload import OffloadKind
    from skyshelf.server.startup_checks import Findings


ARGUMENTS: Final = "skyshelf.serve.arguments"


class _Serve(click.Command):
    """Remembers its arguments, which are read again when the settings are reloaded."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


@click.command(
    cls=_Serve,
    context_settings={"auto_envvar_prefix": "SKYSHELF_SERVE"},
    epilog=examples(
        "skyshelf serve --data /srv/skyshelf",
        "skyshelf serve --demo --port 0",
        "skyshelf serve --metadata postgresql://db/skyshelf --blobs 's3://bucket?endpoint=https://s3.example.org'",
    ),
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    is_eager=True,
    callback=use,
    help="TOML file with these options.  [default: server.toml in ~/.config/skyshelf or /etc/skyshelf]",
)
@data_option
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all interfaces."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8600,
    show_default=True,
    help="Port to listen on; 0 for any free port.",
)
@click.option(
    "--listen",
    callback=parse_listen,
    metavar="unix:PATH",
    help="Listen on a Unix socket, for a proxy on this machine, instead of --host and --port.",
)
@click.option(
    "--listen-mode",
    default="660",
    show_default=True,
    callback=parse_mode,
    metavar="MODE",
    help="Permissions of the Unix socket.",
)
@click.option(
    "--public-url",
    callback=parse_public_url,
    metavar="URL",
    help="The server's address as clients see it; it may have a path.",
)
@metadata_option
@click.option(
    "--blobs", metavar="URL", help="Object store for file contents: s3://bucket/prefix?endpoint=…  [default: --data]"
)
@click.option(
    "--workers",
    type=Workers(),
    default="1",
    show_default=True,
    metavar="N|auto",
    help="Number of worker processes; auto for one per processor core.",
)
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate chain (PEM), to serve HTTPS directly.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Private key of the certificate (PEM).")
@click.option(
    "--accept-app", multiple=True, callback=parse_apps, metavar="KEY:SECRET", help="Accept another application's key."
)
@click.option(
    "--trust-proxy",
    multiple=True,
    callback=parse_networks,
    metavar="CIDR",
    help="Trust X-Forwarded headers from this network.",
)
@click.option(
    "--proxy-protocol",
    multiple=True,
    callback=parse_networks,
    metavar="CIDR",
    help="Connections from this network begin with a header of the PROXY protocol, version 1 or 2.",
)
@click.option(
    "--offload",
    type=click.Choice(["x-accel-redirect", "x-sendfile"]),
    help="Let a trusted reverse proxy send the files from the disk, where it asks for that.",
)
@click.option(
    "--offload-prefix",
    default="/blobs/",
    show_default=True,
    callback=parse_prefix,
    metavar="PATH",
    help="The internal location of the blobs in nginx, for x-accel-redirect.",
)
@click.option(
    "--connections-per-address",
    type=click.IntRange(1),
    metavar="N",
    help="Connections and requests of one client address at a time, per worker.  [default: 256]",
)
@click.option(
    "--metrics", multiple=True, callback=parse_networks, metavar="CIDR", help="Allow this network to read /metrics."
)
@click.option(
    "--log-format", type=click.Choice(["json", "text"]), default="json", show_default=True, help="Format of the log."
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="The least important lines of the log; requests are at info.",
)
@click.option(
    "--slow-calls",
    type=click.FloatRange(0, 3600),
    default=2,
    show_default=True,
    metavar="SECONDS",
    help="Log calls that take as long, with what they spend their time on; 0 for none.",
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 3600),
    default=8,
    show_default=True,
    metavar="SECONDS",
    help="How long requests may go on after a signal to stop.",
)
@click.option(
    "--database-connections",
    type=click.IntRange(2, 1000),
    default=16,
    show_default=True,
    metavar="N",
    help="Connections to PostgreSQL, per worker.",
)
@limit_options
@mail_options
@tracing_options
@oidc_option
@click.option("--quota", type=Size(), help="Quota of new accounts.  [default: 100GiB]")
@click.option(
    "--refuse-clutter",
    is_flag=True,
    help="Refuse what macOS and Windows leave on network drives: ._*, .DS_Store, Thumbs.db, desktop.ini.",
)
@click.option(
    "--reserve-space",
    type=Size(),
    help="Free disk space below which uploads are refused.  [default: 1GiB, or a fiftieth of a small disk]",
)
@click.option(
    "--adopt",
    metavar="REASON",
    help="Use a database and blobs together that do not seem to match; recorded, counts once.",
)
@click.option("--read-only", metavar="REASON", help="Refuse all changes, and show clients this reason.")
@click.option("--demo", is_flag=True, help="Create a demo account with generated photos and documents.")
@click.option("--simulate", metavar="lag=2s,throttle=0.05,fail=0.05", help="Inject faults, for testing clients.")
@debug_option
def serve(**given: Any) -> None:
    """Run the server on this machine.

    Everything is stored in one folder (--data) unless you name a database or a bucket. The first start prints a link
    that creates the first account.

    Every option can be set in a TOML file (--config; `skyshelf admin settings example` prints one) and in the
    environment, such as SKYSHELF_SERVE_PORT. SIGHUP reads the file again, and no request is lost.
    """
    from skyshelf.server.observability.metrics_dir import NoTemporaryFolder, shared_metrics

    if (given["tls_cert"] is None) != (given["tls_key"] is None):
        raise CommandFailed("--tls-cert and --tls-key must be used together")
    if given["tls_cert"] is not None and (given["listen"] is not None or given["proxy_protocol"]):
        raise CommandFailed("--listen and --proxy-protocol are for a proxy, which does the TLS: leave out --tls-cert")
    debug: bool = given["debug"]
    with report_errors(NoTemporaryFolder, debug=debug), shared_metrics(given["workers"]):
        _require_server_packages()
        from msgspec.structs import replace

        from skyshelf.server.http1.listener import Manner
        from skyshelf.server.http1.sockets import is_passed_on
        from skyshelf.server.run import CannotListen, Listening, check_tls, free_port, run

        with report_errors(ValueError, CannotListen, debug=debug):
            settings = _settings(given)
            uses_port = given["listen"] is None and not is_passed_on(os.environ)
            listening = Listening(
                host=given["host"],
                port=free_port(given["host"], given["port"]) if uses_port else given["port"],
                workers=given["workers"],
                tls_cert=given["tls_cert"],
                tls_key=given["tls_key"],
                log_format=given["log_format"],
                log_level=given["log_level"],
                drain_seconds=given["drain"],
                socket_path=socket_path(given["listen"]),
                socket_mode=int(given["listen_mode"], 8),
                manner=Manner(
                    connections=given["connections"],
                    keep_alive_seconds=given["keep_alive"],
                    announcing=given["proxy_protocol"],
                ),
            )
            check_tls(listening)
        findings = _check_startup(settings, demo=given["demo"], debug=debug)
        settings = replace(settings, adopt_reason=None)
        if not findings.has_accounts:
            settings = replace(settings, first_account_token=_new_token())
        where = stores_line(given["data"], given["metadata"], given["blobs"])
        again = click.get_current_context()
        with report_errors(CannotListen, debug=debug):
            run(
                settings,
                listening,
                lambda: click.echo(banner(settings, listening, findings, where)),
                # A closed terminal ends the service.
                None if sys.stdin is not None and sys.stdin.isatty() else lambda: _reloaded(again, settings),
            )


def _settings(given: Mapping[str, Any]) -> "ServerSettings":
    from skyshelf.server.app import ServerSettings
    from skyshelf.server.connections.gate import CONNECTIONS_PER_ADDRESS
    from skyshelf.server.fault_injection import Simulation
    from skyshelf.server.http.offload import OffloadSettings
    from skyshelf.storage.local_paths import local_path_or_none
    from skyshelf.storage.open import embedded_urls

    if given["metadata"] is None or given["blobs"] is None:
        prepare_folder(given["data"])
    embedded = embedded_urls(given["data"])
    metadata, blobs = given["metadata"] or embedded[0], given["blobs"] or embedded[1]
    for url in (metadata, blobs):
        if (place := local_path_or_none(url)) is not None:
            check_owner(place)
    offload: OffloadKind | None = given["offload"]
    if offload is not None and local_path_or_none(blobs) is None:
        raise CommandFailed("--offload needs files on a disk, which a proxy can read: leave it out with a bucket")
    return ServerSettings(
        metadata=metadata,
        blobs=blobs,
        database_connections=given["database_connections"],
        slow_seconds=given["slow_calls"],
        public_url=given["public_url"],
        trusted_proxies=("127.0.0.1", "::1", *given["trust_proxy"], *given["proxy_protocol"]),
        accepted_apps=given["accept_app"],
        offload=OffloadSettings(kind=offload, prefix=given["offload_prefix"]) if offload else None,
        rules=rules_in(given),
        mail=mail_settings_of(given),
        tracing=tracing_settings_of(given),
        providers=providers_in(given),
        metrics_readers=given["metrics"],
        simulation=Simulation.parse(given["simulate"]) if given["simulate"] else None,
        background=given["read_only"] is None,
        read_only_reason=given["read_only"],
        reserve_space=given["reserve_space"],
        connections_per_address=given["connections_per_address"] or CONNECTIONS_PER_ADDRESS,
        adopt_reason=given["adopt"],
        connections=given["connections"],
        keep_alive_seconds=given["keep_alive"],
        threads=given["threads"],
        media_workers=given["media_workers"],
        retention=kept_in(given),
    )


def _reloaded(before: click.Context, settings: "ServerSettings") -> "ServerSettings":
    """The settings as file and environment have them now; the stores stay, since nobody would look for a slip there."""
    from msgspec.structs import replace

    arguments: list[str] = before.meta[ARGUMENTS]
    with before.command.make_context(before.info_name, list(arguments), parent=before.parent) as ctx:
        new = _settings(ctx.params)
    if (new.metadata, new.blobs) != (settings.metadata, settings.blobs):
        raise CommandFailed("the stores cannot be changed while the service runs: start it again")
    return replace(new, adopt_reason=None, first_account_token=settings.first_account_token)


def _require_server_packages() -> None:
    """Fail with a clear message where only the client is installed."""
    from importlib.util import find_spec

    if any(find_spec(module) is None for module in ("granian", "starlette", "apsw", "argon2")):
        raise CommandFailed("the server is not installed: run pip install 'skyshelf[server]'")


def _check_startup(settings: "ServerSettings", *, demo: bool, debug: bool) -> "Findings":
    from skyshelf.server.startup_checks import check_stores

    findings = check_stores(settings, demo=demo)
    if findings.problem:
        if debug:
            click.echo(findings.traceback, err=True)
        raise CommandFailed(findings.problem)
    return findings


def _new_token() -> str:
    import secrets

    return secrets.token_urlsafe(24)
