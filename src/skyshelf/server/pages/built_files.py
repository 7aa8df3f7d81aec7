"""The built files of the web client in this package, each uncompressed and, where smaller, compressed."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

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


@dataclass(frozen=True)
class BuiltFile:
    """A file: its type, and its bodies by content coding, '' for uncompressed. A body is read only when needed."""

    content_type: str
    bodies: dict[str, Path | bytes]

    def body(self, coding: str = "") -> bytes:
        body = self.bodies[coding]
        return body if isinstance(body, bytes) else body.read_bytes()

    def body_for(self, accepted: str) -> tuple[str, bytes]:
        """Return the smallest body that the browser accepts, and its coding."""
        codings = {one.partition(";")[0].strip() for one in accepted.lower().split(",")}
        coding = min((one for one in self.bodies if not one or one in codings), key=self._sizes.__getitem__)
        return coding, self.body(coding)

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.body()).hexdigest()[:32]}"'

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {
            coding: len(body) if isinstance(body, bytes) else body.stat().st_size
            for coding, body in self.bodies.items()
        }


@cache
def built_files(prefix: str = "") -> dict[str, BuiltFile]:
    """Return every file by its path; empty if the web client has not been built.

    With a prefix, the page and the manifest name their files below it. Scripts and styles name theirs relative to
    themselves.
    """
    if prefix:
        files = built_files()
        return {path: _placed(file, prefix) if path.endswith(_WITH_PATHS) else file for path, file in files.items()}
    if not FOLDER.is_dir():
        return {}
    plain = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in _TYPES and path.is_file()]
    return {path.relative_to(FOLDER).as_posix(): _found(path) for path in plain}


def _placed(file: BuiltFile, prefix: str) -> BuiltFile:
    """Return the file with the prefix added to its paths."""
    body = _PATHS.sub(rb"\g<0>" + prefix.encode("ascii"), file.body())
    return BuiltFile(file.content_type, {"": body, "gzip": gzip.compress(body, mtime=0)})


def _found(path: Path) -> BuiltFile:
    packed = {coding: path.with_name(path.name + ending) for coding, ending in _PACKED.items()}
    return BuiltFile(
        content_type=_TYPES[path.suffix],
        bodies={"": path, **{coding: one for coding, one in packed.items() if one.is_file()}},
    )
