"""The trash is emptied while the service is killed again and again: nothing is lost or left, and the books balance.

A run with `--emptied-objects 1000000` is the proof at full size.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.end_to_end.filling import Filler
from tests.end_to_end.plain_client import PlainClient
from tests.real_parts.servers import Stack

from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit

PATIENCE = 3600.0
KEPT = 50
# A trash that takes a while dies once more; a small one is emptied too quickly for that.
LARGE = 100_000


def used(stack: Stack, account: Account) -> int:
    """What the counters say, which is what a recount says, at any moment."""
    with stack.ctx.metadata.snapshot() as unit:
        kept = unit.quotas.get(account.account_id, 0)
        assert kept == unit.quotas.recount(account.account_id, 0)
    return kept.used


def counted(stack: Stack, account: Account) -> int:
    """What the counters say alone: one look at one row, however much there is."""
    with stack.ctx.metadata.read() as unit:
        return unit.quotas.get(account.account_id, 0).used


def rows(stack: Stack, account: Account) -> int:
    with stack.ctx.metadata.read() as unit:
        text = "SELECT count(*) FROM objects WHERE account_id = :account"
        number: int = unit.sql.all(text, {"account": account.account_id})[0][0]
    return number


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def let_the_leases_run_out(unit: Unit) -> None:
    """A dead worker keeps its job for some seconds; not every death is worth the wait."""
    unit.sql.run("UPDATE outbox SET run_at = 0 WHERE kind = 'purge'")


def kill_in_the_middle(stack: Stack, account: Account, kept: int) -> None:
    """Start everything, and kill it as soon as some of the work is done; unless the last one has died after it all."""
    stack.ctx.metadata.write(let_the_leases_run_out)
    before = counted(stack, account)
    if before == kept:
        return
    with ThreadPoolExecutor(1) as pool:
        # It may die before it has answered for the first time, and whoever waits for that is disappointed.
        starting = pool.submit(stack.restart)
        wait_until(lambda: counted(stack, account) < before)
        stack.kill()
        starting.exception()


def test_the_trash_is_emptied_whichever_process_is_killed(
    stack: Stack, client: PlainClient, pytestconfig: pytest.Config
) -> None:
    count: int = pytestconfig.getoption("--emptied-objects")
    account = find_account(stack.ctx, client.json("GET", "/security/users")["emailId"])
    filler = Filler(stack.ctx, account)
    filler.fill_trash(count)
    folder = filler.folder("kept")
    _, kept = filler.files(KEPT, folder)
    full = used(stack, account)

    began = time.monotonic()
    answer = client.json("POST", "/x/v1/trash/empty")
    answered = time.monotonic() - began
    stack.kill()
    assert full >= answer["usedSpace"] >= used(stack, account)
    for _ in range(2 if count >= LARGE else 1):
        kill_in_the_middle(stack, account, kept)
        assert kept <= used(stack, account) <= full
    # The last time nobody helps: what was killed in the middle goes on by itself, and soon.
    mended = time.monotonic()
    stack.restart()

    # At once, though hardly anything is gone yet; and others work meanwhile.
    assert client.json("GET", "/nms/trash")["objects"] == []
    new = client.upload("meanwhile.txt", b"while it is emptied")["objectKey"]
    wait_until(lambda: counted(stack, account) == kept + 19)
    # The root, a folder, and what is new; folders go after what was in them.
    wait_until(lambda: rows(stack, account) == 1 + 1 + KEPT + 1)
    print(f"went on {time.monotonic() - mended:.1f} s after the start")
    print(f"{count} objects: answered after {answered:.3f} s, gone after {time.monotonic() - began:.1f} s")

    assert client.download(new) == b"while it is emptied"
    assert client.json("GET", "/security/users")["quota"]["totalUsedQuota"] == kept + 19
    assert used(stack, account) == kept + 19
    broken = [result for result in run_checks(stack.ctx, CheckRun()) if not result.passed]
    assert broken == []
