"""How a run leaves the rules: held, broken, or not looked at."""

from collections.abc import Iterable, Mapping

import msgspec
from tests.requirements.manifest import Rule, node_ids


class Standing(msgspec.Struct, frozen=True):
    """The ids of the rules, by what the run says about them."""

    held: list[str]
    broken: list[str]
    not_run: list[str]
    later: list[str]

    def lines(self) -> list[str]:
        """What the end of a run says."""
        counted = len(self.held) + len(self.broken) + len(self.not_run)
        first = f"requirements: {len(self.held)} of {counted} held"
        if self.later:
            first += f" ({len(self.later)} wait for later parts)"
        told = [first]
        for word, ids in (("broken", self.broken), ("not run", self.not_run)):
            if ids:
                told.append(f"  {word}: {_shortly(ids)}")
        return told


def standing(rules: Mapping[str, Rule], passed: Iterable[str], failed: Iterable[str]) -> Standing:
    """What the tests that passed and failed say; a rule is held when all of its tests ran and passed."""
    good, bad = {_plain(one) for one in passed}, {_plain(one) for one in failed}
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
    """The id of a test without its parameters and the class that it stands in."""
    path, *names = node_id.partition("[")[0].split("::")
    # What could not even be collected is named by its file alone.
    return f"{path}::{names[-1]}" if names else path


def _shortly(ids: list[str], most: int = 12) -> str:
    rest = len(ids) - most
    return ", ".join(ids[:most]) + (f" and {rest} more" if rest > 0 else "")
