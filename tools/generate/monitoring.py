"""The page of all metrics, and the dashboard for Grafana, made from what the server exports."""

import json
from typing import Any, Final, NamedTuple

from skyshelf.server.observability.families import FAMILIES, Family
from tools.generate.markdown import page, table

_WIDTH: Final = 24
_HEIGHT: Final = 8
_SOURCE: Final = {"type": "prometheus", "uid": "${source}"}


def metrics_page() -> str:
    """Render every metric with its type, labels and meaning."""
    rows = [_row(family) for family in sorted(FAMILIES)]
    about = (
        "What `/metrics` exports, for Prometheus. With several workers the figures are those of all of them together."
        " Rules for alerts and a dashboard are in"
        " [packaging/monitoring](../../packaging/monitoring); [operating.md](../operating.md#monitoring) says how"
        " to use them."
    )
    listing = table(("Metric", "Type", "Labels", "Meaning"), rows)
    return page("src/skyshelf/server/observability", "# Metrics", about, listing)


def _row(family: Family) -> tuple[str, ...]:
    labels = ", ".join(f"`{label}`" for label in family.labels) or "–"
    return f"`{family.name}`", family.kind, labels, family.help


class Query(NamedTuple):
    expression: str
    legend: str = ""


class Panel(NamedTuple):
    title: str
    unit: str
    queries: tuple[Query, ...]
    width: int = 8


_JOB: Final = 'job=~"$job"'


def _quantiles(metric: str) -> tuple[Query, ...]:
    rate = f"sum by (le) (rate({metric}_bucket{{{_JOB}}}[$__rate_interval]))"
    shares = ((0.5, "half of them"), (0.95, "95 %"), (0.99, "99 %"))
    return tuple(Query(f"histogram_quantile({share}, {rate})", legend) for share, legend in shares)


def _sum(metric: str, by: str = "", also: str = "") -> str:
    return f"sum{f' by ({by})' if by else ''} ({metric}{{{_JOB}{also}}})"


def _rate(metric: str, by: str = "", also: str = "") -> str:
    return f"sum{f' by ({by})' if by else ''} (rate({metric}{{{_JOB}{also}}}[$__rate_interval]))"


def _max(metric: str, by: str = "") -> str:
    return f"max{f' by ({by})' if by else ''} ({metric}{{{_JOB}}})"


