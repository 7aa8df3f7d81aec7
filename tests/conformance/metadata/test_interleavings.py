"""What one write sees of another that has not committed yet: nothing, or it waits; never half of it."""

from collections.abc import Callable

import pytest
from tests.conformance.metadata.board_making import file_of, join, make_board
from tests.conformance.metadata.interleaving import interleave
from tests.conformance.metadata.making import NOW, make_account, new_key

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice, ThrottleRule
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import NewTag, Trash
from skyshelf.storage.metadata.store import MetadataStore, Unit

pytestmark = pytest.mark.backend

FAR = NOW + 10**9
TOKEN = b"token"


def purge(account: Account, object_key: str) -> Callable[[Unit], None]:
    """Trash, give up and remove an object, all in one write."""

    def work(unit: Unit) -> None:
        unit.tree.apply(account.account_id, [Trash(object_key)], NOW)
        assert unit.purge.mark_for_deletion(account.account_id, [object_key], NOW) == [object_key]
        while unit.purge.delete_batch(account.account_id, 100, NOW):
            pass

    return work


Naming = Callable[[Unit, Account, str, str], object]
NAMING: dict[str, Naming] = {
    "share": lambda unit, account, _board, key: unit.shares.add(
        account.account_id, NewShare(share_key=new_key(), token_hash=TOKEN, name="", object_keys=[key]), NOW
    ),
    "board": lambda unit, account, board, key: unit.board_items.add(account.account_id, board, [key], NOW),
    "tag": lambda unit, account, _board, key: unit.tags.add(
        account.account_id, [key], NewTag(tag_key=new_key(), name="sea"), NOW
    ),
}


@pytest.mark.parametrize("noun", NAMING)
def test_an_object_being_purged_can_no_longer_be_changed(store: MetadataStore, account: Account, noun: str) -> None:
    board, key = make_board(store, account), file_of(store, account, "a.jpg")

    def name_it() -> None:
        with pytest.raises(ObjectMissing):
            store.write(lambda unit: NAMING[noun](unit, account, board, key))

    interleave(store, purge(account, key), name_it)


@pytest.mark.parametrize("noun", NAMING)
def test_a_purge_takes_along_what_was_named_a_moment_before(store: MetadataStore, account: Account, noun: str) -> None:
    board, key = make_board(store, account), file_of(store, account, "a.jpg")
    interleave(
        store,
        lambda unit: NAMING[noun](unit, account, board, key),
        lambda: store.write(purge(account, key)),
    )
    with store.read() as unit:
        shared = unit.shares.by_token(TOKEN, NOW)
        assert shared is None or shared.object_keys == []
        assert unit.boards.get(account.account_id, board).files == 0
        assert unit.tags.recent(account.account_id, 10) == []


def log_in(account: Account, secret: bytes) -> Callable[[Unit], None]:
    device = NewDevice(device_key="phone", device_name="Phone", platform_type="Android")
    session = NewSession(secret_hash=secret, device_key="phone", expires_at=FAR)

    def work(unit: Unit) -> None:
        unit.devices.register(account.account_id, device, NOW)
        unit.sessions.open(account.account_id, session, NOW)

    return work


def test_a_session_that_is_being_closed_gives_out_no_nonce(store: MetadataStore, account: Account) -> None:
    store.write(log_in(account, b"secret"))

    def ask() -> None:
        with pytest.raises(Missing):
            store.write(lambda unit: unit.nonces.add(b"nonce", account.account_id, b"secret", FAR))

    interleave(store, lambda unit: unit.sessions.close(b"secret"), ask)


def test_the_later_of_two_logins_on_one_device_is_the_one_that_counts(store: MetadataStore, account: Account) -> None:
    interleave(store, log_in(account, b"first"), lambda: store.write(log_in(account, b"second")))
    with store.read() as unit:
        assert unit.sessions.find(b"first", NOW) is None
        assert unit.sessions.find(b"second", NOW) is not None


def test_a_device_that_is_logging_in_is_not_swept(store: MetadataStore, account: Account) -> None:
    device = NewDevice(device_key="phone", device_name="Phone", platform_type="Android")
    store.write(lambda unit: unit.devices.register(account.account_id, device, NOW))
    session = NewSession(secret_hash=b"secret", device_key="phone", expires_at=FAR)
    swept = interleave(
        store,
        lambda unit: unit.sessions.open(account.account_id, session, NOW + 10),
        lambda: store.write(lambda unit: unit.devices.sweep(NOW + 5, 100)),
    )
    assert swept == 0
    with store.read() as unit:
        assert unit.sessions.find(b"secret", NOW) is not None


