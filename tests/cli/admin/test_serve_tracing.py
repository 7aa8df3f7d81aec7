"""The options that say where traces are sent, and the sentences for those that cannot be used."""

from pathlib import Path
from typing import Any

import pytest
from tests.cli.serving import run

from skyshelf.cli.admin.serving import services
from skyshelf.cli.admin.serving.services import tracing_settings_of
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.server.observability.tracing import settings as settings_module
from skyshelf.server.observability.tracing.settings import TracingSettings, endpoint_of, parse_headers, tracing_settings


def chosen(**given: Any) -> TracingSettings | None:
    names = ("tracing", "tracing_sample", "tracing_headers_file", "tracing_service")
    return tracing_settings_of({name: given.get(name) for name in names})


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("http://localhost:4318", "http://localhost:4318/v1/traces"),
        ("https://collector.example.org/", "https://collector.example.org/v1/traces"),
        ("https://example.org/otlp/v1/traces", "https://example.org/otlp/v1/traces"),
        ("http://[::1]:4318", "http://[::1]:4318/v1/traces"),
    ],
)
def test_a_collector_without_a_path_has_the_usual_one(url: str, endpoint: str) -> None:
    assert endpoint_of(url) == endpoint


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("localhost:4318", "OTLP over HTTP"),
        ("grpc://localhost:4317", "OTLP over HTTP"),
        ("http://", "OTLP over HTTP"),
        ("http://localhost:4318/?token=secret", "OTLP over HTTP"),
        ("http://user:secret@localhost:4318", "must not contain a password"),
        ("http://localhost:99999", "the port"),
    ],
)
def test_what_is_no_collector_is_refused_without_its_secret(url: str, sentence: str) -> None:
    with pytest.raises(CommandFailed, match=sentence) as refused:
        chosen(tracing=url)
    assert "secret" not in str(refused.value)


def test_headers_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "headers"
    file.write_text("# ours\n\nAuthorization: Bearer abc\nX-Tenant:  drive \n")
    found = chosen(tracing="http://localhost:4318", tracing_headers_file=file, tracing_sample=0.5)
    assert found is not None
    assert found.headers == (("authorization", "Bearer abc"), ("x-tenant", "drive"))
    assert found.sample == 0.5
    assert "abc" not in repr(found)


@pytest.mark.parametrize("text", ["a secret", "bad name: a secret", "name: a\x00secret", "x: é-secret"])
def test_a_line_that_is_no_header_is_named_by_its_number_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "headers"
    file.write_text(f"good: one\n{text}\n")
    with pytest.raises(CommandFailed, match="line 2 is not a header") as refused:
        chosen(tracing="http://localhost:4318", tracing_headers_file=file)
    assert "secret" not in str(refused.value)


def test_too_many_headers_and_a_file_that_is_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="more than 32"):
        parse_headers("a: b\n" * 33)
    with pytest.raises(CommandFailed, match="cannot be read"):
        chosen(tracing="http://localhost:4318", tracing_headers_file=tmp_path / "missing")
    (tmp_path / "long").write_text("x" * 70_000)
    with pytest.raises(CommandFailed, match="longer than 64 KiB"):
        chosen(tracing="http://localhost:4318", tracing_headers_file=tmp_path / "long")


@pytest.mark.parametrize(
    ("environment", "is_on"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "TRUE"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_SERVICE_NAME": "drive"}, False),
    ],
)
def test_the_standard_variables_switch_it_on_and_off(environment: dict[str, str], is_on: bool) -> None:
    assert (tracing_settings(None, environment) is not None) == is_on


def test_missing_packages_stop_an_option_and_not_a_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(settings_module, "_PACKAGES", ("no_such_package.of_ours",))
    with pytest.raises(CommandFailed, match=r"pip install 'skyshelf\[tracing\]'"):
        chosen(tracing="http://localhost:4318")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")
    assert chosen() is None
    assert services._INSTALL in capsys.readouterr().err


def test_the_file_of_the_server_has_it_and_shows_no_header(tmp_path: Path) -> None:
    headers = tmp_path / "headers"
    headers.write_text("Authorization: Bearer abc\n")
    config = tmp_path / "server.toml"
    config.write_text(
        f'tracing = "http://localhost:4318"\ntracing-sample = 0.25\ntracing-headers-file = "{headers}"\n'
        "slow-calls = 0.5\n"
    )
    shown = run("admin", "settings", "check", "--config", str(config))
    assert shown.returncode == 0, shown.stderr
    assert "0.25" in shown.stdout
    assert "Bearer" not in shown.stdout
    config.write_text('tracing = "collector"\n')
    refused = run("admin", "settings", "check", "--config", str(config))
    assert refused.returncode == 1
    assert "OTLP over HTTP" in refused.stderr
