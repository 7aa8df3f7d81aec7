"""The check after a round: everything that was acknowledged is there, through the interface, byte for byte."""

import time
from collections.abc import Callable
from random import Random
from typing import TypeVar

from tests.crash.client import NoAnswer
from tests.crash.contents import bytes_of
from tests.crash.load import Worker
from tests.crash.model import Json, Thing

_PATIENCE = 60.0
_LONG_PATIENCE = 300.0
_SAMPLE = 4
T = TypeVar("T")


def check(worker: Worker, rng: Random, *, everything: bool) -> tuple[list[str], int]:
    """What is wrong with an account, and how many contents were compared."""
    account, client = worker.account, worker.client
    objects = patiently(lambda: _all_objects(worker))
    uploads: list[Json] = patiently(lambda: client.json("GET", "/x/v1/uploads", params={"limit": 100}))["uploads"]
    shares: list[Json] = patiently(lambda: client.json("GET", "/x/v1/shares", params={"limit": 100}))["shares"]
    boards: list[Json] = patiently(lambda: client.json("GET", "/boards/sync/initial"))["boards"]
    wrong = [
        *account.settle(objects, uploads),
        *account.settle_names(account.shares, {one["shareName"] for one in shares}, "share"),
        *account.settle_names(account.boards, {one["boardName"] for one in boards}, "board"),
    ]
    if account.cursor is not None:
        wrong += account.settle_feed(*patiently(lambda: client.changes(account.cursor)))
    if wrong:
        return wrong, 0
    files = [one for one in account.things if not one.is_folder and account.is_visible(one)]
    read = files if everything else [one for one in files if one.touched]
    if not everything:
        read += rng.sample(files, min(_SAMPLE, len(files)))
    for thing in read:
        wrong += _compare(worker, thing)
        thing.touched = False
    return wrong + _check_quota(worker, exactly=everything), sum(len(thing.now.contents) for thing in read)


def patiently(ask: Callable[[], T]) -> T:
    """A service that has just come back, or whose disk has, may refuse for a moment."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return ask()
        except NoAnswer as problem:
            if time.monotonic() > deadline:
                raise AssertionError(f"still refused after {_PATIENCE:.0f} seconds: {problem}") from problem
            time.sleep(0.05)


def _all_objects(worker: Worker) -> list[Json]:
    found: list[Json] = []
    cursor: dict[str, str] = {}
    while True:
        page = worker.client.json("GET", "/x/v1/changes/everything", params={"limit": 1000, **cursor})
        found += page["objects"]
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def _compare(worker: Worker, thing: Thing) -> list[str]:
    wrong = []
    for number, content in enumerate(thing.now.contents, 1):
        version = {"version": str(number)} if number < len(thing.now.contents) else {}
        answer = patiently(lambda: worker.client.get(f"/download/files/{thing.key}", params=version))  # noqa: B023
        if answer.status_code != 200:
            wrong.append(f"version {number} of {thing.now}: {answer.status_code} {answer.text}")
        elif answer.content != bytes_of(content):
            wrong.append(f"version {number} of {thing.now} has other bytes")
    return wrong


def _check_quota(worker: Worker, *, exactly: bool) -> list[str]:
    """Purged objects count until a job has removed them, which may have to wait after a failure."""
    account = worker.account
    deadline = time.monotonic() + _LONG_PATIENCE
    while True:
        quota = patiently(lambda: worker.client.json("GET", "/security/users"))["quota"]
        used = quota["totalUsedQuota"]
        if used == account.used:
            account.purging = 0
            return []
        if not exactly and account.used < used <= account.used + account.purging:
            return []
        if time.monotonic() > deadline or used < account.used:
            return [f"the account uses {account.used} bytes, and the service says {quota}"]
        time.sleep(0.1)
