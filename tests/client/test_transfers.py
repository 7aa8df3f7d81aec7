"""Summaries of uploads and downloads, and results of batches: false where anything failed."""

import pytest

from skyshelf.client.errors import AuthenticationError, ConflictError, LocalFileError, NetworkError
from skyshelf.client.objects.outcomes import BatchResult, Outcome, UnprocessedError
from skyshelf.client.transfers import TransferError, TransferEvent, TransferFailure, TransferReport, TransferSummary


def test_a_summary_is_true_until_something_fails() -> None:
    summary = TransferSummary(done=2, skipped=1)
    assert (bool(summary), summary.ok, summary.exit_code) == (True, True, 0)
    assert summary.raise_for_failures() is summary
    assert TransferSummary(), "nothing to do is no failure"
    summary.failed.append(TransferFailure(path="a", error=ConflictError("taken", status=409)))
    assert (bool(summary), summary.ok) == (False, False)
    assert summary.exit_code == ConflictError.exit_code
    with pytest.raises(TransferError, match="1 could not be transferred") as raised:
        summary.raise_for_failures()
    assert raised.value.summary is summary


def test_failures_of_several_kinds_have_the_general_exit_code() -> None:
    errors = (ConflictError("taken", status=409), NetworkError("gone"))
    summary = TransferSummary(failed=[TransferFailure(path="a", error=error) for error in errors])
    assert summary.exit_code == 1


def test_a_run_that_was_stopped_is_false_and_says_why() -> None:
    stopped = AuthenticationError("the session has ended", status=401)
    summary = TransferSummary(done=5, stopped_by=stopped)
    assert not summary
    assert summary.exit_code == AuthenticationError.exit_code
    with pytest.raises(TransferError, match="the session has ended") as raised:
        summary.raise_for_failures()
    assert raised.value.__cause__ is stopped


def test_summaries_add_up() -> None:
    failure = TransferFailure(path="a", error=LocalFileError("unreadable"))
    stopped = NetworkError("gone")
    total = TransferSummary(done=1, skipped=2, ignored=3, queued=4, folders=5, bytes_done=6, bytes_queued=7)
    total.add(TransferSummary(done=10, bytes_done=60, failed=[failure], stopped_by=stopped))
    total.add(TransferSummary(skipped=20, ignored=30, queued=40, folders=50, bytes_queued=70))
    assert total == TransferSummary(
        done=11,
        skipped=22,
        ignored=33,
        queued=44,
        folders=55,
        bytes_done=66,
        bytes_queued=77,
        failed=[failure],
        stopped_by=stopped,
    )


def test_a_report_counts_the_events_that_it_sends() -> None:
    events: list[TransferEvent] = []
    report = TransferReport(events.append)
    report.listed("", "F")
    report.queued("a", None, 3)
    report.started("a", None, 3)
    report.progress("a", None, 3, 1)
    report.done("a", "K", 3)
    report.skipped("b", "L", "already up to date", 9)
    report.failed("c", "M", LocalFileError("unreadable"))
    report.all_listed("F")
    assert [(event.kind, event.path, event.object_key, event.size, event.transferred) for event in events] == [
        ("listed", "", "F", None, 0),
        ("queued", "a", None, 3, 0),
        ("started", "a", None, 3, 0),
        ("progress", "a", None, 3, 1),
        ("done", "a", "K", 3, 3),
        ("skipped", "b", "L", 9, 0),
        ("failed", "c", "M", None, 0),
        ("all_listed", "", "F", None, 0),
    ]
    assert events[-2].reason == "unreadable"
    (failure,) = report.summary.failed
    assert (failure.path, failure.object_key, failure.reason) == ("c", "M", "unreadable")
    assert (report.summary.done, report.summary.skipped, report.summary.queued) == (1, 1, 1)
    assert (report.summary.bytes_done, report.summary.bytes_queued, report.summary.folders) == (3, 3, 1)


def test_a_batch_is_true_only_where_every_object_was_changed() -> None:
    done, refused = Outcome(key="a", ok=True), Outcome(key="b", ok=False, code="X", message="no")
    assert BatchResult((done,))
    assert BatchResult(()), "nothing to do is no failure"
    assert not BatchResult((done, refused))
    assert len(BatchResult((done, refused))) == 2
    with pytest.raises(UnprocessedError, match="b: no"):
        BatchResult((done, refused)).raise_for_failures()
