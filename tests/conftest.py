"""The options of a test run, and its summary: backends, what was not run, rules held, durations."""

import functools
import gc
import os
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2._transports import default as httpx2_transports
from tests.desktop.simulator import counts
from tests.examples import register_profiles
from tests.real_parts import loop_faults, programs, shared
from tests.requirements.manifest import rules
from tests.requirements.standing import standing
from tests.selection import MARKERS, Selection, lines_of_left, programs_of, reason_to_leave
from tests.temporary_folders import keep_in_memory
from tools.changed_tests import changed_tests
from tools.generate import sync_client

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
_SLOWEST = 30
_LEFT = pytest.StashKey[Counter[str]]()
"""How many tests a plain run leaves out, by reason."""
_SELECTION = pytest.StashKey[Selection]()
_CHOSEN = pytest.StashKey[str]()
"""The sentence about what `--changed` has chosen."""
_FILES = "files"


@pytest.fixture(scope="session", autouse=True)
def _watched_loop() -> None:
    loop_faults.watch(loop_faults.FILE)


@pytest.fixture(autouse=True)
def loop_fault() -> Iterator[Callable[[], str]]:
    """Fail a test during which an event loop meets something unexpected, unless it takes the fault itself."""
    yield loop_faults.taken
    if faults := loop_faults.taken():
        pytest.fail(f"unexpected errors on an event loop:\n{faults}", pytrace=False)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests and fixtures run on asyncio, by anyio's plugin."""
    return "asyncio"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("selection", "which tests run; all of them where files or folders are named")
    group.addoption("--all", action="store_true", help="run everything; a missing program fails its tests")
    group.addoption("--changed", action="store_true", help="run what the changes since the main branch can reach")
    group = parser.getgroup("crash", "the service under kills, failing disks and power cuts")
    group.addoption("--crash-rounds", type=int, default=4, help="rounds on each stack (default: 4)")
    group.addoption("--crash-seed", type=int, default=None, help="the seed of an earlier run (default: random)")
    group = parser.getgroup("agent", "random sessions of an agent, undone")
    group.addoption(
        "--agent-rounds", type=int, default=2, help="rounds of 25 sessions on each kind of server (default: 2; 10: 500)"
    )
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
    group.addoption(
        "--rewound-histories", type=int, default=20, help="random ones whose folders are rewound (default: 20)"
    )
    group = parser.getgroup("simulator", "computers in sync and everything that goes wrong, by lot")
    group.addoption("--sync-seeds", type=int, default=150, help="how many seeds a whole run has (default: 150)")
    group.addoption("--sync-seed", type=int, default=None, help="the only seed, to replay it")
    group = parser.getgroup("emptying", "emptying the trash while the server is killed")
    group.addoption("--emptied-objects", type=int, default=3000, help="objects in the trash (default: 3,000)")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the tests, and build the synchronous client if it is missing or stale, for runs without `./dev test`."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    config.stash[_LEFT] = Counter()
    is_named = config.args_source is pytest.Config.ArgsSource.ARGS
    config.stash[_SELECTION] = Selection.NAMED if is_named else Selection.PLAIN
    if config.getoption("--all"):
        programs.all_must_exist()
        config.stash[_SELECTION] = Selection.WHOLE
    if hasattr(config, "workerinput"):
        config.args = config.workerinput[_FILES]
        return
    sync_client.write()
    if config.getoption("--changed"):
        config.args, config.stash[_CHOSEN] = changed_tests(_DURATIONS)
        if not config.args:
            pytest.exit("no test can reach what has changed", returncode=0)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the chosen files to a worker: on its own it would take the words that the run was started with."""
    node.workerinput[_FILES] = node.config.args


def pytest_report_header(config: pytest.Config) -> str:
    return config.stash.get(_CHOSEN, "")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores, since tests wait a third of their time, but few: each has its own servers."""
    return min(4, (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a plain run does not take, and put long files first; the order is the same in every worker."""
    if config.stash[_SELECTION] is Selection.PLAIN:
        reasons = {item: reason_to_leave(item) for item in items}
        config.stash[_LEFT].update([reason for reason in reasons.values() if reason])
        config.hook.pytest_deselected(items=[item for item in items if reasons[item]])
        items[:] = [item for item in items if not reasons[item]]
    places = {folder: place for place, folder in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path.relative_to(_HERE).parts[0], len(FIRST)))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for the programs of a test before its fixtures start servers for them."""
    for name in programs_of(item):
        programs.program(name)


def pytest_sessionfinish(session: pytest.Session) -> None:
    shared.end()
    if hasattr(session.config, "workeroutput"):
        left = session.config.stash[_LEFT]
        session.config.workeroutput["left"] = dict(left)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker has left out: each of them has the same tests."""
    if left := getattr(node, "workeroutput", {}).get("left"):
        node.config.stash[_LEFT] = Counter(left)


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
    """Print the backends that ran, the tests' own lines, what was not run, the rules and the slowest tests."""
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
    if simulated := counts.line(properties):
        terminalreporter.write_line(simulated)
    skipped = [str(report.longrepr[2]) for report in terminalreporter.getreports("skipped")]
    for line in lines_of_left(terminalreporter.config.stash[_LEFT], skipped):
        terminalreporter.write_line(line)
    for line in _standing_of_the_rules(terminalreporter):
        terminalreporter.write_line(line)
    if _is_full(terminalreporter.config):
        _report_durations(terminalreporter)


def _report_durations(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the slowest tests, and write the seconds of all of them to a file, fixtures included, slowest first.

    A run that only collects leaves the file of the last one: `--changed` reads it.
    """
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if type(report) is pytest.TestReport:
                seconds[report.nodeid] += report.duration
    if not seconds:
        return
    _DURATIONS.parent.mkdir(exist_ok=True)
    lines = [f"{spent:9.2f}  {test}" for test, spent in sorted(seconds.items(), key=lambda item: -item[1])]
    _DURATIONS.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    terminalreporter.write_line(f"the slowest of {len(lines)} tests; all are in {_DURATIONS.relative_to(_HERE.parent)}")
    for line in lines[:_SLOWEST]:
        terminalreporter.write_line(line)


def _standing_of_the_rules(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """How many rules of the interface hold; a partial run only counts those it covers."""
    failed = [report.nodeid for outcome in ("failed", "error") for report in terminalreporter.getreports(outcome)]
    passed = [report.nodeid for report in terminalreporter.getreports("passed")]
    found = standing(rules(), passed, failed)
    if not passed and not failed:
        return []
    if _is_full(terminalreporter.config) and terminalreporter.config.stash[_SELECTION] is Selection.WHOLE:
        return found.lines()
    return [f"requirements: {len(found.held)} held, {len(found.broken)} broken, the rest was not run"]


def _is_full(config: pytest.Config) -> bool:
    """Whether the run covers all tests of its selection."""
    chosen = [config.getoption(name, None) for name in ("keyword", "markexpr", "lf", "deselect", "changed")]
    return config.args_source is not pytest.Config.ArgsSource.ARGS and not any(chosen)
