"""A server that speaks WebDAV, as the benchmark asks it."""

import http.client
from dataclasses import dataclass, field

from benchmarks.server_process import ServerProcess

MIB = 1 << 20


@dataclass
class Server:
    """A server that is measured: its process, and what has to be sent besides."""

    name: str
    process: ServerProcess
    prefix: str = "/"
    headers: dict[str, str] = field(default_factory=dict)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.process.port, timeout=600)

    def ask(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None, **more: str
    ) -> int:
        """Send a request and read its answer; how many bytes that had."""
        connection.request(method, self.prefix + path, body=body, headers={**self.headers, **more})
        answer = connection.getresponse()
        size = 0
        while piece := answer.read(MIB):
            size += len(piece)
        assert answer.status < 300, (self.name, method, path, answer.status)
        return size
