"""`skyshelf serve --simulate`: a real server that misbehaves as configured."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts.servers import Stack, embedded

from skyshelf.service.accounts import accounts


@contextmanager
def simulating(folder: Path, how: str) -> Iterator[tuple[Stack, PlainClient]]:
    with embedded(folder, "--simulate", how) as stack:
        accounts.add_account(stack.ctx, "ada@example.org", "Ada", "Byron", PASSWORD)
        with PlainClient(stack.urls, retried=(429, 500, 503)) as client:
            yield stack, client.log_in("ada@example.org")


def wait_until_seen(client: PlainClient, path: str, name: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        found = client.json("GET", path, params={"folderKey": client.root} if "metadata" in path else {})["objects"]
        if name in [one["objectName"] for one in found]:
            return
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_new_and_trashed_objects_appear_after_the_lag(tmp_path: Path) -> None:
    with simulating(tmp_path, "lag=3s") as (stack, client):
        stack.servers[0].logged("NOT FOR REAL DATA")
        # The server's lag begins after ours, so it can never end sooner, however slow the machine is.
        began = time.monotonic()
        created = client.folder("late")
        wait_until_seen(client, "/nms/metadata", "late")
        assert time.monotonic() - began >= 3
        began = time.monotonic()
        client.changed("TRASH", created, status="T")
        assert client.names() == []
        wait_until_seen(client, "/nms/trash", "late")
        assert time.monotonic() - began >= 3


def test_throttling_and_faults_come_at_the_configured_rate_and_a_client_that_retries_gets_through(
    tmp_path: Path,
) -> None:
    with simulating(tmp_path, "throttle=0.3,fail=0.3") as (_, client):
        with PlainClient(client.urls, client.session) as plain:
            answers = [plain.get("/security/users") for _ in range(300)]
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses.keys() == {200, 429, 500, 503}
        # More than five standard deviations off would be no accident.
        assert 50 < statuses[429] < 130
        assert 25 < statuses[500] + statuses[503] < 101
        assert all(answer.headers["retry-after"] == "1" for answer in answers if answer.status_code == 429)
        for number in range(10):
            body = {"objectName": f"folder {number}", "parentObjectKey": client.root, "sourceName": "DRIVE"}
            # Half of the faults come after the work was done: the next try finds the name taken.
            assert client.request("POST", "/nms/folders", json=body).status_code in {201, 409}
        assert client.names() == [f"folder {number}" for number in range(10)]
