"""The metrics that the server exports: the type, help and labels of each."""

from typing import Final, Literal, NamedTuple

Mode = Literal["mostrecent", "livesum", "livemax", "max"]
_OF_ALL: Final = "mostrecent"
"""The mode for values that every worker reports alike."""
_SUM: Final = "livesum"
_LARGEST: Final = "livemax"


class Family(NamedTuple):
    """A metric. `mode` says how the values of several workers become one; counters are added."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    labels: tuple[str, ...]
    help: str
    mode: Mode = "mostrecent"


def _counter(name: str, help: str, *labels: str) -> Family:  # noqa: A002 - the word of Prometheus
    return Family(f"skyshelf_{name}_total", "counter", labels, help)


def _gauge(name: str, mode: Mode, help: str, *labels: str) -> Family:  # noqa: A002
    return Family(f"skyshelf_{name}", "gauge", labels, help, mode)


def _histogram(name: str, help: str, *labels: str) -> Family:  # noqa: A002
    return Family(f"skyshelf_{name}", "histogram", labels, help)


FAMILIES: Final = (
    # Requests
    _counter("requests", "Requests by endpoint and status class.", "endpoint", "status"),
    _histogram("request_seconds", "Duration of requests in seconds.", "endpoint"),
    _gauge("requests_in_flight", _SUM, "Requests in progress."),
    _counter("received_bytes", "Bytes of request bodies.", "endpoint"),
    _counter("sent_bytes", "Bytes of response bodies.", "endpoint"),
    _counter("requests_refused", "Requests that were refused before they were read, by status.", "status"),
    _counter(
        "loop_faults", "Faults of the server while it answered on the event loop; each is logged with its traceback."
    ),
    _histogram(
        "loop_hold_seconds",
        "How long the event loop was held by one callback for more than 0.1 s; each hold is logged with its stack.",
    ),
    _gauge("connections", _SUM, "Open connections."),
    _counter("connections_closed", "Connections that the server closed, by reason.", "reason"),
    _gauge("change_streams", _SUM, "Open streams of changes."),
    # Admission
    _gauge("admission_in_use", _SUM, "Work that runs, by kind.", "kind"),
    _gauge("admission_waiting", _SUM, "Work that waits for its turn, by kind.", "kind"),
    _counter(
        "admission_refused",
        "Work that was refused, by kind and reason: the caller had too much, or the server was busy.",
        "kind",
        "reason",
    ),
    # Stores
    _histogram(
        "store_seconds",
        "Duration of calls to the stores: units of work of the database, syncs of the disk, requests to a bucket.",
        "store",
        "operation",
    ),
    _counter("store_errors", "Calls that a store could not serve: it was away, or full.", "store", "operation"),
    _gauge("database_connections", _SUM, "Connections to the database server, by state.", "state"),
    _gauge("database_connections_max", _SUM, "Connections to the database server that are allowed."),
    _gauge("database_waiting", _SUM, "Work that waits for a connection, or for the next commit."),
    _gauge("disk_size_bytes", _OF_ALL, "Size of the file system of a store.", "store"),
    _gauge("disk_free_bytes", _OF_ALL, "Free bytes of the file system of a store.", "store"),
    _gauge("disk_reserve_bytes", _OF_ALL, "Free bytes below which uploads are refused.", "store"),
    _gauge("uploads_accepted", _OF_ALL, "1, or 0 while the disk is at its reserve."),
    _gauge("read_only", _OF_ALL, "1 while the operator has switched writing off."),
    # Contents
    _counter("damaged_reads", "Reads that met damaged or missing content."),
    _gauge("damaged_contents", _OF_ALL, "Contents that are known to be damaged or missing."),
    _gauge("quarantine_objects", _OF_ALL, "Unreferenced blobs and uploads in quarantine, by reason.", "reason"),
    _gauge("quarantine_bytes", _OF_ALL, "Their bytes, by reason.", "reason"),
    _gauge("scrub_progress_ratio", _OF_ALL, "Share of the current round of the scrub that is done."),
    _gauge("scrub_verified_blobs", _OF_ALL, "Contents that the current round has read."),
    _gauge("scrub_verified_bytes", _OF_ALL, "Bytes that the current round has read."),
    _gauge("scrub_damaged_blobs", _OF_ALL, "Contents that the current round has found damaged."),
    _gauge("scrub_round_began_seconds", _OF_ALL, "When the current round began, in seconds since 1970."),
    _gauge("scrub_oldest_verification_seconds", _OF_ALL, "How long ago any content was read by the scrub, at most."),
    _gauge("backup_last_success_timestamp_seconds", _OF_ALL, "When the last backup succeeded, in seconds since 1970."),
    _gauge("backup_last_size_bytes", _OF_ALL, "Size of the contents in the last backup."),
    _gauge("backup_last_duration_seconds", _OF_ALL, "Duration of the last backup."),
    _gauge("backup_last_failure_timestamp_seconds", _OF_ALL, "When a backup or its check last failed, since 1970."),
    _gauge("backup_failing", _OF_ALL, "1 while the last failure was not followed by a success."),
    _gauge("backup_last_verified_timestamp_seconds", _OF_ALL, "When a backup was last verified, since 1970."),
    _gauge("backup_last_rehearsed_timestamp_seconds", _OF_ALL, "When a restore was last rehearsed, since 1970."),
    _gauge("media_jobs", _SUM, "Thumbnails and dates that wait or are made, by state.", "state"),
    # Jobs
    _gauge("jobs_stopped", _OF_ALL, "Background jobs that a brake has stopped."),
    _counter("job_runs", "Runs of background jobs, by kind and outcome.", "kind", "outcome"),
    _counter("job_run_seconds", "Time that background jobs took, by kind.", "kind"),
    _gauge(
        "job_last_success_timestamp_seconds",
        "max",
        "When a background job last ended well, in seconds since 1970, by kind.",
        "kind",
    ),
    _gauge("jobs_queued", _OF_ALL, "Background jobs, by state: all, due and failing.", "state"),
    _gauge("jobs_late_seconds", _OF_ALL, "For how long the job that waits longest has been due."),
    # Accounts
    _gauge("accounts", _OF_ALL, "Accounts, by state: all, and those near their quota.", "state"),
    _gauge("accounts_used_bytes", _OF_ALL, "Bytes that all accounts use."),
    _gauge("accounts_quota_bytes", _OF_ALL, "Bytes that all accounts may use."),
    _gauge("audit_waiting", _SUM, "Events that wait to be recorded."),
    _counter("audit_events", "Failures, and uses of links, by kind of event in the audit trail.", "kind"),
    _counter(
        "provider_logins",
        "Logins, links and logouts through login providers, by provider and outcome.",
        "provider",
        "outcome",
    ),
    # Processes
    _gauge("workers", _SUM, "Worker processes."),
    _counter("process_cpu_seconds", "Processor time of all workers."),
    _gauge("process_resident_bytes", _SUM, "Memory of all workers."),
    _gauge("process_open_files", _LARGEST, "Open descriptors, in the worker that has most."),
    _gauge("process_open_files_max", _OF_ALL, "Descriptors that a worker may have."),
    _gauge("process_threads", _SUM, "Threads of all workers."),
    _gauge("event_loop_lag_seconds", _LARGEST, "How late the event loop is, in the worst worker."),
    _gauge("process_start_timestamp_seconds", _LARGEST, "When the worker that started last did so."),
    _gauge("build_info", _OF_ALL, "1, with the version that runs.", "version"),
    _counter("trace_spans", "Spans of traces, by outcome: recorded, and of these sent or failed.", "outcome"),
)
