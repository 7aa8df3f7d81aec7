"""The audit of dependencies: what it reads in the reports of its tools, and what it lets pass."""

import datetime
from typing import Any

import pytest
from tools.audit import Advisory, NotReachable, accepted_names, python_advisories, web_advisories

TODAY = datetime.date(2026, 11, 16)
PYTHON: dict[str, Any] = {
    "dependencies": [
        {"name": "fine", "version": "1.0", "vulns": []},
        {"name": "unknown", "version": "2.0", "skip_reason": "Dependency not found on PyPI"},
        {
            "name": "old",
            "version": "0.9",
            "vulns": [{"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "fix_versions": ["1.0", "0.9.1"]}],
        },
    ]
}
WEB: dict[str, Any] = {
    "vulnerabilities": {
        "old": {
            "range": "<2",
            "via": [{"url": "https://example.org/advisories/GHSA-aaaa", "title": "Bad"}],
            "fixAvailable": {"name": "old", "version": "2.0.0"},
        },
        "user-of-old": {"range": "*", "via": ["old"], "fixAvailable": True},
    }
}


def test_vulnerable_versions_are_found_with_all_names_and_the_fix() -> None:
    [found] = python_advisories(PYTHON)
    assert found == Advisory("old", "0.9", ("PYSEC-2026-1", "CVE-2026-1"), "1.0, 0.9.1")
    assert str(found) == "old 0.9: PYSEC-2026-1, CVE-2026-1; fixed in 1.0, 0.9.1"
    assert list(web_advisories(WEB)) == [Advisory("old", "<2", ("GHSA-aaaa",), "old 2.0.0")]


def test_a_report_without_any_data_is_no_clean_report() -> None:
    skipped = {"dependencies": [one | {"skip_reason": "not found"} for one in PYTHON["dependencies"]]}
    with pytest.raises(NotReachable, match="not found"):
        list(python_advisories(skipped))
    with pytest.raises(NotReachable, match="405"):
        list(web_advisories({"message": "405 Method Not Allowed", "error": {}}))


def test_an_accepted_advisory_needs_a_reason_and_ends() -> None:
    entry = '[[advisory]]\nid = "GHSA-aaaa"\nreason = "Not reachable."\nuntil = {}\n'
    assert accepted_names("", TODAY) == set()
    assert accepted_names(entry.format("2026-11-16"), TODAY) == {"GHSA-aaaa"}
    assert accepted_names(entry.format("2026-11-15"), TODAY) == set()
    with pytest.raises(ValueError, match="needs a reason and a date"):
        accepted_names('[[advisory]]\nid = "GHSA-aaaa"\nuntil = 2026-12-01\n', TODAY)
