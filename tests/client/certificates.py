"""Certificates for tests: an authority that clients can trust, and servers with its certificates."""

import ssl
from pathlib import Path

import trustme


class Authority:
    """A certificate authority; clients trust it through `ca_file`."""

    def __init__(self, folder: Path) -> None:
        self._authority = trustme.CA()
        self.ca_file = str(folder / "ca.pem")
        self._authority.cert_pem.write_to_path(self.ca_file)

    def server(self, *names: str, expired: bool = False) -> ssl.SSLContext:
        """The context of a server that shows a certificate for these names."""
        from datetime import UTC, datetime

        ended = datetime(2001, 1, 1, tzinfo=UTC) if expired else None
        began = datetime(2000, 1, 1, tzinfo=UTC) if expired else None
        certificate = self._authority.issue_cert(*names, not_before=began, not_after=ended)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        return context
