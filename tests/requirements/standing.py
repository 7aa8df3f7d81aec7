"""The state of the rules after a run: held, broken, or not run."""

from collections.abc import Iterable, Mapping

import msgspec
from tests.requirements.manifest import Rule, node_ids


class Standing(msgspec.Struct, frozen=True):
    """The ids of the rules, by their state."""

    held: list[str]
    broken: list[str]
    not_run: list[str]
    later: list[str]

    def lines(self) -> list[str]:
        """The lines of the run's summary."""
        counted = len(self.held) + len(self.broken) + len(self.not_run)
        first = f"requirements: {len(self.held)} of {counted} held"
        if self.later:
            first += f" ({len(self.later)} wait for later parts)"
        lines = [first]
        for word, ids in (("broken", self.broken), ("not run", self.not_run)):
            if ids:
                lines.append(f"  {word}: {_shortly(ids)}")
        return lines


def standing(rules: Mapping[str, Rule], passed: Iterable[str], failed: Iterable[str]) -> Standing:
    """The state of each rule; a rule is held if all of its tests ran and passed."""
    good, bad = {_plain(test) for test in passed}, {_plain(test) for test in failed}
    held, broken, not_run, later = [], [], [], []
    for identifier, rule in rules.items():
        tests = set(node_ids(rule))
        if not tests:
            later.append(identifier)
        elif tests & bad:
            broken.append(identifier)
        elif tests <= good:
            held.append(identifier)
        else:
            not_run.append(identifier)
    return Standing(held, broken, not_run, later)


def _plain(node_id: str) -> str:
    """The id of a test without its parameters and class."""
    path, *names = node_id.partition("[")[0].split("::")
    # A file that could not be collected has no test name.
    return f"{path}::{names[-1]}" if names else path


def _shortly(ids: list[str], most: int = 12) -> str:
    rest = len(ids) - most
    return ", ".join(ids[:most]) + (f" and {rest} more" if rest > 0 else "")
