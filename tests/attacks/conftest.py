"""A fresh server for every attack, on SQLite + disk and on PostgreSQL + S3."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex

import pytest
from tests.attacks.attacked import Attacked
from tests.real_parts import shared
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY
from tests.server.api import Api, new_account
from tests.server.running import RunningServer, opened, over_the_network

from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import open_blobs, open_metadata

EMBEDDED, SCALED_OUT = "sqlite+disk", "postgres+s3"
BOTH = [EMBEDDED, SCALED_OUT]
BUCKET = "attacks"

Starting = Callable[..., Attacked]


@pytest.fixture(scope="package")
def control(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """An account on a server that nobody attacks."""
    server = RunningServer(tmp_path_factory.mktemp("control") / "data")
    put_migrated(server.data)
    server.start()
    try:
        with opened(server.data) as ctx, over_the_network(server, ctx, new_account(ctx, "control@example.org")) as api:
            yield api
    finally:
        server.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Attacks alternate between the stacks, which takes half of the time; `--attack-stack both` runs each on both."""
    chosen = any("attacked_backend" in str(mark.args[0]) for mark in metafunc.definition.iter_markers("parametrize"))
    if "attacked_backend" not in metafunc.fixturenames or chosen:
        return
    told: str = metafunc.config.getoption("--attack-stack")
    if told == "turns":
        attacks = [name for name in vars(metafunc.module) if name.startswith("test_")]
        stacks = [BOTH[(attacks.index(metafunc.function.__name__) + len(metafunc.module.__name__)) % len(BOTH)]]
    else:
        stacks = {"both": BOTH, "embedded": [EMBEDDED], "scaled": [SCALED_OUT]}[told]
    metafunc.parametrize("attacked_backend", stacks)


@pytest.fixture
def start_attacked(
    attacked_backend: str,
    control: Api,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> Iterator[Starting]:
    """Starts a server with more options of `serve`, for a test that needs some; it ends with the test."""
    with ExitStack() as until:

        def start(*options: str, descriptors: int | None = None) -> Attacked:
            if attacked_backend == EMBEDDED:
                server = RunningServer(tmp_path / "data", *options, descriptors=descriptors)
                put_migrated(server.data)
            else:
                monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
                monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
                s3 = shared.seaweedfs()
                s3.make_bucket(BUCKET)
                metadata = until.enter_context(shared.postgres().large_database())
                urls = metadata, f"s3://{BUCKET}/{token_hex(8)}?endpoint={s3.endpoint}"
                stores = ("--metadata", urls[0], "--blobs", urls[1])
                server = RunningServer(tmp_path / "instance", *stores, *options, descriptors=descriptors)
            until.callback(server.close)
            server.start()
            opening = opened(server.data) if attacked_backend == EMBEDDED else _connected(*urls)
            return Attacked(server, until.enter_context(opening), control, until, record_property)

        yield start


@pytest.fixture
def attacked(start_attacked: Starting) -> Attacked:
    return start_attacked()


@contextmanager
def _connected(metadata: str, blobs: str) -> Iterator[ServiceContext]:
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        yield ctx
    finally:
        ctx.metadata.close()
        ctx.blobs.close()