def test_a_device_that_is_being_swept_has_to_register_again(store: MetadataStore, account: Account) -> None:
    device = NewDevice(device_key="phone", device_name="Phone", platform_type="Android")
    store.write(lambda unit: unit.devices.register(account.account_id, device, NOW))
    session = NewSession(secret_hash=b"secret", device_key="phone", expires_at=FAR)

    def come_in() -> None:
        with pytest.raises(Missing):
            store.write(lambda unit: unit.sessions.open(account.account_id, session, NOW + 10))

    interleave(store, lambda unit: unit.devices.sweep(NOW + 5, 100), come_in)
    store.write(log_in(account, b"secret"))


def test_the_second_proposal_gets_the_value_that_the_first_is_committing(store: MetadataStore) -> None:
    answer = interleave(
        store,
        lambda unit: unit.settings.set_once("signing key", b"first"),
        lambda: store.write(lambda unit: unit.settings.set_once("signing key", b"second")),
    )
    assert answer == b"first"


def test_two_failures_at_once_both_count(store: MetadataStore) -> None:
    rule = ThrottleRule(free_failures=0, first_pause=10, longest_pause=1000, memory=1000)
    closed_until = interleave(
        store,
        lambda unit: unit.throttles.failed(b"bucket", NOW, rule),
        lambda: store.write(lambda unit: unit.throttles.failed(b"bucket", NOW, rule)),
    )
    assert closed_until == NOW + 20


def test_a_job_being_claimed_cannot_be_claimed_by_another(store: MetadataStore) -> None:
    store.write(lambda unit: unit.outbox.put("purge", "album", b"", NOW))
    other = interleave(
        store,
        lambda unit: unit.outbox.claim(["purge"], NOW, lease="first", lease_until=NOW + 10),
        lambda: store.write(lambda unit: unit.outbox.claim(["purge"], NOW, lease="second", lease_until=NOW + 10)),
    )
    assert other is None


def test_a_request_that_meets_a_claim_is_a_separate_run(store: MetadataStore) -> None:
    store.write(lambda unit: unit.outbox.put("purge", "album", b"first", NOW))
    jobs = []
    interleave(
        store,
        lambda unit: jobs.append(unit.outbox.claim(["purge"], NOW, lease="first", lease_until=NOW + 10)),
        lambda: store.write(lambda unit: unit.outbox.put("purge", "album", b"second", NOW)),
    )
    job = jobs[-1]
    assert job is not None
    assert store.write(lambda unit: unit.outbox.done(job))
    again = store.write(lambda unit: unit.outbox.claim(["purge"], NOW, lease="second", lease_until=NOW + 10))
    assert again is not None
    assert again.payload == b"second"


def test_a_wish_that_meets_the_end_of_its_job_is_a_new_job(store: MetadataStore) -> None:
    store.write(lambda unit: unit.outbox.put("purge", "album", b"first", NOW))
    job = store.write(lambda unit: unit.outbox.claim(["purge"], NOW, lease="first", lease_until=NOW + 10))
    assert job is not None
    interleave(
        store,
        lambda unit: unit.outbox.done(job),
        lambda: store.write(lambda unit: unit.outbox.put("purge", "album", b"second", NOW)),
    )
    again = store.write(lambda unit: unit.outbox.claim(["purge"], NOW, lease="second", lease_until=NOW + 10))
    assert again is not None
    assert (again.payload, again.attempts) == (b"second", 1)


def test_an_end_of_a_job_that_meets_a_wish_lets_it_run_once_more(store: MetadataStore) -> None:
    store.write(lambda unit: unit.outbox.put("purge", "album", b"first", NOW))
    job = store.write(lambda unit: unit.outbox.claim(["purge"], NOW, lease="first", lease_until=NOW + 10))
    assert job is not None
    ended = interleave(
        store,
        lambda unit: unit.outbox.put("purge", "album", b"second", NOW),
        lambda: store.write(lambda unit: unit.outbox.done(job)),
    )
    assert ended
    again = store.write(lambda unit: unit.outbox.claim(["purge"], NOW, lease="second", lease_until=NOW + 10))
    assert again is not None
    assert again.payload == b"second"


def test_a_board_that_is_being_left_by_its_owner_is_the_other_members(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    role = interleave(
        store,
        lambda unit: unit.board_members.leave(account.account_id, board, NOW),
        lambda: store.write(lambda unit: unit.boards.hold(friend.account_id, board)),
    )
    assert role == "O"
