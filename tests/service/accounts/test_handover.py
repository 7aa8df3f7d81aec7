"""Handing over the files of somebody who leaves."""

import pytest
from tests.server.api import new_account
from tests.service.making import file, folder, trash

from skyshelf.service.accounts import accounts, handover
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.jobs import removal
from skyshelf.storage.metadata.contracts.accounts import Account


def run(ctx: ServiceContext, leaving: Account, taking: Account) -> handover.HandoverProgress:
    *_, last = handover.hand_over(ctx, leaving, taking)
    return last


def paths(ctx: ServiceContext, account: Account, key: str | None = None, above: str = "") -> dict[str, int]:
    """Every path with its size; folders have -1."""
    found: dict[str, int] = {}
    with ctx.metadata.read() as unit:
        children = unit.tree.children(account.account_id, key or account.root_key)
    for one in children:
        path = f"{above}/{one.name}"
        found[path] = -1 if one.is_folder else one.size
        if one.is_folder:
            found |= paths(ctx, account, one.object_key, path)
    return found


@pytest.fixture
def leaving(ctx: ServiceContext) -> Account:
    account = new_account(ctx, "grace@example.org")
    inner = folder(ctx, account, "inner", folder(ctx, account, "outer"))
    file(ctx, account, "deep.txt", b"12345", inner)
    file(ctx, account, "top.txt", b"123")
    gone, _ = file(ctx, account, "gone.txt", b"1")
    trash(ctx, account, gone)
    return account


@pytest.fixture
def taking(ctx: ServiceContext) -> Account:
    return new_account(ctx, "ada@example.org")


def test_everything_appears_in_a_folder_of_the_other_account_and_stays_where_it_was(
    ctx: ServiceContext, leaving: Account, taking: Account
) -> None:
    before = paths(ctx, leaving)
    done = run(ctx, leaving, taking)
    assert (done.files, done.size, done.already, done.refused) == (2, 8, 0, 0)
    name = f"{leaving.first_name} {leaving.last_name} (grace@example.org)"
    assert paths(ctx, taking) == {f"/{name}": -1} | {f"/{name}{path}": size for path, size in before.items()}
    assert paths(ctx, leaving) == before
    with ctx.metadata.read() as unit:
        assert unit.quotas.get(taking.account_id, 0) == unit.quotas.recount(taking.account_id, 0)
        assert unit.inspection.miscounted(limit=10) == []


def test_a_second_run_adds_only_what_is_new(ctx: ServiceContext, leaving: Account, taking: Account) -> None:
    run(ctx, leaving, taking)
    after = paths(ctx, taking)
    again = run(ctx, leaving, taking)
    assert (again.files, again.already) == (0, 2)
    assert paths(ctx, taking) == after
    file(ctx, leaving, "later.txt", b"1234567")
    later = run(ctx, leaving, taking)
    assert (later.files, later.size, later.already) == (1, 7, 2)


def test_what_was_interrupted_continues(
    ctx: ServiceContext, leaving: Account, taking: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "_STEP", 1)
    next(handover.hand_over(ctx, leaving, taking))
    rest = run(ctx, leaving, taking)
    assert rest.files + rest.already == 2
    assert sorted(size for size in paths(ctx, taking).values() if size >= 0) == [3, 5]


def test_the_files_outlive_the_account_that_had_them(ctx: ServiceContext, leaving: Account, taking: Account) -> None:
    run(ctx, leaving, taking)
    ctx.metadata.write(lambda unit: unit.accounts.set_deletion(leaving.account_id, 1, 1))
    for _ in removal.remove_account(ctx, leaving.account_id):
        pass
    with ctx.metadata.read() as unit:
        assert unit.inspection.miscounted(limit=10) == []
        assert unit.quotas.get(taking.account_id, 0).used == 8


def test_what_does_not_fit_is_refused_before_anything_happens(
    ctx: ServiceContext, leaving: Account, taking: Account
) -> None:
    accounts.set_quota(ctx, taking, 7)
    with pytest.raises(ServiceError):
        run(ctx, leaving, taking)
    assert paths(ctx, taking) == {}


def test_nobody_takes_over_the_own_files(ctx: ServiceContext, leaving: Account) -> None:
    with pytest.raises(ServiceError, match="its own files"):
        run(ctx, leaving, leaving)
