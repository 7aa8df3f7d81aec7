"""Messages to operators about backups and alarms, taken by a real mail server."""

from collections.abc import Iterator
from functools import partial

import pytest
from msgspec.structs import replace
from tests.real_parts.mail_server import MailServer, running_mail_server
from tests.server.api import HeldClock, new_account
from tests.service.test_mail import PUBLIC, decided, raise_alarm, settings_for

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.runner import MAIL_JOBS, JobRunner
from skyshelf.service.operator.backups import BackupFailure, BackupRecord, clear_failure, note_backup, note_failure
from skyshelf.service.operator.incidents import TELL_OPERATORS
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit

REASON = "cannot read /srv/Letter to Grace.odt from postgresql://drive:s3cret@db/"
PLACE = "/mnt/backup"


class Post:
    """A service that sends mail, and looks for what operators should know."""

    def __init__(self, ctx: ServiceContext, server: MailServer, clock: HeldClock) -> None:
        self.ctx = ctx
        self.server = server
        self._clock = clock
        self._read = 0

    def look(self, *, minutes: int = 6) -> list[tuple[str, str]]:
        """Return to whom something was sent since the last look, and the English half of its subject."""
        self._clock.advance(minutes=minutes)
        runner = JobRunner(self.ctx, jobs=MAIL_JOBS, tasks=(TELL_OPERATORS,))
        runner.schedule()
        while runner.work_once():
            pass
        new, self._read = self.server.received[self._read :], len(self.server.received)
        return sorted((str(one["To"]), str(one["Subject"]).partition(" / ")[0]) for one in new)

    def promote(self, account: Account) -> None:
        now = self.ctx.clock.now()
        self.ctx.metadata.write(lambda unit: unit.operators.set(account.account_id, True, now))

    def fail(self) -> None:
        note_failure(self.ctx, BackupFailure(self.ctx.clock.now(), "backup", REASON, PLACE))

    def succeed(self) -> None:
        note_backup(self.ctx, BackupRecord(self.ctx.clock.now(), place=PLACE))


@pytest.fixture
def operator(ctx: ServiceContext) -> Account:
    account = new_account(ctx, "operator@example.org")
    ctx.metadata.write(lambda unit: unit.operators.set(account.account_id, True, ctx.clock.now()))
    new_account(ctx, "somebody@example.org")
    return account


@pytest.fixture
def post(ctx: ServiceContext, clock: HeldClock, operator: Account) -> Iterator[Post]:
    del operator
    with running_mail_server() as running:
        yield Post(replace(ctx, mail=settings_for(running)), running.server, clock)


def to_operator(subject: str) -> list[tuple[str, str]]:
    return [("operator@example.org", subject)]


FAILED = to_operator("The backup of drive.example.org failed")
OVERDUE = to_operator("The backup of drive.example.org is overdue")
WELL = to_operator("The backup of drive.example.org works again")
PAUSED = to_operator("A device was paused on drive.example.org")
DECIDED = to_operator("No device is paused on drive.example.org now")


def test_a_failed_backup_is_one_message_and_one_more_when_it_works_again(post: Post) -> None:
    assert post.look() == []
    post.fail()
    assert post.look() == FAILED
    post.fail()
    assert post.look(minutes=24 * 60) == []
    post.succeed()
    assert post.look() == WELL
    assert post.look() == []
    post.fail()
    assert post.look() == FAILED


def test_a_message_has_the_moment_and_the_way_on_and_nothing_of_people(post: Post) -> None:
    post.fail()
    post.look()
    (message,) = post.server.received
    text = message.get_content()
    assert "2026-05-03 09:20 UTC" in text
    assert f"{PUBLIC}/drive/admin/server" in text
    assert "skyshelf admin backup-status" in text
    for secret in ("s3cret", "Letter", PLACE):
        assert secret not in message.as_string()


def test_an_overdue_backup_is_one_message_also_where_a_failure_follows(post: Post) -> None:
    post.succeed()
    assert post.look(minutes=25 * 60) == []
    assert post.look(minutes=2 * 60) == OVERDUE
    post.fail()
    assert post.look() == []
    post.succeed()
    assert post.look() == WELL


def test_how_old_a_backup_may_be_is_the_operators_choice(post: Post) -> None:
    post.succeed()
    post.ctx = replace(post.ctx, rules=replace(post.ctx.rules, backup_max_age=None))
    assert post.look(minutes=90 * 24 * 60) == []


def test_without_any_backup_known_nobody_is_told(post: Post) -> None:
    """The store may be backed up by other means; a metric and the page of operators show that none is known."""
    assert post.look(minutes=90 * 24 * 60) == []


def test_a_forgotten_failure_is_over(post: Post) -> None:
    post.fail()
    assert post.look() == FAILED
    clear_failure(post.ctx)
    assert post.look() == WELL


def test_alarms_are_told_at_most_once_an_hour_until_all_are_decided(post: Post) -> None:
    people = [new_account(post.ctx, f"{name}@example.org") for name in ("ada", "grace")]
    keys = [raise_alarm(post.ctx, people[0], "Laptop http://evil.example/")]
    assert post.look() == PAUSED
    assert "evil" not in post.server.received[0].as_string()
    keys.append(raise_alarm(post.ctx, people[1], "Phone"))
    assert post.look() == []
    assert post.look(minutes=60) == PAUSED
    for account, key in zip(people, keys, strict=True):
        assert post.look() == []
        post.ctx.metadata.write(partial(decided, account.account_id, key, post.ctx.clock.now()))
    assert post.look() == DECIDED
    assert post.look() == []


def test_it_can_be_switched_off(post: Post) -> None:
    assert post.ctx.mail is not None
    post.ctx = replace(post.ctx, mail=replace(post.ctx.mail, tells_operators=False))
    post.fail()
    assert post.look() == []
    assert post.server.attempts == 0


def test_what_is_over_before_the_mail_server_takes_it_is_not_sent(post: Post) -> None:
    post.fail()
    post.server.refusal = "451 come back later"
    assert post.look() == []
    post.succeed()
    assert post.look() == []
    post.server.refusal = None
    assert post.look(minutes=120) == WELL


def test_every_operator_who_can_log_in_is_told_and_nobody_else(post: Post) -> None:
    second = new_account(post.ctx, "second@example.org")
    gone = new_account(post.ctx, "gone@example.org")
    for one in (second, gone):
        post.promote(one)
    accounts.disable(post.ctx, gone)
    post.fail()
    assert post.look() == sorted([*FAILED, ("second@example.org", FAILED[0][1])])


def test_a_look_at_rest_writes_nothing(post: Post) -> None:
    """With stores that can only be read."""
    post.fail()
    post.look()
    before = post.ctx.metadata

    class Reading:
        read = before.read

    still = replace(post.ctx, metadata=Reading())
    assert list(TELL_OPERATORS.steps(still)) == []


def _promote(account_id: int, now: int, unit: Unit) -> None:
    unit.operators.set(account_id, True, now)
