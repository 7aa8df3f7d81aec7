"""A stream of a real server, which is stopped, and of another that takes over."""

from pathlib import Path

from tests.server.api import new_account
from tests.server.running import RunningServer, opened, over_the_network

STREAM = "/x/v1/changes/stream"


def test_a_server_that_is_stopped_ends_its_streams_and_another_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    server = RunningServer(data)
    server.start()
    with opened(data) as ctx:
        account = new_account(ctx, "ada@example.org")
        try:
            with over_the_network(server, ctx, account) as api:
                with api.client.stream("GET", STREAM, headers=api.headers) as answer:
                    assert answer.status_code == 200
                    assert answer.headers["content-type"].startswith("text/event-stream")
                    lines = answer.iter_lines()
                    cursor = next(line for line in lines if line.startswith("id: ")).removeprefix("id: ")
                    code = server.stop()
                    # It comes to its end, and is not cut: no error while reading the rest.
                    assert "event: changes" not in list(lines)
                assert code == 0
                api.folder("while nobody listened")
                server.start()
                rest = api.get(STREAM, params={"seconds": "0"}, headers={"Last-Event-ID": cursor})
                assert "while nobody listened" in rest.text
        finally:
            server.close()
