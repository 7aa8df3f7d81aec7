"""What operators manage: accounts, sessions, banners and the server's health. No request shows its secrets in a log."""

from typing import Annotated, Literal

from msgspec import Meta

from skyshelf.wire.cursors import Cursor
from skyshelf.wire.limits import DESCRIPTION_CHARS_MAX, GIB, LABEL_CHARS_MAX, PASSWORD_CHARS_MAX
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, Email, EpochMs, Label, QueryModel, RequestModel, hiding
from skyshelf.wire.resources.credentials import DeviceKey

Space = Annotated[int, Meta(ge=0, le=1024 * 1024 * GIB, description="bytes")]
OwnPassword = Annotated[
    str, Meta(min_length=1, max_length=PASSWORD_CHARS_MAX, description="the password of the operator who asks")
]
Text = Annotated[str, Meta(max_length=DESCRIPTION_CHARS_MAX, pattern=PLAIN_TEXT)]


# Accounts


class AccountsQuery(QueryModel, frozen=True, kw_only=True):
    """A page of the list, oldest account first; `search` is part of an address or a name."""

    cursor: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
    search: Annotated[str, Meta(max_length=LABEL_CHARS_MAX, pattern=PLAIN_TEXT)] | None = None


class ManagedAccount(AnswerModel, frozen=True, kw_only=True):
    """An account as an operator sees it. `status` is A (active), D (disabled) or G (being removed).

    `hasPassword` is false until an invited person has used the link. Nothing reveals the account's files.
    """

    user_id: str
    email_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    status: str | None = None
    is_operator: bool | None = None
    has_password: bool | None = None
    has_second_factor: bool | None = None
    passkeys: Annotated[int, Meta(description="how many passkeys the account has")] | None = None
    quota: Annotated[int, Meta(description="what the operator has set, without promotions")] | None = None
    allocated_space: int | None = None
    used_space: int | None = None
    items: int | None = None
    created_date: int | None = None
    last_seen_date: int | None = None
    deletion_date: int | None = None
    expires_date: Annotated[int, Meta(description="until when a one-time link sets the password")] | None = None
    held_date: Annotated[int, Meta(description="since when a legal hold keeps everything of the account")] | None = None


class ManagedAccounts(AnswerModel, frozen=True, kw_only=True):
    """A page of the accounts; the last one has no `nextCursor`."""

    accounts: list[ManagedAccount] | None = None
    next_cursor: str | None = None


class NewAccountRequest(RequestModel, frozen=True, kw_only=True):
    """The person to invite; the quota defaults to the server's. A mailed link is sent only to that person."""

    email_id: Email
    first_name: Label
    last_name: Label
    quota: Space | None = None
    is_mailed: bool | None = None
    language: Literal["en", "de"] | None = None


class PasswordLink(AnswerModel, frozen=True, kw_only=True):
    """A one-time link with which somebody sets the password of the account; it is shown once, unless it is mailed."""

    link_url: str | None = None
    expires_date: int | None = None
    account: ManagedAccount | None = None

    __repr__ = hiding()


class AccountEditRequest(RequestModel, frozen=True, kw_only=True):
    """What to change; absent fields stay unchanged."""

    is_enabled: bool | None = None
    quota: Space | None = None


class ConfirmedRequest(RequestModel, frozen=True, kw_only=True):
    """The operator's own password: an open session alone is not enough for this."""

    password: OwnPassword

    __repr__ = hiding()


class SecondFactorResetRequest(ConfirmedRequest, frozen=True, kw_only=True):
    """The operator's own password, and whether the account's passkeys are removed as well."""

    removes_passkeys: bool = False

    __repr__ = hiding()


class BrakeReleaseRequest(RequestModel, frozen=True, kw_only=True):
    """A stopped job, the reason to let it run anyway, and the password of the operator who decides."""

    name: Label
    reason: Label
    password: OwnPassword

    __repr__ = hiding("password", shown=("name", "reason"))


class OperatorRoleRequest(RequestModel, frozen=True, kw_only=True):
    """Whether the account becomes an operator, and the password of the operator who decides."""

    is_operator: bool
    password: OwnPassword

    __repr__ = hiding("password", shown=("is_operator",))


# Sessions


class SessionsQuery(QueryModel, frozen=True, kw_only=True):
    """How many of the sessions to list."""

    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class OpenSession(AnswerModel, frozen=True, kw_only=True):
    """A device that is logged in, and its account."""

    user_id: str
    email_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    device_key: str | None = None
    device_name: str | None = None
    platform_type: str | None = None
    is_current: bool | None = None
    login_date: int | None = None
    last_used_date: int | None = None
    session_end_date: int | None = None


