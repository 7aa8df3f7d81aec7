"""What the whole test run can be told, and what it says at its end: which backends it ran on, what it killed."""

import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.requirements.manifest import rules
from tests.requirements.standing import standing
from tests.temporary_folders import keep_in_memory

_BACKEND = "backend"
SUMMARY = "summary"
"""A property of this name in a test's report is a line of the run's own summary."""

# How long an example takes says something about the machine, and nothing about the program.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


keep_in_memory()
# A shell lets what it runs in the background ignore Ctrl-C, and so would everything that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST = ("crash", "end_to_end", "web", "operating", "client", "cli", "agent")
"""Folders with files that take long: begun late, one of them would keep a single worker busy at the end."""
_HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("crash", "the crash proof of the embedded store")
    group.addoption("--crash-rounds", type=int, default=100, help="how often the writer is killed (default: 100)")
    group.addoption("--crash-seed", type=int, default=None, help="the seed of an earlier run (default: a new one)")
    group = parser.getgroup("description", "answers held to the OpenAPI description")
    group.addoption("--calls-examples", type=int, default=10, help="generated requests of every call (default: 10)")
    group = parser.getgroup("faults", "the client on a network that fails")
    group.addoption("--fault-runs", type=int, default=2, help="bulk downloads under faults (default: 2)")
    group.addoption("--memory-files", type=int, default=100_000, help="files of a bulk download (default: 100,000)")
    group.addoption(
        "--tls-rounds", type=int, default=1, help="programs that end in the middle, of each kind (default: 1)"
    )
    group = parser.getgroup("web", "the web client on SQLite and the disk, and on PostgreSQL and S3")
    group.addoption(
        "--web-stack",
        choices=("turns", "both", "embedded", "scaled"),
        default="turns",
        help="where its flows run: taking turns (default), all on both, or all on one of them",
    )
    group = parser.getgroup("emptying", "the trash that is emptied while the server dies")
    group.addoption("--emptied-objects", type=int, default=3000, help="objects in that trash (default: 3,000)")


def pytest_xdist_auto_num_workers() -> int:
    """Each worker starts its own database and object store, so more than a few only get in each other's way."""
    return max(1, min(4, os.cpu_count() or 1))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; every worker comes to the same order."""
    places = {folder: place for place, folder in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path.relative_to(_HERE).parts[0], len(FIRST)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note the backend of a test in its report, which also travels from the workers of a parallel run."""
    report = yield
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    for name, value in parameters.items():
        if name.endswith(_BACKEND) and isinstance(value, str):
            report.user_properties.append((_BACKEND, value))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the backends that tests ran on, so that a run which left one out shows it, and the tests' own lines."""
    told: list[tuple[str, str]] = [
        (name, str(value))
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        for name, value in getattr(report, "user_properties", ())
    ]
    if ran := {value for name, value in told if name == _BACKEND}:
        terminalreporter.write_line(f"backends: {', '.join(sorted(ran))}")
    for line in dict.fromkeys(value for name, value in told if name == SUMMARY):
        terminalreporter.write_line(line)
    for line in _standing_of_the_rules(terminalreporter):
        terminalreporter.write_line(line)


def _standing_of_the_rules(terminalreporter: pytest.TerminalReporter) -> list[str]:
    """How many rules of the interface hold; a run of a few tests tells only what it found broken."""
    failed = [report.nodeid for outcome in ("failed", "error") for report in terminalreporter.getreports(outcome)]
    passed = [report.nodeid for report in terminalreporter.getreports("passed")]
    found = standing(rules(), passed, failed)
    if not passed and not failed:
        return []
    if _is_full(terminalreporter.config):
        return found.lines()
    return [f"requirements: {len(found.held)} held, {len(found.broken)} broken, the rest was not run"]


def _is_full(config: pytest.Config) -> bool:
    """Whether the run was asked for all tests."""
    chosen = [config.getoption(name, None) for name in ("keyword", "markexpr", "lf", "deselect")]
    return config.args_source is not pytest.Config.ArgsSource.ARGS and not any(chosen)
