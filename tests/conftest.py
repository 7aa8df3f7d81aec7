"""The options of a test run, and its summary: backends, rules held, durations."""

import functools
import gc
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from httpx2._transports import default as httpx2_transports
from tests.examples import register_profiles
from tests.real_parts import shared
from tests.requirements.manifest import rules
from tests.requirements.standing import standing
from tests.temporary_folders import keep_in_memory

_BACKEND = "backend"
SUMMARY = "summary"
"""A property of this name in a test's report is printed as a line of the run's summary."""

register_profiles()
keep_in_memory()
# Each client would load all certificates of the system, which takes longer than most tests: they share one context.
httpx2_transports.create_ssl_context = functools.cache(httpx2_transports.create_ssl_context)  # type: ignore[attr-defined]
# Container images often forbid cached bytecode. Then every worker rewrites the assertions of all test files, and every
# process that a test starts compiles all it imports, which costs more than most tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Background jobs of a shell ignore Ctrl-C, and so would the processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST = ("crash", "end_to_end", "web", "attacks", "operating", "client", "cli", "agent")
"""Folders with long files, run first: started late, one would keep a single worker busy at the end."""
_HERE = Path(__file__).parent
_DURATIONS = _HERE.parent / "build" / "test-durations.txt"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests and fixtures run on asyncio, by anyio's plugin."""
    return "asyncio"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("crash", "the service under kills, failing disks and power cuts")
    group.addoption("--crash-rounds", type=int, default=4, help="rounds on each stack (default: 4)")
    group.addoption("--crash-seed", type=int, default=None, help="the seed of an earlier run (default: random)")
    group = parser.getgroup("description", "responses checked against the OpenAPI description")
    group.addoption("--calls-examples", type=int, default=2, help="generated requests per call (default: 2)")
    group = parser.getgroup("faults", "the client on an unreliable network")
    group.addoption("--fault-runs", type=int, default=1, help="bulk downloads under faults (default: 1)")
    group.addoption("--memory-files", type=int, default=50_000, help="files of a bulk download (default: 50,000)")
    group.addoption(
        "--tls-rounds", type=int, default=1, help="programs of each kind that exit during requests (default: 1)"
    )
    group = parser.getgroup("foreign", "clients against a server with quirks")
    group.addoption(
        "--matrix-turns",
        type=int,
        default=3,
        help="a quirk that touches every operation meets one in so many of them (default: 3; 1 for all)",
    )
    group = parser.getgroup("nextcloud", "Nextcloud's own client against a real server")
    group.addoption("--synced-files", type=int, default=150, help="small files of a sync (default: 150)")
    group.addoption("--synced-mebibytes", type=int, default=24, help="of the large file (default: 24)")
    group = parser.getgroup("golden", "transcripts of commands in tests/cli/golden")
    group.addoption("--update-golden", action="store_true", help="rewrite them with the current output; read the diff")
    group = parser.getgroup("web", "the web client on SQLite and disk, and on PostgreSQL and S3")
    group.addoption(
        "--web-stack",
        choices=("turns", "both", "embedded", "scaled"),
        default="turns",
        help="where its flows run: alternating (default), all on both, or all on one of them",
    )
    group.addoption("--nested-photos", type=int, default=40, help="of one upload (default: 40; the task names 500)")
    group = parser.getgroup("attacks", "attacks on a real server while another user works")
    group.addoption(
        "--attack-stack",
        choices=("turns", "both", "embedded", "scaled"),
        default="turns",
        help="where attacks run: alternating between the stacks (default), all on both, or all on one of them",
    )
    group = parser.getgroup("rewinding", "an account that a script has destroyed comes back")
    group.addoption("--rewound-files", type=int, default=200, help="files of it (default: 200; promised: 100,000)")
    group = parser.getgroup("emptying", "emptying the trash while the server is killed")
    group.addoption("--emptied-objects", type=int, default=3000, help="objects in the trash (default: 3,000)")


def pytest_xdist_auto_num_workers() -> int:
    """Each worker starts its own database and object store, so more than a few only slow each other down."""
    return max(1, min(4, os.cpu_count() or 1))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; the order is the same in every worker."""
    places = {folder: place for place, folder in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path.relative_to(_HERE).parts[0], len(FIRST)))


def pytest_sessionfinish() -> None:
    shared.end()


def pytest_collection_finish() -> None:
    """Keep the thousands of collected tests out of every garbage collection: they stay until the end anyway."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record the backend of a test in its report, which xdist passes on from the workers."""
    report = yield
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    for name, value in parameters.items():
        if name.endswith(_BACKEND) and isinstance(value, str):
            report.user_properties.append((_BACKEND, value))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the backends that ran, the tests' own lines and the rules; in CI, write the durations to a file."""
    properties: list[tuple[str, str]] = [
        (name, str(value))
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        for name, value in getattr(report, "user_properties", ())
    ]
    if ran := {value for name, value in properties if name == _BACKEND}:
        terminalreporter.write_line(f"backends: {', '.join(sorted(ran))}")
    for line in dict.fromkeys(value for name, value in properties if name == SUMMARY):
        terminalreporter.write_line(line)
    for line in _standing_of_the_rules(terminalreporter):
        terminalreporter.write_line(line)
    if "SKYSHELF_CI" in os.environ:
        _write_durations(terminalreporter)


def _write_durations(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the seconds of every test, fixtures included, slowest first."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if type(report) is pytest.TestReport:
                seconds[report.nodeid] += report.duration
    _DURATIONS.parent.mkdir(exist_ok=True)
    _DURATIONS.write_text(
        "".join(f"{spent:9.2f}  {test}\n" for test, spent in sorted(seconds.items(), key=lambda item: -item[1])),
        "utf-8",
    )
    terminalreporter.write_line(f"durations of {len(seconds)} tests: {_DURATIONS.relative_to(_HERE.parent)}")


def _standing_of_the_rules(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """How many rules of the interface hold; a partial run only counts those it covers."""
    failed = [report.nodeid for outcome in ("failed", "error") for report in terminalreporter.getreports(outcome)]
    passed = [report.nodeid for report in terminalreporter.getreports("passed")]
    found = standing(rules(), passed, failed)
    if not passed and not failed:
        return []
    if _is_full(terminalreporter.config):
        return found.lines()
    return [f"requirements: {len(found.held)} held, {len(found.broken)} broken, the rest was not run"]


def _is_full(config: pytest.Config) -> bool:
    """Whether the run covers all tests."""
    chosen = [config.getoption(name, None) for name in ("keyword", "markexpr", "lf", "deselect")]
    return config.args_source is not pytest.Config.ArgsSource.ARGS and not any(chosen)
