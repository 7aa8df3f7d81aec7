"""`skyshelf admin health` asks the server where it listens."""

import json
from pathlib import Path

import pytest
from tests.cli.serving import make_certificate, run, serving


def health(*arguments: str, config: Path | None = None) -> tuple[int, str, str]:
    said = run("admin", "health", *arguments, *(("--config", str(config)) if config else ()))
    return said.returncode, said.stdout, said.stderr


def test_a_server_that_is_ready(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "data")) as server:
        url = f"http://127.0.0.1:{server.port}"
        code, out, _ = health("--url", url)
        assert (code, "metadata: ready" in out) == (0, True)
        assert health("--url", url, "--live")[1] == "status: up\n"
        config = tmp_path / "server.toml"
        config.write_text(f"port = {server.port}\n")
        code, out, _ = health("--json", config=config)
        assert (code, json.loads(out)["ready"], json.loads(out)["blobs"]) == (0, True, "ready")


def test_a_server_with_tls(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "drive.example.org")
    config = tmp_path / "server.toml"
    with serving(
        "--data", str(tmp_path / "a"), "--tls-cert", str(cert), "--tls-key", str(key), scheme="https"
    ) as server:
        config.write_text(f'port = {server.port}\ntls-cert = "{cert}"\ntls-key = "{key}"\n')
        assert health(config=config)[0] == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [(("--url", "http://127.0.0.1:9"), "does not respond"), (("--url", "drive"), "--url must be")],
)
def test_no_server_is_a_sentence_and_an_exit_code(given: tuple[str, ...], sentence: str) -> None:
    code, out, err = health(*given)
    assert (code, out) == (1, "")
    assert sentence in err
