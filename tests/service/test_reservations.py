"""Bytes that are still arriving count against the quota and the disk."""

import threading
from contextlib import suppress

import pytest

from skyshelf.service.process.reservations import DiskReserve, Reservations
from skyshelf.storage.errors import QuotaExceeded, StoreFull, UploadBusy
from skyshelf.storage.space import Space

ADA, GRACE = 1, 2


def test_open_requests_of_an_account_fit_into_its_free_space_together() -> None:
    book = Reservations()
    with book.of(ADA) as first, book.of(ADA) as second, book.of(GRACE) as hers:
        first.cover(6, lambda: 10)
        with pytest.raises(QuotaExceeded):
            second.cover(6, lambda: 10)
        hers.cover(6, lambda: 10)
    assert (book.arriving(ADA), book.arriving(GRACE), book.unwritten) == (0, 0, 0)


def test_a_refused_or_failed_request_gives_back_what_it_had() -> None:
    book = Reservations()
    with pytest.raises(QuotaExceeded), book.of(ADA) as refused:
        refused.cover(11, lambda: 10)
    with suppress(ConnectionError), book.of(ADA) as failed:
        failed.cover(10, lambda: 10)
        raise ConnectionError
    with book.of(ADA) as again:
        again.cover(10, lambda: 10)


def test_a_request_without_an_announced_length_reserves_as_it_goes() -> None:
    book = Reservations()
    with book.of(ADA) as reservation:
        for size in range(1, 11):
            reservation.cover(size, lambda: 10)
        assert book.arriving(ADA) == 10
        reservation.cover(4, lambda: 10)
        assert book.arriving(ADA) == 10
        with pytest.raises(QuotaExceeded):
            reservation.cover(11, lambda: 10)


def test_the_quota_is_not_asked_about_a_little() -> None:
    book = Reservations()

    def free() -> int:
        raise AssertionError("a query for a small upload")

    with book.of(ADA) as reservation:
        reservation.cover(8, free, unasked=8)


def test_a_request_that_is_being_committed_does_not_count_twice() -> None:
    """For a moment its bytes are used and still arriving."""
    book, used = Reservations(), [0]
    inside, asked, go_on = threading.Event(), threading.Event(), threading.Event()

    def committing() -> None:
        with book.of(ADA) as first:
            first.cover(6, lambda: 10)
            with first.committing():
                used[0] = 6
                inside.set()
                go_on.wait(30)

    def free() -> int:
        asked.set()
        return 10 - used[0]

    def second() -> None:
        with book.of(ADA) as reservation:
            reservation.cover(4, free)
            outcome.append("fits")

    outcome: list[str] = []
    threads = [threading.Thread(target=committing), threading.Thread(target=second)]
    threads[0].start()
    assert inside.wait(30)
    threads[1].start()
    assert asked.wait(30)
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert outcome == ["fits"]


def test_a_request_larger_than_the_disk_is_refused_before_its_first_byte() -> None:
    book = Reservations(DiskReserve({"blobs": lambda: Space(100, 1000)}, reserve=40))
    with book.of(ADA) as first, book.of(GRACE) as second:
        first.cover(50, lambda: 10**6)
        with pytest.raises(StoreFull):
            second.cover(11, lambda: 10**6)
        # What is written has become part of the disk's own figure.
        assert list(first.counting([b"x" * 30])) == [b"x" * 30]
        assert book.unwritten == 20
        second.cover(11, lambda: 10**6)


def test_one_chunk_of_an_upload_arrives_at_a_time() -> None:
    book = Reservations()
    with book.of_chunk("a", 10), book.of_chunk("b", 10), pytest.raises(UploadBusy), book.of_chunk("a", 10):
        pass
    with book.of_chunk("a", 10):
        assert book.arriving(ADA) == 0
