"""What `skyshelf serve` prints when it serves: where, with which stores, and how to create the first account."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from skyshelf.wire.version import VERSION

if TYPE_CHECKING:
    from skyshelf.server.app import ServerSettings
    from skyshelf.server.run import Listening
    from skyshelf.server.startup_checks import Findings


def stores_line(data: Path, metadata: str | None, blobs: str | None) -> str:
    """Where the data is stored, without the password in a URL."""
    parts = []
    if metadata is None or blobs is None:
        parts.append(str(data.absolute()))
    for url in (metadata, blobs):
        if url is not None:
            split = urlsplit(url)
            parts.append(f"{split.scheme}://{split.netloc.rpartition('@')[2]}{split.path}")
    return ", ".join(parts)


def banner(settings: "ServerSettings", listening: "Listening", findings: "Findings", where: str) -> str:
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
    if settings.first_account_token is not None:
        store = f"--metadata {where}" if settings.metadata.startswith("postgres") else f"--data {where}"
        lines += [
            "",
            "  There are no accounts yet. Create the first one in a browser; the link works once:",
            f"    {link_url(url, settings.first_account_token)}",
            "  or on the command line:",
            f"    skyshelf admin user add EMAIL --first-name F --last-name L --password-stdin {store}",
        ]
    return "\n".join(lines)
