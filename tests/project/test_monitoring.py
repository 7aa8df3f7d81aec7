"""The alert rules and the dashboard, as Prometheus itself reads them, and the names in them."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.real_parts.programs import program
from tests.server.test_operators import local
from tools.generate import products
from tools.generate.monitoring import ROWS, metrics_page

from skyshelf.server.app import ServerSettings
from skyshelf.server.observability.families import FAMILIES
from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

ROOT = Path(__file__).parent.parent.parent
MONITORING = ROOT / "packaging" / "monitoring"
NAME = re.compile(r"\bskyshelf_[a-z0-9_]+")
DERIVED = re.compile(r"_(bucket|sum|count)$")


def promtool(*arguments: str, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [program("promtool"), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=MONITORING,
        timeout=60,
        check=False,
    )


def exported() -> set[str]:
    return {family.name for family in FAMILIES}


def named(text: str) -> set[str]:
    """The metrics that a text names, as they are exported; a name that is cut, such as `skyshelf_scrub_…`, is none."""
    return {DERIVED.sub("", name) for name in NAME.findall(text) if not name.endswith("_")}


def test_prometheus_accepts_the_rules() -> None:
    said = promtool("check", "rules", "alerts.yml")
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_alerts_fire_when_they_should_and_not_before() -> None:
    said = promtool("test", "rules", "alerts_test.yml", "backup_alerts_test.yml")
    assert said.returncode == 0, said.stdout + said.stderr


def test_prometheus_can_parse_every_query_of_the_dashboard(tmp_path: Path) -> None:
    queries = [query.expression for _, row in ROWS for panel in row for query in panel.queries]
    # A rule for each: promtool has no check for a single expression.
    rules = [
        {"record": f"query:number_{number}", "expr": query.replace("$__rate_interval", "5m").replace("$job", ".*")}
        for number, query in enumerate(queries)
    ]
    file = tmp_path / "queries.yml"
    file.write_text(json.dumps({"groups": [{"name": "queries", "rules": rules}]}))
    said = promtool("check", "rules", str(file))
    assert said.returncode == 0, said.stdout + said.stderr


def test_prometheus_would_say_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yml"
    file.write_text(json.dumps({"groups": [{"name": "x", "rules": [{"alert": "X", "expr": "sum(rate(a[5m])"}]}]}))
    assert promtool("check", "rules", str(file)).returncode != 0


def test_prometheus_has_no_complaint_about_our_own_metrics(tmp_path: Path) -> None:
    metadata, blobs = embedded_urls(tmp_path)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    with local(ctx, ServerSettings(metadata=metadata, blobs=blobs)) as client:
        page = client.get("/metrics").text
    said = promtool("check", "metrics", stdin=page)
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.parametrize(
    "file",
    [
        "packaging/monitoring/alerts.yml",
        "packaging/monitoring/alerts_test.yml",
        "packaging/monitoring/dashboard.json",
        "docs/operating.md",
        "docs/reference/admission.md",
    ],
)
def test_only_metrics_that_exist_are_named(file: str) -> None:
    names = named(products.render(file) if file in products.BUILT else (ROOT / file).read_text())
    assert names
    assert names - {"skyshelf_metrics"} <= exported()


def test_every_metric_is_documented_and_on_the_dashboard_or_in_an_alert() -> None:
    documented = named(metrics_page())
    assert exported() == documented
    used = named((MONITORING / "dashboard.json").read_text()) | named((MONITORING / "alerts.yml").read_text())
    # Those of which another metric says the same.
    assert exported() - used == {
        "skyshelf_damaged_reads_total",
        "skyshelf_process_start_timestamp_seconds",
        "skyshelf_quarantine_objects",
        "skyshelf_scrub_damaged_blobs",
        "skyshelf_scrub_round_began_seconds",
        "skyshelf_scrub_verified_blobs",
        "skyshelf_scrub_verified_bytes",
    }


def test_every_alert_says_what_to_do_and_has_a_test_or_a_plain_condition() -> None:
    text = (MONITORING / "alerts.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)", text)
    assert len(alerts) == len(set(alerts)) == text.count("summary:") == text.count("description:")
    files = [file.read_text() for file in MONITORING.glob("*alerts_test.yml")]
    tested = set(re.findall(r"alertname: (\w+)", "".join(files)))
    assert tested <= set(alerts)
