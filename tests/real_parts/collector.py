"""A collector of traces on this machine: it speaks OTLP over HTTP, decodes what comes, and keeps it."""

import gzip
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

_UNPACK: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "deflate": zlib.decompress}


class Received(NamedTuple):
    """A span as it came."""

    name: str
    trace_id: str
    span_id: str
    parent_id: str
    kind: int
    failed: bool
    seconds: float
    attributes: dict[str, Any]
    resource: dict[str, Any]


class Collector:
    """What it got, and how it answers."""

    def __init__(self) -> None:
        self.spans: list[Received] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.bodies: list[bytes] = []
        self.status = 200
        self.location: str | None = None
        """Where it sends its clients instead."""
        self.go_on = threading.Event()
        """While it is not set, nothing is answered."""
        self.go_on.set()
        self._changed = threading.Condition()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def take(self, path: str, headers: dict[str, str], body: bytes) -> None:
        with self._changed:
            self.paths.append(path)
            self.headers.append(headers)
            self.bodies.append(body)
            if self.status == 200:
                self.spans += _decoded(body)
            self._changed.notify_all()

    def wait_for(self, enough: Callable[[list[Received]], bool], seconds: float = 60) -> list[Received]:
        """The spans, once they are enough."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.spans), seconds), [one.name for one in self.spans]
            return list(self.spans)

    def wait_for_requests(self, count: int, seconds: float = 60) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.paths) >= count, seconds), "nothing was sent"


def _decoded(body: bytes) -> Iterator[Received]:
    for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        resource = _plain(of_resource.resource.attributes)
        for scope in of_resource.scope_spans:
            for span in scope.spans:
                yield Received(
                    span.name,
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    span.kind,
                    span.status.code == 2,
                    (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
                    _plain(span.attributes),
                    resource,
                )


def _plain(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in attributes}


@contextmanager
def running_collector(port: int = 0) -> Iterator[Collector]:
    """At a free port, or at this one, until the end."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            body = _UNPACK.get(self.headers.get("content-encoding", ""), bytes)(body)
            collector.take(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            collector.go_on.wait(120)
            self.send_response(collector.status)
            if collector.location is not None:
                self.send_header("location", collector.location)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        collector.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield collector
        finally:
            collector.go_on.set()
            server.shutdown()
            thread.join()
