"""Who gets a response without its bytes, and how a file is named to the proxy."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from skyshelf.cli.admin.serve import serve
from skyshelf.server.http.offload import SMALLEST, Offload, OffloadKind, OffloadSettings, offload_of
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.pipeline.request import IndexedHeaders

BLOB = Path("/srv/skyshelf/blobs/blobs/ab/abcd-1234.100000")


def offload(kind: OffloadKind, prefix: str = "/blobs/") -> Offload:
    return Offload(OffloadSettings(kind=kind, prefix=prefix), Proxies(None, ["10.0.0.0/8"]))


def scope(*asked: str, peer: str = "10.0.0.1", **headers: str) -> dict[str, Any]:
    sent = [(b"x-sendfile-type", one.encode()) for one in asked]
    sent += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "client": (peer, 1234), "headers": sent}


def is_offloaded(given: dict[str, Any], kind: OffloadKind, *, size: int = SMALLEST, is_part: bool = False) -> bool:
    offload(kind).mark(given)
    return offload_of(given, IndexedHeaders(given), size, is_part=is_part) is not None


def test_nginx_gets_a_path_below_its_location_and_others_the_path_of_the_file() -> None:
    assert offload("x-accel-redirect", "/files/").pointer(BLOB) == ("x-accel-redirect", "/files/ab/abcd-1234.100000")
    assert offload("x-sendfile").pointer(BLOB) == ("x-sendfile", str(BLOB))


def test_a_trusted_proxy_that_asks_for_the_kind_that_is_set_gets_it() -> None:
    assert is_offloaded(scope("X-Accel-Redirect"), "x-accel-redirect")
    assert is_offloaded(scope("X-Sendfile"), "x-sendfile")
    assert not is_offloaded(scope("X-Sendfile"), "x-accel-redirect")
    assert not is_offloaded(scope(), "x-sendfile")
    assert not is_offloaded(scope("X-Sendfile", "other"), "x-sendfile")
    assert not is_offloaded(scope("X-Sendfile", peer="192.0.2.1"), "x-sendfile")
    assert not is_offloaded(scope("X-Sendfile") | {"client": None}, "x-sendfile")


def test_what_a_proxy_might_decide_otherwise_is_sent_by_the_server() -> None:
    kind: OffloadKind = "x-accel-redirect"
    name = "X-Accel-Redirect"
    assert not is_offloaded(scope(name), kind, size=SMALLEST - 1)
    assert is_offloaded(scope(name, range="bytes=0-4"), kind, is_part=True)
    assert not is_offloaded(scope(name, range="bytes=0-4,6-7"), kind)
    assert not is_offloaded(scope(name, range=f"bytes=0-{'9' * 40}"), kind, is_part=True)
    for condition in ({"if_match": "*"}, {"if_unmodified_since": "today"}, {"if_none_match": " *"}):
        assert not is_offloaded(scope(name, **condition), kind)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--blobs", "s3://bucket"], "--offload needs files on a disk"),
        (["--offload-prefix", "blobs"], "begins and ends with a slash"),
        (["--offload-prefix", "/a b/"], "begins and ends with a slash"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(tmp_path: Path, options: list[str], sentence: str) -> None:
    ended = CliRunner().invoke(serve, ["--data", str(tmp_path), "--offload", "x-accel-redirect", *options])
    assert ended.exit_code != 0
    assert sentence in ended.output
