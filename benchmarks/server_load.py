"""The load: wrk where it is installed, otherwise threads in Python; curl for the large file."""

import http.client
import itertools
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.server_subjects import Ask, Subject

_SCRIPT = """
local paths = {%(paths)s}
local turn = 0
wrk.method = "%(method)s"
%(headers)s
request = function()
  turn = turn + 1
  return wrk.format(nil, paths[(turn %% #paths) + 1])
end
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("RESULT %%d %%d %%d %%d\\n", summary.requests, summary.duration,
    latency:percentile(50), e.connect + e.read + e.write + e.status + e.timeout))
end
"""

NOT_MODIFIED = 304


@dataclass(frozen=True)
class Rate:
    per_second: float
    median_ms: float
    requests: int


def generator() -> str:
    return "wrk" if shutil.which("wrk") else "threads in Python (wrk was not found)"


def sustained(subject: Subject, asks: Sequence[Ask], *, at_once: int, seconds: float) -> Rate:
    """Repeat the same requests for some seconds, over persistent connections."""
    work = _by_wrk if shutil.which("wrk") else _by_threads
    rate = work(subject, asks, at_once, seconds)
    # Too slow for the time: once more, long enough for an answer.
    return rate if rate.per_second else work(subject, asks, at_once, 10 * seconds)


def _by_wrk(subject: Subject, asks: Sequence[Ask], at_once: int, seconds: float) -> Rate:
    headers = {**subject.headers, **asks[0].headers}
    script = _SCRIPT % {
        "paths": ", ".join(f'"{ask.path}"' for ask in asks),
        "method": asks[0].method,
        "headers": "\n".join(f'wrk.headers["{name}"] = {_quoted(value)}' for name, value in headers.items()),
    }
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        threads = min(2, at_once)
        command = ["wrk", f"-t{threads}", f"-c{at_once}", f"-d{max(1, round(seconds))}s"]
        command += ["--timeout", "60s", "-s", file.name, subject.url]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    figures = next(line for line in said.splitlines() if line.startswith("RESULT")).split()[1:]
    requests, microseconds, median, errors = map(int, figures)
    if errors:
        raise RuntimeError(f"{subject.name} answered {errors} of {requests} requests with an error: {asks[0]}")
    return Rate(requests / (microseconds / 1e6), median / 1000 if requests else float("nan"), requests)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _by_threads(subject: Subject, asks: Sequence[Ask], at_once: int, seconds: float) -> Rate:
    until = time.perf_counter() + seconds
    turns = itertools.count()

    def work() -> list[float]:
        connection, taken = opened(subject), []
        while (began := time.perf_counter()) < until:
            send(connection, subject, asks[next(turns) % len(asks)])
            taken.append(time.perf_counter() - began)
        connection.close()
        return taken

    with ThreadPoolExecutor(at_once) as pool:
        times = [one for future in [pool.submit(work) for _ in range(at_once)] for one in future.result()]
    return Rate(len(times) / seconds, statistics.median(times) * 1000, len(times))


def each_once(subject: Subject, asks: Sequence[Ask], *, at_once: int) -> float:
    """Each request once, some at a time; how many a second."""
    waiting = _SharedAsks(asks)

    def work() -> None:
        connection = opened(subject)
        for ask in waiting:
            send(connection, subject, ask)
        connection.close()

    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        for future in [pool.submit(work) for _ in range(at_once)]:
            future.result()
    return len(asks) / (time.perf_counter() - began)


class _SharedAsks:
    """An iterator that several threads take from."""

    def __init__(self, asks: Sequence[Ask]) -> None:
        self._asks = asks
        self._next = itertools.count()

    def __iter__(self) -> "_SharedAsks":
        return self

    def __next__(self) -> Ask:
        number = next(self._next)
        if number >= len(self._asks):
            raise StopIteration
        return self._asks[number]


def opened(subject: Subject) -> http.client.HTTPConnection:
    """Return a connection to the server."""
    return http.client.HTTPConnection("127.0.0.1", subject.process.port, timeout=60)


def send(connection: http.client.HTTPConnection, subject: Subject, ask: Ask) -> None:
    """Send a request and read the answer, which must be no error."""
    connection.request(ask.method, ask.path, body=ask.body or None, headers={**subject.headers, **ask.headers})
    answer = connection.getresponse()
    answer.read()
    if answer.status >= 300 and answer.status != NOT_MODIFIED:
        raise RuntimeError(f"{subject.name} answered {answer.status} to {ask.method} {ask.path}")


def download(subject: Subject, size: int) -> float:
    """The large file to nowhere; bytes a second."""
    assert subject.large_path is not None
    headers = [part for name, value in subject.headers.items() for part in ("-H", f"{name}: {value}")]
    figures = curl([*headers, subject.url + subject.large_path], "%{http_code} %{size_download} %{speed_download}")
    if figures[:2] != ["200", str(size)]:
        raise RuntimeError(f"{subject.name} answered {figures}")
    return float(figures[2])


def upload(subject: Subject, number: int) -> float:
    """The large file to the server; bytes a second, up to its answer."""
    assert subject.put_large is not None
    return upload_by(subject, subject.put_large(number))


def upload_by(subject: Subject, arguments: list[str]) -> float:
    """Upload a file as these arguments of curl say; bytes a second, up to the answer."""
    figures = curl(arguments, "%{http_code} %{size_upload} %{time_total}")
    if figures[0] not in {"200", "201", "204"}:
        raise RuntimeError(f"{subject.name} answered {figures}")
    return float(figures[1]) / float(figures[2])


def curl(arguments: list[str], wanted: str) -> list[str]:
    """Run curl, and return the figures of it that are wanted."""
    command = ["curl", "-sS", "-o", os.devnull, "-w", wanted, "-H", "Expect:", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
