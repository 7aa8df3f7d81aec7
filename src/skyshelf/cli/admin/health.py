"""`skyshelf admin health`: ask the server on this machine whether it works, for container probes and scripts."""

import http.client
import ipaddress
import json
import socket
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import click

from skyshelf.cli.admin.server_options import parsed_options
from skyshelf.cli.admin.serving.options import socket_path
from skyshelf.cli.admin.stores import json_option, print_result
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import seconds_option

_LOCAL: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - compared, not bound
_ANSWER_BYTES_MAX: Final = 64 * 1024


@click.command(
    "health",
    epilog=examples(
        "skyshelf admin health", "skyshelf admin health --live", "skyshelf admin health --url http://10.0.0.4:8600"
    ),
)
@click.option("--config", type=click.Path(path_type=Path), help="The server's file.  [default: the one it uses]")
@click.option("--url", metavar="URL", help="The server's own address.  [default: from its options]")
@click.option("--live", is_flag=True, help="Ask only whether it runs, not whether its stores can be reached.")
@seconds_option("--timeout", 0.1, 600, default=5, help="How long to wait.")
@json_option
def health(*, config: Path | None, url: str | None, live: bool, timeout: float, as_json: bool) -> None:
    """Ask the running server whether it works.

    It connects to where the server listens according to its options, file and environment: a Unix socket, or a port of
    this machine. The exit code is 0 if the server is ready, and 1 if it is not, or does not respond.
    """
    path = "/livez" if live else "/readyz"
    try:
        connection = _to_url(url, timeout) if url else _to_options(parsed_options(config), timeout)
        connection.request("GET", path)
        answer = connection.getresponse()
        found: Mapping[str, Any] = json.loads(answer.read(_ANSWER_BYTES_MAX))
    except (OSError, http.client.HTTPException, ValueError) as problem:
        raise CommandFailed(f"the server does not respond: {problem}") from problem
    is_well = answer.status == http.client.OK
    sentence = ", ".join(f"{name}: {state}" for name, state in found.items())
    print_result(as_json, {"ready": is_well, **found}, sentence if is_well else "")
    if not is_well:
        raise CommandFailed(f"the server is not ready: {sentence}")


def _to_url(url: str, timeout: float) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise CommandFailed("--url must be an address such as http://127.0.0.1:8600")
    return _connection(parts.hostname, parts.port, timeout, is_secure=parts.scheme == "https")


def _to_options(options: Mapping[str, Any], timeout: float) -> http.client.HTTPConnection:
    """A connection to the server with these options."""
    path = socket_path(options["listen"])
    host: str = _LOCAL.get(options["host"], options["host"])
    connection = _connection(host, options["port"], timeout, is_secure=options["tls_cert"] is not None)
    if path is not None:
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(timeout)
        connection.sock.connect(str(path))
        host = "127.0.0.1"
    if any(_is_in(host, network) for network in options["proxy_protocol"]):
        # A connection from this machine must announce whom it is for: itself.
        if connection.sock is None:
            connection.connect()
        assert connection.sock is not None
        connection.sock.sendall(b"PROXY UNKNOWN\r\n")
    return connection


def _connection(host: str, port: int | None, timeout: float, *, is_secure: bool) -> http.client.HTTPConnection:
    if not is_secure:
        return http.client.HTTPConnection(host, port, timeout=timeout)
    # The certificate is for the server's public name, and nothing secret is sent.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return http.client.HTTPSConnection(host, port, timeout=timeout, context=context)


def _is_in(host: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(network)
    except ValueError:
        return False