ROWS: Final[tuple[tuple[str, tuple[Panel, ...]], ...]] = (
    (
        "At a glance",
        (
            Panel("Requests a second", "reqps", (Query(_rate("skyshelf_requests_total", "status"), "{{status}}"),)),
            Panel("Duration of requests", "s", _quantiles("skyshelf_request_seconds")),
            Panel(
                "Needs attention",
                "short",
                (
                    Query(_max("skyshelf_damaged_contents"), "damaged contents"),
                    Query(_max("skyshelf_jobs_stopped"), "stopped jobs"),
                    Query(_max("skyshelf_read_only"), "read-only"),
                    Query(f"1 - min (skyshelf_uploads_accepted{{{_JOB}}})", "uploads refused"),
                ),
            ),
        ),
    ),
    (
        "Requests",
        (
            Panel(
                "By endpoint",
                "reqps",
                (Query(f"topk(10, {_rate('skyshelf_requests_total', 'endpoint')})", "{{endpoint}}"),),
            ),
            Panel(
                "Slowest endpoints, 95 %",
                "s",
                (
                    Query(
                        "topk(10, histogram_quantile(0.95, sum by (le, endpoint)"
                        f" (rate(skyshelf_request_seconds_bucket{{{_JOB}}}[$__rate_interval]))))",
                        "{{endpoint}}",
                    ),
                ),
            ),
            Panel(
                "Bytes a second",
                "Bps",
                (
                    Query(_rate("skyshelf_received_bytes_total"), "received"),
                    Query(_rate("skyshelf_sent_bytes_total"), "sent"),
                ),
            ),
            Panel(
                "In progress",
                "short",
                (
                    Query(_sum("skyshelf_requests_in_flight"), "requests"),
                    Query(_sum("skyshelf_change_streams"), "streams"),
                    Query(_sum("skyshelf_connections"), "connections"),
                ),
            ),
            Panel(
                "Refused before they were read",
                "reqps",
                (Query(_rate("skyshelf_requests_refused_total", "status"), "{{status}}"),),
            ),
            Panel(
                "Closed connections",
                "cps",
                (Query(_rate("skyshelf_connections_closed_total", "reason"), "{{reason}}"),),
            ),
        ),
    ),
    (
        "Admission",
        (
            Panel("Runs", "short", (Query(_sum("skyshelf_admission_in_use", "kind"), "{{kind}}"),)),
            Panel("Waits", "short", (Query(_sum("skyshelf_admission_waiting", "kind"), "{{kind}}"),)),
            Panel(
                "Refused",
                "reqps",
                (Query(_rate("skyshelf_admission_refused_total", "kind, reason"), "{{kind}}: {{reason}}"),),
            ),
        ),
    ),
    (
        "Stores",
        (
            Panel(
                "Calls, 95 %",
                "s",
                (
                    Query(
                        "histogram_quantile(0.95, sum by (le, store, operation)"
                        f" (rate(skyshelf_store_seconds_bucket{{{_JOB}}}[$__rate_interval])))",
                        "{{store}} {{operation}}",
                    ),
                ),
            ),
            Panel(
                "Calls a second",
                "ops",
                (Query(_rate("skyshelf_store_seconds_count", "store, operation"), "{{store}} {{operation}}"),),
            ),
            Panel(
                "Failed calls",
                "ops",
                (Query(_rate("skyshelf_store_errors_total", "store, operation"), "{{store}} {{operation}}"),),
            ),
            Panel(
                "Connections to the database",
                "short",
                (
                    Query(_sum("skyshelf_database_connections", "state"), "{{state}}"),
                    Query(_sum("skyshelf_database_connections_max"), "allowed"),
                    Query(_sum("skyshelf_database_waiting"), "waiting work"),
                ),
            ),
            Panel(
                "Free disk space",
                "bytes",
                (
                    Query(f"min by (store) (skyshelf_disk_free_bytes{{{_JOB}}})", "{{store}}: free"),
                    Query(_max("skyshelf_disk_reserve_bytes", "store"), "{{store}}: reserve"),
                    Query(_max("skyshelf_disk_size_bytes", "store"), "{{store}}: size"),
                ),
            ),
            Panel(
                "Accounts",
                "bytes",
                (
                    Query(_max("skyshelf_accounts_used_bytes"), "used"),
                    Query(_max("skyshelf_accounts_quota_bytes"), "quotas"),
                ),
            ),
        ),
    ),
    (
        "Background",
        (
            Panel(
                "Runs of jobs",
                "ops",
                (Query(_rate("skyshelf_job_runs_total", "kind, outcome"), "{{kind}}: {{outcome}}"),),
            ),
            Panel("Time in jobs", "percentunit", (Query(_rate("skyshelf_job_run_seconds_total", "kind"), "{{kind}}"),)),
            Panel(
                "Since the last success",
                "s",
                (Query(f"time() - max by (kind) (skyshelf_job_last_success_timestamp_seconds{{{_JOB}}})", "{{kind}}"),),
            ),
            Panel("Queue", "short", (Query(_max("skyshelf_jobs_queued", "state"), "{{state}}"),)),
            Panel("Late", "s", (Query(_max("skyshelf_jobs_late_seconds"), "longest wait"),)),
            Panel("Media", "short", (Query(_sum("skyshelf_media_jobs", "state"), "{{state}}"),)),
            Panel("Scrub", "percentunit", (Query(_max("skyshelf_scrub_progress_ratio"), "current round"),)),
            Panel("Oldest verification", "s", (Query(_max("skyshelf_scrub_oldest_verification_seconds"), "at most"),)),
            Panel("Quarantine", "bytes", (Query(_max("skyshelf_quarantine_bytes", "reason"), "{{reason}}"),)),
            Panel("Last backup", "bytes", (Query(_max("skyshelf_backup_last_size_bytes"), "contents"),)),
            Panel("Duration of the last backup", "s", (Query(_max("skyshelf_backup_last_duration_seconds")),)),
            Panel(
                "Since the last failure of a backup",
                "s",
                (Query(f"time() - (max(skyshelf_backup_last_failure_timestamp_seconds{{{_JOB}}}) > 0)", "failure"),),
            ),
        ),
    ),
    (
        "Security",
        (
            Panel(
                "Failures, and uses of links", "ops", (Query(_rate("skyshelf_audit_events_total", "kind"), "{{kind}}"),)
            ),
            Panel(
                "Logins through providers",
                "ops",
                (Query(_rate("skyshelf_provider_logins_total", "provider, outcome"), "{{provider}}: {{outcome}}"),),
            ),
            Panel("Events to be recorded", "short", (Query(_sum("skyshelf_audit_waiting"), "events"),)),
            Panel("Accounts near their quota", "short", (Query(_max("skyshelf_accounts", "state"), "{{state}}"),)),
        ),
    ),
    (
        "Process",
        (
            Panel(
                "Processors",
                "percentunit",
                (Query(_rate("skyshelf_process_cpu_seconds_total", "instance"), "{{instance}}"),),
            ),
            Panel("Memory", "bytes", (Query(_sum("skyshelf_process_resident_bytes", "instance"), "{{instance}}"),)),
            Panel(
                "Descriptors of a worker",
                "short",
                (
                    Query(_max("skyshelf_process_open_files", "instance"), "{{instance}}"),
                    Query(_max("skyshelf_process_open_files_max"), "allowed"),
                ),
            ),
            Panel("Threads", "short", (Query(_sum("skyshelf_process_threads", "instance"), "{{instance}}"),)),
            Panel(
                "Lag of the event loop",
                "s",
                (
                    Query(_max("skyshelf_event_loop_lag_seconds", "instance"), "{{instance}}"),
                    Query(_rate("skyshelf_loop_hold_seconds_sum", "instance"), "held {{instance}}"),
                ),
            ),
            Panel(
                "Workers and versions",
                "short",
                (
                    Query(_sum("skyshelf_workers", "instance"), "{{instance}}"),
                    Query(f"count by (version) (skyshelf_build_info{{{_JOB}}})", "{{version}}"),
                ),
            ),
            Panel("Spans of traces", "ops", (Query(_rate("skyshelf_trace_spans_total", "outcome"), "{{outcome}}"),)),
        ),
    ),
)


