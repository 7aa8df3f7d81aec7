"""Libraries that take megabytes are loaded by servers that need them."""

import subprocess
import sys
from pathlib import Path

import pytest

ONE_WORKER = """
import sys
from pathlib import Path
from tests.server.in_process import TestClient
from skyshelf.server.app import ServerSettings, create_app
from skyshelf.cli.admin.serve import serve
from skyshelf.storage.open import embedded_urls
metadata, blobs = embedded_urls(Path(sys.argv[1]))
app = create_app(ServerSettings(metadata=metadata, blobs=blobs, background=True))
with TestClient(app, client=("127.0.0.1", 1)) as client:
    for path in sys.argv[2:]:
        assert client.get(path).status_code == 200, path
print(sorted({name.partition(".")[0] for name in sys.modules} & {
    "opentelemetry", "requests", "google", "prometheus_client", "tomllib"
}))
"""
"""The whole application is made, serves requests, and ends; it prints what it has loaded."""


@pytest.mark.parametrize(
    ("asked", "loaded"), [(["/healthz", "/readyz"], []), (["/healthz", "/metrics"], ["prometheus_client"])]
)
def test_a_server_loads_neither_tracing_nor_metrics_until_it_needs_them(
    tmp_path: Path, asked: list[str], loaded: list[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    command = [sys.executable, "-c", ONE_WORKER, str(data), *asked]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(loaded)
