"""Where and which traces are sent, from the operator's options and the standard variables of OpenTelemetry."""

import re
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit

import msgspec

_HEADER: Final = re.compile(r"([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*(.*)")
_HEADERS_MAX: Final = 32
_TRACES_PATH: Final = "/v1/traces"
_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PACKAGES: Final = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")


class TracingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of tracing; None leaves one to the variables OTEL_… or to the defaults of OpenTelemetry's packages."""

    endpoint: str | None = None
    """The URL that spans are sent to."""
    sample: float | None = None
    """The fraction of traces begun here that is sent, from 0 to 1."""
    headers: tuple[tuple[str, str], ...] = ()
    service: str | None = None

    def __repr__(self) -> str:
        return f"TracingSettings({self.endpoint})"


def tracing_settings(
    url: str | None,
    environment: Mapping[str, str],
    *,
    sample: float | None = None,
    headers: str | None = None,
    service: str | None = None,
) -> TracingSettings | None:
    """Return the settings; None if tracing is off. Raise ValueError with a message for an invalid one.

    `headers` is the text of the file with the headers.
    """
    endpoint = None if url is None else endpoint_of(url)
    given = () if headers is None else parse_headers(headers)
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    if endpoint is None:
        is_wanted = any(environment.get(name) for name in _ENDPOINTS)
        if not is_wanted or environment.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() != "otlp":
            return None
    return TracingSettings(endpoint=endpoint, sample=sample, headers=given, service=service)


def is_installed() -> bool:
    """Return whether OpenTelemetry's packages are installed, without loading them."""
    try:
        return all(find_spec(name) is not None for name in _PACKAGES)
    except ModuleNotFoundError:
        return False


def endpoint_of(url: str) -> str:
    """Return the URL that spans are sent to: the collector's, with the usual path if it has none."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("--tracing is the URL of a collector that speaks OTLP over HTTP: http://localhost:4318")
    if parts.username is not None or parts.password is not None:
        raise ValueError(
            "the URL of --tracing must not contain a password: write a header into a file for --tracing-headers-file"
        )
    try:
        _ = parts.port
    except ValueError as wrong:
        raise ValueError(f"the port in --tracing is not one: {wrong}") from wrong
    return url if parts.path.strip("/") else f"{parts.scheme}://{parts.netloc}{_TRACES_PATH}"


def parse_headers(text: str) -> tuple[tuple[str, str], ...]:
    """Parse a file of lines such as `Authorization: Bearer …`; an error names a bad line by its number only."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        match = _HEADER.fullmatch(stripped)
        if match is None or not match[2].isprintable() or not match[2].isascii():
            raise ValueError(f"line {number} is not a header such as Authorization: Bearer TOKEN")
        found.append((match[1].lower(), match[2]))
    if len(found) > _HEADERS_MAX:
        raise ValueError(f"it has more than {_HEADERS_MAX} headers")
    return tuple(found)
