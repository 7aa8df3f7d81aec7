"""Two instances on one PostgreSQL and one bucket are one service; killing one loses nothing."""

import os
import signal
from pathlib import Path
from secrets import token_hex

import httpx2
import pytest
from tests.cli.serving import Serving, run, serving
from tests.real_parts import shared
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY

from skyshelf.wire.headers import session_headers

PASSWORD = "correct horse battery"


@pytest.fixture
def stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The options that name a migrated database and a bucket."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    s3 = shared.seaweedfs()
    s3.make_bucket("drive")
    url = shared.postgres().unmigrated()
    assert run("admin", "upgrade", "--metadata", url).returncode == 0
    account = ("--first-name", "A", "--last-name", "B", "--password-stdin", "--metadata", url)
    assert run("admin", "user", "add", "ada@example.org", *account, stdin=f"{PASSWORD}\n").returncode == 0
    return ("--data", str(tmp_path), "--metadata", url, "--blobs", f"s3://drive/{token_hex(8)}?endpoint={s3.endpoint}")


def log_in(server: Serving) -> dict[str, str]:
    answer = server.client.post("/x/v1/login", json={"emailId": "ada@example.org", "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    login = answer.json()
    return session_headers(login["authToken"], login["userId"], login["deviceKey"])


@pytest.mark.whole
def test_a_session_of_one_instance_is_a_session_of_the_other_until_it_is_ended_on_either(
    stores: tuple[str, ...],
) -> None:
    with serving(*stores) as one, serving(*stores) as two:
        assert one.client.get("/readyz").json() == {
            "metadata": "ready",
            "blobs": "ready",
            "space": "ready",
            "jobs": "ready",
            "writes": "ready",
        }
        headers = log_in(one)
        assert two.client.get("/security/users", headers=headers).status_code == 200
        assert two.client.put("/security/users/logout", headers=headers).status_code == 204
        assert one.client.get("/security/users", headers=headers).status_code == 401

        # Wrong passwords count together, wherever they are tried.
        statuses = [
            httpx2.post(
                f"{server.client.base_url}/x/v1/login",
                json={"emailId": "ada@example.org", "password": "wrong password"},
                headers={"X-Forwarded-For": f"198.51.100.{number}"},
            ).status_code
            for number in range(7)
            for server in (one, two)
        ]
        assert statuses.count(429) >= 1
        assert statuses[:10] == [401] * 10

        for pid in (*two.descendants(), two.process.pid):
            os.kill(pid, signal.SIGKILL)
        two.stop()
        assert one.client.get("/readyz").status_code == 200
        assert one.stop() == 0
