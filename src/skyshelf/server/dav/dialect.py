"""A dialect of WebDAV: where the tree is, which properties it has, and what the headers of uploads mean."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from skyshelf.server.dav.paths import names_of
from skyshelf.server.dav.properties import LIVE, PropertyTable, etag_of
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes

_SECONDS: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{0,9})?")
_LATEST: Final = 253_402_300_799_999


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """What the headers of an upload say about the file."""

    modified_at: int | None = None
    created_at: int | None = None
    checksums: Mapping[str, str] = {}
    """Expected digests as hexadecimal text, by the names `MD5`, `SHA1`, `SHA256` and `ADLER32`."""


class Dialect:
    """Plain WebDAV below /dav. Subclasses override what differs."""

    prefix: str = "/dav"
    """Where the routes are. The router finds it among the first three segments of a path."""
    name: str = "dav"
    """The beginning of the names that requests have in the access log and the metrics."""
    properties: PropertyTable = LIVE
    is_webdav: bool = True
    """Whether app passwords that are for WebDAV alone are accepted."""

    def base_of(self, app: App) -> str:  # noqa: ARG002
        """The address of the root of the tree, without a slash at its end."""
        return self.prefix

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        """The path in the tree for the segments of an address, prefix included; OBJECT_NOT_FOUND outside of it."""
        base = [segment for segment in self.base_of(app).split("/") if segment]
        if list(segments[: len(base)]) != base:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return names_of(segments[len(base) :])

    def received(self, headers: Mapping[str, str]) -> Received:
        """The dates and checksums of an upload."""
        return Received(
            modified_at=seconds_in(headers.get("x-oc-mtime")),
            created_at=seconds_in(headers.get("x-oc-ctime")),
            checksums=checksums_in(headers),
        )

    def headers_of_upload(self, stored: StoredObject, received: Received) -> dict[str, str]:
        """The headers of the answer to an upload."""
        headers = {"etag": self.etag_of(stored) or ""}
        if received.modified_at is not None:
            headers["x-oc-mtime"] = "accepted"
        return headers

    def headers_of_folder(self, stored: StoredObject) -> Mapping[str, str]:  # noqa: ARG002
        """The headers of the answer to a request that makes a folder."""
        return {}

    def headers_of_download(self, stored: StoredObject) -> Mapping[str, str]:  # noqa: ARG002
        """Further headers of a file's download."""
        return {}

    def bind(self, app: App) -> None:
        """Called once, before anything else, where a dialect is made for one request."""

    def etag_of(self, stored: StoredObject) -> str | None:
        return etag_of(stored)


def seconds_in(header: str | None) -> int | None:
    """Epoch milliseconds from seconds as text; a date that makes no sense is ignored."""
    if header is None or not _SECONDS.fullmatch(header.strip()):
        return None
    at = int(float(header.strip()) * 1000)
    return at if 0 < at <= _LATEST else None


_CHECKSUM: Final = re.compile(r"(MD5|SHA1|SHA256|ADLER32):([0-9A-Fa-f]{8,64})")


def checksums_in(headers: Mapping[str, str]) -> dict[str, str]:
    """The digests in OC-Checksum; names and forms that are not known are ignored."""
    given = headers.get("oc-checksum", "")
    return {kind.upper(): digest.lower() for kind, digest in _CHECKSUM.findall(given.upper())}
