"""Looks up known vulnerabilities of the locked dependencies, Python's and the web client's.

`python -m tools.audit` prints those that are not accepted and fails if there is any. Where the advisories cannot be
reached it says so and succeeds: a check without its data proves nothing, and an outage must not stop work.
"""

import datetime
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
ACCEPTED: Final = Path(__file__).with_name("accepted_advisories.toml")
_SECONDS_MAX: Final = 120


class Advisory(NamedTuple):
    """A known vulnerability of a locked version."""

    package: str
    version: str
    names: tuple[str, ...]
    fixed_in: str

    def __str__(self) -> str:
        fix = f"; fixed in {self.fixed_in}" if self.fixed_in else "; no fix yet"
        return f"{self.package} {self.version}: {', '.join(self.names)}{fix}"


class NotReachable(Exception):
    """The advisories cannot be read from here."""


def python_advisories(report: dict[str, Any]) -> Iterator[Advisory]:
    """Read pip-audit's report. Raises NotReachable if it knows nothing about any package."""
    dependencies = report["dependencies"]
    if dependencies and all("skip_reason" in one for one in dependencies):
        raise NotReachable(dependencies[0]["skip_reason"])
    for one in dependencies:
        for found in one.get("vulns", ()):
            names = tuple(dict.fromkeys((found["id"], *found.get("aliases", ()))))
            yield Advisory(one["name"], one["version"], names, ", ".join(found.get("fix_versions", ())))


def web_advisories(report: dict[str, Any]) -> Iterator[Advisory]:
    """Read npm's report. Raises NotReachable if it is an error."""
    if "vulnerabilities" not in report:
        raise NotReachable(str(report.get("message") or report.get("error") or "npm gives no report"))
    for name, one in report["vulnerabilities"].items():
        # A package is also listed when only something that it depends on is affected; that has its own entry.
        found = [via for via in one["via"] if isinstance(via, dict)]
        if found:
            fix = one.get("fixAvailable")
            fixed_in = f"{fix['name']} {fix['version']}" if isinstance(fix, dict) else "a newer version" if fix else ""
            names = tuple(str(via.get("url", "")).rpartition("/")[2] or str(via.get("title")) for via in found)
            yield Advisory(name, str(one.get("range", "")), names, fixed_in)


def accepted_names(text: str, today: datetime.date) -> set[str]:
    """Return the accepted advisories that have not expired; each has a reason and an end date."""
    entries: list[dict[str, Any]] = tomllib.loads(text).get("advisory", [])
    for entry in entries:
        if not entry.get("reason") or not isinstance(entry.get("until"), datetime.date):
            raise ValueError(f"{entry.get('id')}: an accepted advisory needs a reason and a date in `until`")
    return {entry["id"] for entry in entries if entry["until"] >= today}


def _read(command: list[str], folder: Path) -> dict[str, Any]:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_SECONDS_MAX, check=False)
        report: dict[str, Any] = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError) as problem:
        raise NotReachable(str(problem)) from problem
    return report


def _python() -> list[Advisory]:
    options = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "10", "--format", "json"]
    locked = "requirements-dev.txt"
    return list(python_advisories(_read([sys.executable, "-m", "pip_audit", *options, "-r", locked], ROOT)))


def _web() -> list[Advisory]:
    return list(web_advisories(_read(["npm", "audit", "--json"], ROOT / "web")))


def main() -> int:
    accepted = accepted_names(ACCEPTED.read_text("utf-8"), datetime.datetime.now(datetime.UTC).date())
    known: list[Advisory] = []
    for what, look in (("Python packages", _python), ("packages of the web client", _web)):
        try:
            found = [advisory for advisory in look() if accepted.isdisjoint(advisory.names)]
        except NotReachable as problem:
            print(f"audit: {what} were not checked, the advisories cannot be reached: {str(problem)[:120]}")
            continue
        print(f"audit: {what}: {len(found) or 'no'} known vulnerabilities")
        known += found
    for advisory in known:
        print(f"audit: {advisory}", file=sys.stderr)
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main())
