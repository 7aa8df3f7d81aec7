"""When the server cannot start: one sentence, an exit code, and no traceback."""

import json
import os
import socket
from pathlib import Path

import apsw
import pytest
from tests.cli.serving import make_certificate, run, serving
from tests.real_parts import shared

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.open import open_metadata


def refused(*arguments: str) -> str:
    """The one line that it says."""
    ended = run("serve", "--port", "0", *arguments)
    assert ended.returncode not in {0, None}
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1, ended.stderr
    assert lines[0].startswith("skyshelf: ")
    return lines[0]


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}: Address already in use" in refused("--data", str(tmp_path), "--port", str(port))


def test_a_port_that_another_skyshelf_has(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "one")) as server:
        sentence = refused("--data", str(tmp_path / "two"), "--port", str(server.port))
        assert "Address already in use" in sentence


def test_an_address_that_is_not_of_this_machine(tmp_path: Path) -> None:
    assert "cannot listen on 203.0.113.1" in refused("--data", str(tmp_path), "--host", "203.0.113.1")


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ended = run("serve", "--data", str(tmp_path / "file"))
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
    assert str(tmp_path / "file" / "below") in refused("--data", str(tmp_path / "file" / "below"))


def test_a_data_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        assert "/proc/skyshelf-data" in refused("--data", "/proc/skyshelf-data")
    else:
        tmp_path.chmod(0o500)
        assert str(tmp_path / "data") in refused("--data", str(tmp_path / "data"))


def test_a_store_of_a_newer_version(tmp_path: Path) -> None:
    open_metadata(str(tmp_path / "metadata.db")).close()
    connection = apsw.Connection(str(tmp_path / "metadata.db"))
    connection.execute("INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, 'future', 0)")
    connection.close()
    assert "has schema version 9999" in refused("--data", str(tmp_path))


def test_a_store_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "metadata.db").write_bytes(b"this is not a database, but long enough to be looked at" * 100)
    assert "metadata.db" in refused("--data", str(tmp_path))


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"postgresql://someone:secret-word@127.0.0.1:{unused.getsockname()[1]}/skyshelf"
        sentence = refused("--data", str(tmp_path), "--metadata", url)
    assert "the database cannot be used" in sentence
    assert "secret-word" not in sentence


def test_a_bucket_url_that_is_none(tmp_path: Path) -> None:
    assert "names no bucket" in refused("--data", str(tmp_path), "--blobs", "s3://")
    assert "of the kind 'ftp'" in refused("--data", str(tmp_path), "--blobs", "ftp://x/y")


@pytest.mark.parametrize("which", ["missing", "broken", "half"])
def test_tls_files_that_cannot_be_used(tmp_path: Path, which: str) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    if which != "missing":
        cert.write_text("not a certificate")
        key.write_text("not a key")
    tls = ("--tls-cert", str(cert), *(() if which == "half" else ("--tls-key", str(key))))
    expected = {"missing": "do not both exist", "broken": "cannot be used for TLS", "half": "--tls-key"}[which]
    assert expected in refused("--data", str(tmp_path / "data"), *tls)


def test_a_key_with_a_password_is_refused_and_not_asked_about(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "localhost", password=b"word")
    sentence = refused("--data", str(tmp_path / "data"), "--tls-cert", str(cert), "--tls-key", str(key))
    assert "the key is encrypted" in sentence


@pytest.mark.parametrize(
    "option",
    [
        ("--public-url", "drive.example.org"),
        ("--public-url", "https://example.org/dav"),
        ("--listen", "/run/skyshelf.sock"),
        ("--listen", "unix:skyshelf.sock"),
        ("--listen", "unix:/" + "x" * 100),
        ("--listen-mode", "rw"),
        ("--proxy-protocol", "everybody"),
        ("--accept-app", "only-a-key"),
        ("--trust-proxy", "not a network"),
        ("--quota", "a lot"),
        ("--workers", "0"),
        ("--workers", "many"),
        ("--port", "70000"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_with_usage(tmp_path: Path, option: tuple[str, str]) -> None:
    ended = run("serve", "--data", str(tmp_path), *option)
    assert ended.returncode == 2
    assert option[0] in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_simulation_that_is_none(tmp_path: Path) -> None:
    assert "is not one of lag=2s" in refused("--data", str(tmp_path), "--simulate", "rain=1")


def test_debug_shows_the_whole_error(tmp_path: Path) -> None:
    (tmp_path / "metadata.db").write_bytes(b"this is not a database, but long enough to be looked at" * 100)
    ended = run("serve", "--port", "0", "--data", str(tmp_path), "--debug")
    assert ended.returncode != 0
    assert "Traceback" in ended.stderr


@pytest.mark.whole
def test_a_database_that_is_not_migrated_and_then_is(tmp_path: Path) -> None:
    url = shared.postgres().unmigrated()
    assert "skyshelf admin upgrade" in refused("--data", str(tmp_path), "--metadata", url)
    migrated = run("admin", "upgrade", "--metadata", url)
    assert migrated.returncode == 0, migrated.stderr
    assert "0001 initial" in migrated.stdout.splitlines()[0]
    again = run("admin", "upgrade", "--metadata", url, "--json")
    assert json.loads(again.stdout)["migrations"] == []
    with serving("--data", str(tmp_path), "--metadata", url, "--workers", "2") as server:
        assert server.client.get("/readyz").status_code == 200
        account = ("--first-name", "A", "--last-name", "B", "--password-stdin", "--metadata", url)
        added = run("admin", "user", "add", "ada@example.org", *account, stdin="correct horse battery\n")
        assert added.returncode == 0, added.stderr
        body = {"emailId": "ada@example.org", "password": "correct horse battery"}
        assert server.client.post("/x/v1/login", json=body).status_code == 200
        assert server.stop() == 0


@pytest.mark.whole
def test_a_removed_database_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving("--data", str(data)):
        pass
    blobs = DiskBlobs(data / "blobs")
    blobs.put([b"what somebody has stored"])
    blobs.close()
    for file in data.glob("metadata.db*"):
        file.unlink()
    sentence = refused("--data", str(data))
    assert "The database is new or from before these blobs" in sentence
    assert '--adopt "the reason"' in sentence
    with serving("--data", str(data), "--adopt", "the database is lost"):
        pass
    with serving("--data", str(data)):
        pass
