"""What `skyshelf serve` starts with, checked as far as that is possible without starting or changing anything."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin import stores
from skyshelf.cli.admin.serving import options, services
from skyshelf.cli.base.errors import CommandFailed, report_errors

if TYPE_CHECKING:
    from skyshelf.server.app import ServerSettings
    from skyshelf.server.http.offload import OffloadKind
    from skyshelf.server.serving.run import Listening


def checked(given: Mapping[str, Any], *, debug: bool = False) -> "tuple[ServerSettings, Listening]":
    """What the server starts with; CommandFailed for options that it cannot start with."""
    if (given["tls_cert"] is None) != (given["tls_key"] is None):
        raise CommandFailed("--tls-cert and --tls-key must be used together")
    if given["tls_cert"] is not None and (given["listen"] is not None or given["proxy_protocol"]):
        raise CommandFailed("--listen and --proxy-protocol are for a proxy, which does the TLS: leave out --tls-cert")
    _require_server_packages()
    from skyshelf.server.serving.run import CannotListen, check_tls
    from skyshelf.storage.errors import StoreUnavailable
    from skyshelf.storage.open import check_urls

    with report_errors(ValueError, CannotListen, StoreUnavailable, OSError, debug=debug):
        settings, listening = server_settings(given), _listening(given)
        check_tls(listening)
        check_urls(settings.metadata, settings.blobs)
        _check_disks(settings.metadata, settings.blobs)
    if given["metadata"] is None or given["blobs"] is None:
        stores.check_folder(given["data"])
    return settings, listening


def _check_disks(metadata: str, blobs: str) -> None:
    """Raise StoreUnavailable for a database on a file system of the network; warn of file contents that are there."""
    from skyshelf.storage.file_systems import network_file_system, refuse_network
    from skyshelf.storage.local_paths import local_path_or_none

    rows, contents = local_path_or_none(metadata), local_path_or_none(blobs)
    if rows is not None:
        refuse_network(rows)
    if contents is not None and (name := network_file_system(contents)) is not None:
        click.echo(
            f"skyshelf: the file contents at {contents} are on {name}: uploads are only as safe as its server, which"
            " must store them before it answers (on NFS: exported with sync, mounted with hard)",
            err=True,
        )


def server_settings(given: Mapping[str, Any]) -> "ServerSettings":
    """The settings of the server that the options name; CommandFailed or ValueError for some that contradict."""
    from skyshelf.server.app import ServerSettings
    from skyshelf.server.http.offload import OffloadSettings
    from skyshelf.server.pipeline.fault_injection import Simulation
    from skyshelf.server.pipeline.gate import CONNECTIONS_PER_ADDRESS
    from skyshelf.storage.local_paths import local_path_or_none
    from skyshelf.storage.open import embedded_urls

    embedded = embedded_urls(given["data"])
    metadata, blobs = given["metadata"] or embedded[0], given["blobs"] or embedded[1]
    for url in (metadata, blobs):
        if (place := local_path_or_none(url)) is not None:
            stores.check_owner(place)
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
        rules=options.rules_in(given),
        mail=services.mail_settings_of(given),
        tracing=services.tracing_settings_of(given),
        providers=services.providers_in(given),
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
        retention=options.kept_in(given),
    )


def _listening(given: Mapping[str, Any]) -> "Listening":
    from skyshelf.server.serving.listener import ConnectionSettings, TlsFiles
    from skyshelf.server.serving.run import Listening

    return Listening(
        host=given["host"],
        port=given["port"],
        workers=given["workers"],
        log_format=given["log_format"],
        log_level=given["log_level"],
        drain_seconds=given["drain"],
        stop_delay_seconds=given["stop_delay"],
        socket_path=options.socket_path(given["listen"]),
        socket_mode=int(given["listen_mode"], 8),
        connection_settings=ConnectionSettings(
            connections=given["connections"],
            keep_alive_seconds=given["keep_alive"],
            announcing=given["proxy_protocol"],
            tls=TlsFiles(given["tls_cert"], given["tls_key"]) if given["tls_cert"] else None,
        ),
    )


def _require_server_packages() -> None:
    """Fail with a clear message if only the client is installed."""
    if any(find_spec(module) is None for module in ("starlette", "apsw", "argon2")):
        raise CommandFailed("the server is not installed: run pip install 'skyshelf[server]'")