class OpenSessions(AnswerModel, frozen=True, kw_only=True):
    """The sessions that were used last, newest first."""

    sessions: list[OpenSession] | None = None


class AlarmsQuery(QueryModel, frozen=True, kw_only=True):
    """How many alarms to list; with `decided`, also those that no longer pause a device."""

    decided: bool = False
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class ManagedAlarm(AnswerModel, frozen=True, kw_only=True):
    """An alarm of some account. `state` is `open` while the device is paused, then `allowed` or `ended`.

    The counts are those of the ten minutes before `raisedDate`, or of the last day if only that limit was reached. No
    file is named.
    """

    user_id: str
    email_id: str | None = None
    device_key: str | None = None
    device_name: str | None = None
    platform_type: str | None = None
    raised_date: int | None = None
    since_date: int | None = None
    deleted: int | None = None
    overwritten: int | None = None
    moved: int | None = None
    scrambled: int | None = None
    marked: int | None = None
    state: str | None = None
    decided_date: int | None = None


class ManagedAlarms(AnswerModel, frozen=True, kw_only=True):
    """Alarms of all accounts, newest first."""

    alarms: list[ManagedAlarm] | None = None


class SessionsEndRequest(RequestModel, frozen=True, kw_only=True):
    """The device to log out; without one, all of the account's."""

    device_key: DeviceKey | None = None


# Banners


class BannerEditRequest(RequestModel, frozen=True, kw_only=True):
    """What to change; absent fields stay unchanged, and an empty URL is removed."""

    title: Label | None = None
    text: Text | None = None
    image_url: Text | None = None
    action_url: Text | None = None
    start_date: EpochMs | None = None
    end_date: EpochMs | None = None


class BannerRequest(BannerEditRequest, frozen=True, kw_only=True):
    """A new banner, shown from now on and without an end unless dates are given."""

    title: Label
    text: Text


# Health


class StoreSpace(AnswerModel, frozen=True, kw_only=True):
    """The file system of a store; below the reserve, uploads are refused."""

    name: str | None = None
    total_space: int | None = None
    free_space: int | None = None
    reserve: int | None = None


class StoppedJob(AnswerModel, frozen=True, kw_only=True):
    """A background job that a brake stopped, because it would have deleted more than it can explain."""

    name: str | None = None
    reason: str | None = None
    stopped_date: int | None = None


class FailingJob(AnswerModel, frozen=True, kw_only=True):
    """A background job that has failed and is tried again."""

    name: str | None = None
    attempts: int | None = None
    error: str | None = None


class ScrubProgress(AnswerModel, frozen=True, kw_only=True):
    """The progress of the current pass over all contents."""

    percent: int | None = None
    began_date: int | None = None
    ended_date: int | None = None
    previous_ended_date: int | None = None
    contents: int | None = None


class QuarantineSummary(AnswerModel, frozen=True, kw_only=True):
    """Unreferenced bytes that are kept for a while, by reason."""

    reason: str | None = None
    items: int | None = None
    space: int | None = None
    oldest_date: int | None = None


class BackupHealth(AnswerModel, frozen=True, kw_only=True):
    """The last backup that succeeded, when it was checked, and the last run that failed."""

    size: int | None = None
    seconds: int | None = None
    is_encrypted: bool | None = None
    missing_contents: int | None = None
    verified_date: int | None = None
    rehearsed_date: int | None = None
    is_failing: bool | None = None
    is_overdue: bool | None = None
    """Whether the last success is longer ago than the operator's setting allows."""
    failed_step: str | None = None
    failed_date: int | None = None
    failure_reason: str | None = None


class ServerHealth(AnswerModel, frozen=True, kw_only=True):
    """The state of the server and its stores. Without a problem, the field that would report it is absent or empty."""

    version: str | None = None
    accounts: int | None = None
    used_space: int | None = None
    metadata_state: str | None = None
    blobs_state: str | None = None
    has_space: bool | None = None
    spaces: list[StoreSpace] | None = None
    read_only_reason: str | None = None
    stopped_jobs: list[StoppedJob] | None = None
    failing_jobs: list[FailingJob] | None = None
    damaged_contents: int | None = None
    scrub: ScrubProgress | None = None
    quarantine: list[QuarantineSummary] | None = None
    last_backup_date: int | None = None
    backups: BackupHealth | None = None
