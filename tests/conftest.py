"""What the whole test run can be told, and what it says at its end: which backends it ran on, what it killed."""

from collections.abc import Generator

import pytest

_BACKEND = "backend"
SUMMARY = "summary"
"""A property of this name in a test's report is a line of the run's own summary."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("crash", "the crash proof of the embedded store")
    group.addoption("--crash-rounds", type=int, default=100, help="how often the writer is killed (default: 100)")
    group.addoption("--crash-seed", type=int, default=None, help="the seed of an earlier run (default: a new one)")


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
