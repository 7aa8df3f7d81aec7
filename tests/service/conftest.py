"""A service without HTTP: stores in a temporary folder, and a clock that tests move."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import HeldClock, new_account
from tests.service.callers import caller_of

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def ctx(tmp_path: Path, clock: HeldClock) -> Iterator[ServiceContext]:
    put_migrated(tmp_path)
    metadata, blobs = embedded_urls(tmp_path)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=clock)
    yield ctx
    ctx.media.close()
    ctx.metadata.close()
    ctx.blobs.close()


@pytest.fixture
def caller(ctx: ServiceContext) -> Caller:
    """The owner of the only account."""
    return caller_of(new_account(ctx, "ada@example.org"))
