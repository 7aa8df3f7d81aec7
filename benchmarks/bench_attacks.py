"""`./dev bench attacks`: how long another user waits while somebody attacks, and how much memory the server takes.

It runs the tests in `tests/attacks` one after the other; each notes its figures as properties of its report.
"""

import argparse
import sys
from collections.abc import Sequence

import pytest

from benchmarks.tables import print_fact, print_note, print_table

STACKS = {"sqlite+disk": "SQLite and disk", "postgres+s3": "PostgreSQL and S3"}


class Figures:
    """A plugin of pytest that keeps the figures of every test that passed, and the names of the others."""

    def __init__(self) -> None:
        self.figures: dict[str, Sequence[float]] = {}
        """In the order of `tests.attacks.attacked.FIGURES`."""
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call":
            figures = [value for _, value in report.user_properties if isinstance(value, int | float)]
            if figures:
                self.figures[report.nodeid] = figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench attacks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="each attack on one of the stacks, in turns")
    stacks = "turns" if parser.parse_args().quick else "both"
    noted = Figures()
    pytest.main(
        ["tests/attacks", "-n0", "-q", "--no-header", "-p", "no:cacheprovider", "--attack-stack", stacks], [noted]
    )
    print_fact("The other user lists, uploads and asks /healthz, each call on a new connection.")
    for stack, title in STACKS.items():
        rows = [[_said(node), *_shown(figures)] for node, figures in noted.figures.items() if stack in node]
        print_table(
            f"another user's slowest call of a hundred, in milliseconds: {title}",
            ["", "before", "under attack", "another server", "memory MB"],
            rows,
            name=title,
        )
    if noted.failed:
        print_note(f"failed: {', '.join(noted.failed)}")
        sys.exit(1)


def _said(node: str) -> str:
    """The attack as the test's name and its parameter say it."""
    name, _, parameters = node.rpartition("::")[2].removesuffix("]").partition("[")
    variant = parameters.partition("-")[2]
    return (name.removeprefix("test_") + (f": {variant.lower()}" if variant else "")).replace("_", " ")


def _shown(figures: Sequence[float]) -> list[str]:
    before, during, control, memory = figures
    return [*(f"{seconds * 1000:.0f}" for seconds in (before, during, control)), f"{memory / 1e6:.0f}"]


if __name__ == "__main__":
    main()
