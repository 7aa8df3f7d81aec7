"""What is measured: a server, and how one asks it for the same things as the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server_process import ServerProcess

SMALL_FILE_BYTES = 100_000
PAGE_OBJECTS = 2000
PICTURES = 200


@dataclass(frozen=True)
class Ask:
    """One request."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Files:
    """The files that every server serves: many small ones in one folder, pictures and their thumbnails, a large and
    a tiny one."""

    folder: Path
    large_bytes: int

    @property
    def small(self) -> list[Path]:
        return sorted((self.folder / "small").iterdir())

    @property
    def pictures(self) -> list[Path]:
        return sorted((self.folder / "pictures").iterdir())

    @property
    def thumbnails(self) -> Path:
        """The folder of the thumbnails that our server makes; the others send them as files."""
        return self.folder / "thumbnails"

    @property
    def large(self) -> Path:
        return self.folder / "large.bin"


@dataclass
class Subject:
    """A server under measurement; what it has no way for is None."""

    name: str
    process: ServerProcess
    headers: Mapping[str, str]
    page: Ask
    tiny: Ask
    small_paths: Sequence[str]
    thumbnail_paths: Sequence[str]
    large_path: str | None = None
    put_small: Callable[[int, bytes], Ask] | None = None
    """How to upload a small file under a number; the content is new each time."""
    put_large: Callable[[int], list[str]] | None = None
    """The arguments of curl that upload the large file under a number."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.process.port}"
