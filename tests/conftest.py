"""What the whole test run says at its end: which backends it ran on."""

from collections.abc import Generator

import pytest

_BACKEND = "backend"


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
    """Name the backends that tests ran on, so that a run which left one out shows it."""
    ran = {
        str(value)
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        for name, value in getattr(report, "user_properties", ())
        if name == _BACKEND
    }
    if ran:
        terminalreporter.write_line(f"backends: {', '.join(sorted(ran))}")
