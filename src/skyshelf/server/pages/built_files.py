"""The built files of the web client in this package, each uncompressed and, where smaller, compressed."""

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

FOLDER: Final = Path(__file__).parent / "web_client" / "built"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED: Final = {"br": ".br", "gzip": ".gz"}
_WITH_PATHS: Final = (".html", ".webmanifest")
# The beginnings of paths: in attributes of the page, and in values of the manifest.
_PATHS: Final = re.compile(rb'(?:(?:href|src)=|"(?:id|start_url|scope|src|url|action)": ?)"(?=/)')


class BuiltFile(msgspec.Struct, frozen=True):
    """A file: its type, and its bytes by content coding, '' for uncompressed."""

    content_type: str
    bodies: dict[str, bytes]
    etag: str

    def body_for(self, accepted: str) -> tuple[str, bytes]:
        """The smallest body that the browser accepts, and its coding."""
        codings = {one.partition(";")[0].strip() for one in accepted.lower().split(",")}
        return min(
            ((coding, body) for coding, body in self.bodies.items() if not coding or coding in codings),
            key=lambda pair: len(pair[1]),
        )


def built_files(prefix: str = "") -> dict[str, BuiltFile]:
    """Every file by its path; empty if the web client has not been built.

    With a prefix, the page and the manifest name their files below it. Scripts and styles name theirs relative to
    themselves.
    """
    return _files_below(prefix)


@cache
def _files_below(prefix: str) -> dict[str, BuiltFile]:
    if prefix:
        files = _files_below("")
        return {path: _placed(file, prefix) if path.endswith(_WITH_PATHS) else file for path, file in files.items()}
    if not FOLDER.is_dir():
        return {}
    plain = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in _TYPES and path.is_file()]
    return {path.relative_to(FOLDER).as_posix(): _read(path) for path in plain}


def _placed(file: BuiltFile, prefix: str) -> BuiltFile:
    """A file whose paths begin with the prefix."""
    body = _PATHS.sub(rb"\g<0>" + prefix.encode("ascii"), file.bodies[""])
    return BuiltFile(file.content_type, {"": body, "gzip": gzip.compress(body, mtime=0)}, _etag(body))


def _etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _read(path: Path) -> BuiltFile:
    body = path.read_bytes()
    packed = {coding: path.with_name(path.name + ending) for coding, ending in _PACKED.items()}
    return BuiltFile(
        content_type=_TYPES[path.suffix],
        bodies={"": body, **{coding: one.read_bytes() for coding, one in packed.items() if one.is_file()}},
        etag=_etag(body),
    )
