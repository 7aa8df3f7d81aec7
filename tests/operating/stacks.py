"""The two stacks that people run, and ways to damage them behind the service's back."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import apsw
import obstore
import psycopg
import pytest
from obstore.store import S3Store
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.postgres import PostgresServer
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, SeaweedFS
from tests.server.api import HeldClock

from skyshelf.service.context import ServiceContext
from skyshelf.storage.blobs.object_store.layout import parse_location
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs, open_metadata

BUCKET = "operating"
Value = str | int | bytes | None


@dataclass(frozen=True)
class Stack:
    name: str
    ctx: ServiceContext
    clock: HeldClock
    urls: tuple[str, str]
    """URLs of the metadata and of the blobs."""
    options: tuple[str, ...]
    """What names these stores on a command line."""
    damage: Callable[..., None]
    """damage(statement, *values): change rows past every constraint; `?` stands for a value."""
    replace_bytes: Callable[[str, bytes], None]
    """What a broken disk does: other bytes for a small blob."""


@contextmanager
def _ctx(metadata: str, blobs: str) -> Iterator[tuple[ServiceContext, HeldClock]]:
    clock = HeldClock(time.time_ns() // 1_000_000)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=clock)
    try:
        yield ctx, clock
    finally:
        ctx.media.close()
        ctx.metadata.close()
        ctx.blobs.close()


@contextmanager
def _on_this_machine(
    data: Path,
    _monkeypatch: pytest.MonkeyPatch,
    _postgres: Callable[[], PostgresServer],
    _s3: Callable[[], SeaweedFS],
) -> Iterator[Stack]:
    metadata, blobs = embedded_urls(data)
    put_migrated(data)

    def damage(statement: str, *values: Value) -> None:
        connection = apsw.Connection(str(data / METADATA_FILE))
        connection.set_busy_timeout(10_000)
        connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON").close()
        connection.execute(statement, values).close()
        assert connection.changes() > 0, statement
        connection.close()

    with _ctx(metadata, blobs) as (ctx, clock):

        def replace_bytes(location: str, content: bytes) -> None:
            path = ctx.blobs.local_path(location)
            assert path is not None
            path.write_bytes(content)

        yield Stack("sqlite+disk", ctx, clock, (metadata, blobs), ("--data", str(data)), damage, replace_bytes)


@contextmanager
def _scaled_out(
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres: Callable[[], PostgresServer],
    s3: Callable[[], SeaweedFS],
) -> Iterator[Stack]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    place, prefix = s3(), token_hex(8)
    place.make_bucket(BUCKET)
    blobs = f"s3://{BUCKET}/{prefix}?endpoint={place.endpoint}"
    raw = S3Store(
        BUCKET,
        prefix=prefix,
        endpoint=place.endpoint,
        access_key_id=ACCESS_KEY,
        secret_access_key=SECRET_KEY,
        client_options={"allow_http": True},
    )

    def replace_bytes(location: str, content: bytes) -> None:
        obstore.put(raw, parse_location(location).key, content, use_multipart=False)

    with postgres().database() as url:

        def damage(statement: str, *values: Value) -> None:
            with psycopg.connect(url) as connection:
                connection.execute("SET session_replication_role = replica")
                changed = connection.execute(statement.replace("?", "%s").encode(), values).rowcount
                assert changed > 0, statement

        with _ctx(url, blobs) as (ctx, clock):
            options = ("--data", str(data), "--metadata", url, "--blobs", blobs)
            yield Stack("postgres+s3", ctx, clock, (url, blobs), options, damage, replace_bytes)


Factory = Callable[
    [Path, pytest.MonkeyPatch, Callable[[], PostgresServer], Callable[[], SeaweedFS]], AbstractContextManager[Stack]
]
STACKS: dict[str, Factory] = {"sqlite+disk": _on_this_machine, "postgres+s3": _scaled_out}
