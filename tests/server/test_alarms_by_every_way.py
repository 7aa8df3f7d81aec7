"""The alarm counts what is encrypted in whichever way it arrives."""

import random
from collections.abc import Callable

import pytest
from tests.server.api import new_account
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp
from tests.server.uploading import md5

from skyshelf.service.context import ServiceContext
from skyshelf.wire.limits import ALARM_LIMIT_MIN, ALARM_SCRAMBLED_POINTS

FILES = ALARM_LIMIT_MIN // ALARM_SCRAMBLED_POINTS
DATA = random.Random(7).randbytes(4096)


@pytest.fixture
def cloud(client: TestClient, ctx: ServiceContext) -> CloudApp:
    cloud = CloudApp(client, ctx, new_account(ctx, "ada@example.org"))
    for number in range(FILES + 1):
        assert cloud.put(f"{number}.docx", b"PK\x03\x04 a document").status_code == 201
    ctx.metadata.write(lambda unit: unit.alarms.set_limit(cloud.account.account_id, ALARM_LIMIT_MIN))
    return cloud


def put(cloud: CloudApp, number: int) -> int:
    return cloud.put(f"{number}.docx", DATA).status_code


def move(cloud: CloudApp, number: int) -> int:
    return cloud.move(f"{number}.docx", f"{number}.docx.locked").status_code


def move_over(cloud: CloudApp, number: int) -> int:
    """An encrypted file, already there, takes the place."""
    cloud.put(f"{number}.encrypted.docx", DATA)
    return cloud.move(f"{number}.encrypted.docx", f"{number}.docx").status_code


def copy_over(cloud: CloudApp, number: int) -> int:
    cloud.put(f"{number}.encrypted.docx", DATA)
    return cloud.copy(f"{number}.encrypted.docx", f"{number}.docx").status_code


def chunks(cloud: CloudApp, number: int) -> int:
    base = cloud.url("").replace("/files/", "/uploads/").rstrip("/") + f"/{number}"
    assert cloud.call("MKCOL", base).status_code in {201, 403}
    cloud.call("PUT", f"{base}/00001", content=DATA)
    return cloud.call("MOVE", f"{base}/.file", headers={"Destination": cloud.url(f"{number}.docx")}).status_code


def bulk(cloud: CloudApp, number: int) -> int:
    part = (
        f"--b\r\nContent-Length: {len(DATA)}\r\nX-File-Path: /{number}.docx\r\nX-File-MD5: {md5(DATA)}\r\n\r\n".encode()
        + DATA
        + b"\r\n--b--\r\n"
    )
    kind = {"Content-Type": "multipart/related; boundary=b"}
    return cloud.call("POST", "/remote.php/dav/bulk", content=part, headers=kind).status_code


@pytest.mark.parametrize("way", [put, move, move_over, copy_over, chunks, bulk])
def test_an_app_is_paused(cloud: CloudApp, way: Callable[[CloudApp, int], int]) -> None:
    seen = [way(cloud, number) for number in range(FILES + 1)]
    assert seen[0] < 300
    with cloud.ctx.metadata.read() as unit:
        assert unit.alarms.is_paused(cloud.account.account_id, cloud.device_key), seen
