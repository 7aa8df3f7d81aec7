"""The built files of the web client in this package, each uncompressed and, where smaller, compressed."""

import hashlib
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


@cache
def built_files() -> dict[str, BuiltFile]:
    """Every file by its path; empty if the web client has not been built."""
    if not FOLDER.is_dir():
        return {}
    plain = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in _TYPES and path.is_file()]
    return {path.relative_to(FOLDER).as_posix(): _read(path) for path in plain}


def _read(path: Path) -> BuiltFile:
    body = path.read_bytes()
    packed = {coding: path.with_name(path.name + ending) for coding, ending in _PACKED.items()}
    return BuiltFile(
        content_type=_TYPES[path.suffix],
        bodies={"": body, **{coding: one.read_bytes() for coding, one in packed.items() if one.is_file()}},
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
    )
