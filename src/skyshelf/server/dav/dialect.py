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


class UploadHeaders(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about the file in the headers of an upload."""

    modified_at: int | None = None
    created_at: int | None = None
    checksums: Mapping[str, str] = {}
    """Expected digests as hexadecimal text, by the names `MD5`, `SHA1`, `SHA256` and `ADLER32`."""


class Dialect:
    """Plain WebDAV below /dav. Subclasses override what differs."""

    prefix: str = "/dav"
    """The path below which the routes are. The router finds it among the first three segments of a path."""
    name: str = "dav"
    """The prefix of operation names in the access log and the metrics."""
    properties: PropertyTable = LIVE
    is_webdav: bool = True
    """Whether app passwords limited to WebDAV are accepted."""

    def base_of(self, app: App) -> str:  # noqa: ARG002
        """Return the address of the tree's root, without a trailing slash."""
        return self.prefix

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        """Return the path in the tree for an address's segments with the prefix; raise OBJECT_NOT_FOUND outside it."""
        base = [segment for segment in self.base_of(app).split("/") if segment]
        if list(segments[: len(base)]) != base:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return names_of(segments[len(base) :])

    def named_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        """Return the path for an address that a header names: a destination, or a condition's resource."""
        return self.names_in(app, segments)

    def received(self, headers: Mapping[str, str]) -> UploadHeaders:
        return UploadHeaders(
            modified_at=seconds_in(headers.get("x-oc-mtime")),
            created_at=seconds_in(headers.get("x-oc-ctime")),
            checksums=checksums_in(headers),
        )

    def headers_of_upload(self, stored: StoredObject, received: UploadHeaders) -> dict[str, str]:
        headers = {"etag": self.etag_of(stored) or ""}
        if received.modified_at is not None:
            headers["x-oc-mtime"] = "accepted"
        return headers

    def headers_of_folder(self, stored: StoredObject) -> Mapping[str, str]:  # noqa: ARG002
        return {}

    def headers_of_download(self, stored: StoredObject) -> Mapping[str, str]:  # noqa: ARG002
        return {}

    def bind(self, app: App) -> None:
        """Bind the dialect to a request. Called once, before anything else, if a dialect is created per request."""

    def etag_of(self, stored: StoredObject) -> str | None:
        return etag_of(stored)


def seconds_in(header: str | None) -> int | None:
    """Return epoch milliseconds from seconds as text; an implausible date is ignored."""
    if header is None or not _SECONDS.fullmatch(header.strip()):
        return None
    at = int(float(header.strip()) * 1000)
    return at if 0 < at <= _LATEST else None


_CHECKSUM: Final = re.compile(r"(MD5|SHA1|SHA256|ADLER32):([0-9A-Fa-f]{8,64})")


def checksums_in(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the digests in OC-Checksum; unknown names and forms are ignored."""
    given = headers.get("oc-checksum", "")
    return {kind.upper(): digest.lower() for kind, digest in _CHECKSUM.findall(given.upper())}