def dashboard() -> str:
    """Render the dashboard in the format that Grafana imports."""
    panels: list[dict[str, Any]] = []
    y = 0
    for title, row in ROWS:
        panels.append(
            {"type": "row", "title": title, "id": len(panels) + 1, "gridPos": {"x": 0, "y": y, "w": _WIDTH, "h": 1}}
        )
        y, x = y + 1, 0
        for panel in row:
            panels.append(_panel(panel, len(panels) + 1, x, y))
            x += panel.width
            if x >= _WIDTH:
                x, y = 0, y + _HEIGHT
        y += _HEIGHT if x else 0
    document = {
        "title": "Skyshelf",
        "uid": "skyshelf",
        "tags": ["skyshelf"],
        "timezone": "browser",
        "editable": True,
        "graphTooltip": 1,
        "schemaVersion": 39,
        "version": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [
                {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
                {
                    "name": "job",
                    "label": "Job",
                    "type": "query",
                    "datasource": _SOURCE,
                    "query": "label_values(skyshelf_build_info, job)",
                    "includeAll": True,
                    "multi": True,
                    "refresh": 1,
                },
            ]
        },
        "panels": panels,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _panel(panel: Panel, number: int, x: int, y: int) -> dict[str, Any]:
    return {
        "type": "timeseries",
        "title": panel.title,
        "id": number,
        "datasource": _SOURCE,
        "gridPos": {"x": x, "y": y, "w": panel.width, "h": _HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0, "custom": {"fillOpacity": 10}}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": _SOURCE, "expr": query.expression, "legendFormat": query.legend}
            for at, query in enumerate(panel.queries)
        ],
    }
