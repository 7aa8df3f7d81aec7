"""Rotation of every secret, on both stacks: the old value is worthless, and nobody is locked out."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.operating.stacks import Stack
from tests.server.api import PASSWORD, new_account

from skyshelf.service import rotation
from skyshelf.service.accounts import app_passwords, login_codes, login_throttle, second_factor, sessions
from skyshelf.service.accounts.passkeys.party import Party, Terms, known_challenge, new_challenge
from skyshelf.service.accounts.password_links import check_link, create_link
from skyshelf.service.boards import boards, invitations
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.history import logs
from skyshelf.service.identity.logins import PendingLogin, seal, unseal
from skyshelf.service.secret_table import BY_NAME, SETTINGS, TABLE, Secret
from skyshelf.service.secrets import to_base64url
from skyshelf.service.sharing import links, manage
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.storage.open import open_blobs, open_metadata
from skyshelf.wire.resources import credentials as wire
from skyshelf.wire.resources.boards import BoardCreation, LinkRequest

ADDRESS = "192.0.2.1"
ORIGIN = "https://drive.example.org"


@pytest.fixture
def ada(stack: Stack) -> Account:
    return new_account(stack.ctx, "ada@example.org")


def replace(ctx: ServiceContext, name: str, *, force: bool = False) -> None:
    for _ in rotation.rotate(ctx, BY_NAME[name], force=force):
        pass


@contextmanager
def another_instance(stack: Stack) -> Iterator[ServiceContext]:
    """Another running server on the same stores."""
    metadata, blobs = stack.urls
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=stack.clock)
    try:
        yield ctx
    finally:
        ctx.metadata.close()
        ctx.blobs.close()


def depending(ctx: ServiceContext, name: str) -> int:
    [found] = [one for one in rotation.states(ctx) if one.secret.name == name]
    return found.depending


# The table


def test_no_secret_is_made_that_is_not_in_the_table(stack: Stack) -> None:
    with pytest.raises(AssertionError, match="needs an entry"):
        stack.ctx.secret("brand-new.key")


def test_every_binary_setting_of_a_server_in_use_is_in_the_table(stack: Stack, ada: Account) -> None:
    """What the settings hold is JSON, a number or a name, or else a secret."""
    for one in TABLE:
        if one.setting:
            stack.ctx.secret(one.setting)
    with stack.ctx.metadata.read() as unit:
        stored: dict[str, bytes] = dict(unit.sql.all("SELECT name, value FROM settings"))
    assert ada.account_key
    assert set(stored) >= SETTINGS
    unknown = {name for name, value in stored.items() if not _is_plain(bytes(value))} - SETTINGS
    assert unknown == set()


def _is_plain(value: bytes) -> bool:
    try:
        return value.decode().isprintable()
    except UnicodeDecodeError:
        return False


@pytest.mark.parametrize("secret", [one for one in TABLE if one.setting], ids=lambda one: one.name)
def test_the_old_value_is_gone_and_all_instances_have_the_new_one(stack: Stack, secret: Secret) -> None:
    with another_instance(stack) as other:
        old = other.secret(secret.setting)
        assert stack.ctx.secret(secret.setting) == old
        replace(stack.ctx, secret.name)
        new = other.secret(secret.setting)
        assert new != old
        assert stack.ctx.secret(secret.setting) == new
        assert new[: secret.kept_bytes] == old[: secret.kept_bytes]
    stack.clock.advance(minutes=61)
    rotation.forget_unneeded(stack.ctx)
    with stack.ctx.metadata.read() as unit:
        stored = unit.sql.all(
            "SELECT value FROM settings UNION ALL SELECT former FROM secret_generations WHERE former IS NOT NULL"
        )
    assert old not in {bytes(value) for (value,) in stored}
    [state] = [one for one in rotation.states(stack.ctx) if one.secret == secret]
    assert (state.generation, state.depending) == (2, 0)


# The second factor


class Phone:
    def __init__(self, ctx: ServiceContext, account: Account) -> None:
        self.ctx, self.account, self.caller = ctx, account, Caller.of(account)
        begun = second_factor.begin(ctx, self.caller, wire.SecondFactorBeginRequest(password=PASSWORD), ADDRESS)
        secret = begun.secret or ""
        self.key = base64.b32decode(secret + "=" * (-len(secret) % 8))
        confirmed = second_factor.confirm(ctx, self.caller, wire.SecondFactorConfirmRequest(code=self.code()), ADDRESS)
        self.recovery = list(confirmed.recovery_codes or ())

    def code(self) -> str:
        return login_codes.code_of(self.key, login_codes.step_at(self.ctx.clock.now()))

    def accepts(self, code: str) -> bool:
        """Whether a login accepts the code; a minute later, so it is another one each time."""
        buckets = login_throttle.LoginBuckets(self.account.email, ADDRESS, None)
        proof = login_codes.admit(self.ctx, self.account, code, buckets)
        return self.ctx.metadata.write(proof.accept)


def test_authenticators_and_recovery_codes_outlive_the_secret_and_move_when_used(stack: Stack, ada: Account) -> None:
    phone = Phone(stack.ctx, ada)
    old = stack.ctx.secret(login_codes.SETTING)
    replace(stack.ctx, "second-factor")
    replace(stack.ctx, "second-factor")
    assert depending(stack.ctx, "second-factor") == 2, "the app, and the recovery codes"
    stack.clock.advance(minutes=61)
    rotation.forget_unneeded(stack.ctx)
    assert phone.accepts(phone.code())
    assert depending(stack.ctx, "second-factor") == 1
    stack.clock.advance(minutes=1)
    assert phone.accepts(phone.code()), "it has moved"
    assert phone.accepts(phone.recovery[0])
    with stack.ctx.metadata.read() as unit:
        factor = unit.second_factors.of_account(ada.account_id)
    assert factor is not None
    assert login_codes.authenticator_key(old, ada.account_key, factor.salt, factor.mask) != phone.key
    assert login_codes.authenticator_key(old, ada.account_key, factor.salt) != phone.key


def test_by_force_apps_move_at_once_and_older_recovery_codes_end(stack: Stack, ada: Account) -> None:
    phone = Phone(stack.ctx, ada)
    replace(stack.ctx, "second-factor", force=True)
    assert depending(stack.ctx, "second-factor") == 0
    assert list(stack.ctx.generations(login_codes.SETTING).former) == []
    stack.clock.advance(minutes=1)
    assert phone.accepts(phone.code())
    assert not phone.accepts(phone.recovery[0])
    replace(stack.ctx, "second-factor", force=True)
    stack.clock.advance(minutes=1)
    assert phone.accepts(phone.code()), "a mask may follow a mask"


def test_a_rotation_that_was_interrupted_is_continued(stack: Stack, ada: Account) -> None:
    phone, other = Phone(stack.ctx, ada), Phone(stack.ctx, new_account(stack.ctx, "grace@example.org"))
    steps = rotation.rotate(stack.ctx, BY_NAME["second-factor"], force=True)
    next(steps)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    stack.clock.advance(minutes=61)
    rotation.forget_unneeded(stack.ctx)
    assert phone.accepts(phone.code())
    assert other.accepts(other.code())
    replace(stack.ctx, "second-factor", force=True)
    stack.clock.advance(minutes=1)
    assert phone.accepts(phone.code())
    assert other.accepts(other.code())


# App passwords


def test_app_passwords_outlive_the_secret_and_move_when_used(stack: Stack, ada: Account) -> None:
    password, device_key = app_passwords.create(stack.ctx, ada.account_id, "Phone", AppScope(can_write=True))
    with stack.ctx.metadata.read() as unit:
        old_hash = unit.sql.all("SELECT secret_hash FROM app_passwords")[0][0]
    replace(stack.ctx, "app-passwords")
    assert depending(stack.ctx, "app-passwords") == 1
    with another_instance(stack) as other:
        app = app_passwords.by_password(other, ada.email, password, ADDRESS)
    assert (app.caller.device_key, app.scope.can_write) == (device_key, True)
    assert depending(stack.ctx, "app-passwords") == 0
    assert app_passwords.without_a_write(stack.ctx, ada.email, password) is not None
    with stack.ctx.metadata.read() as unit:
        assert unit.app_passwords.find(bytes(old_hash), stack.clock.now()) is None


def test_by_force_unused_app_passwords_are_revoked(stack: Stack, ada: Account) -> None:
    password, _ = app_passwords.create(stack.ctx, ada.account_id, "Phone", AppScope())
    used, _ = app_passwords.create(stack.ctx, ada.account_id, "Laptop", AppScope())
    replace(stack.ctx, "app-passwords")
    app_passwords.by_password(stack.ctx, ada.email, used, ADDRESS)
    replace(stack.ctx, "app-passwords")
    app_passwords.by_password(stack.ctx, ada.email, used, ADDRESS)
    replace(stack.ctx, "app-passwords", force=True)
    for gone in (password, used):
        with pytest.raises(ServiceError):
            app_passwords.by_password(stack.ctx, ada.email, gone, ADDRESS)


# Links


def a_share(ctx: ServiceContext, account: Account) -> Share:
    return links.add_share(ctx, Caller.of(account), links.new_share(ctx, "a link", []))


def token_shown(ctx: ServiceContext, account: Account, share: Share) -> str:
    shown = manage.own_share(ctx, Caller.of(account), share.share_key, ORIGIN)
    return (shown.share_url or "").partition("u=")[2]


def test_share_links_keep_their_addresses_until_they_are_forced(stack: Stack, ada: Account) -> None:
    ctx, share = stack.ctx, a_share(stack.ctx, ada)
    token = token_shown(ctx, ada, share)
    replace(ctx, "share-links")
    stack.clock.advance(minutes=61)
    rotation.forget_unneeded(ctx)
    assert token_shown(ctx, ada, share) == token
    assert links.find_share(ctx, token).share_key == share.share_key
    newer = a_share(ctx, ada)
    newer_token = token_shown(ctx, ada, newer)
    assert links.find_share(ctx, newer_token).share_key == newer.share_key
    replace(ctx, "share-links", force=True)
    moved = token_shown(ctx, ada, share)
    assert moved not in {token, ""}
    assert links.find_share(ctx, moved).share_key == share.share_key
    for old in (token, newer_token):
        with pytest.raises(ServiceError):
            links.find_share(ctx, old)


def test_links_to_albums_keep_their_addresses_until_they_are_forced(stack: Stack, ada: Account) -> None:
    ctx, caller = stack.ctx, Caller.of(ada)
    board = boards.create_board(ctx, caller, BoardCreation(board_name="Album"))
    key = board.board_key or ""
    made = invitations.create_link(ctx, caller, key, LinkRequest(member_type="M"), ORIGIN)

    def shown() -> str:
        [link] = invitations.board_invitations(ctx, caller, key, ORIGIN).links or []
        return link.token or ""

    replace(ctx, "album-links")
    assert shown() == made.token
    replace(ctx, "album-links", force=True)
    assert shown() not in {made.token, ""}


def test_links_that_set_passwords_end(stack: Stack, ada: Account) -> None:
    link = create_link(stack.ctx, ada)
    check_link(stack.ctx, wire.WelcomeRequest(token=link.token, password=PASSWORD))
    replace(stack.ctx, "password-links")
    with pytest.raises(ServiceError):
        check_link(stack.ctx, wire.WelcomeRequest(token=link.token, password=PASSWORD))


# Sessions, and what lasts for minutes


def test_everybody_is_logged_out_but_apps(stack: Stack, ada: Account) -> None:
    password, _ = app_passwords.create(stack.ctx, ada.account_id, "Phone", AppScope())
    request = wire.LoginRequest(
        email_id=ada.email, password=PASSWORD, device_key=stack.ctx.new_uuid(), device_name="x", platform_type="Web"
    )
    login = sessions.login(stack.ctx, request, ADDRESS)

    def call() -> Caller:
        return sessions.by_token(
            stack.ctx,
            authorization=f"Basic {login.auth_token}",
            user_id=login.user_id,
            device_key=login.device_key or "",
        )

    assert call().account_id == ada.account_id
    replace(stack.ctx, "sessions")
    with pytest.raises(ServiceError):
        call()
    assert app_passwords.by_password(stack.ctx, ada.email, password, ADDRESS).email == ada.email


def test_challenges_and_sealed_logins_of_the_old_value_are_refused(stack: Stack) -> None:
    ctx, terms = stack.ctx, Terms(party=Party(host="drive.example.org", origin=ORIGIN), purpose="login")
    challenge = to_base64url(new_challenge(ctx, terms))
    assert known_challenge(ctx, challenge, terms) is not None
    replace(ctx, "passkeys")
    assert known_challenge(ctx, challenge, terms) is None
    assert known_challenge(ctx, to_base64url(new_challenge(ctx, terms)), terms) is not None
    pending = PendingLogin(
        made_at=stack.clock.now(), random=b"1" * 32, provider="p", purpose="login", account_key="", back="/drive"
    )
    cookie = seal(ctx, pending)
    assert unseal(ctx, PendingLogin, cookie, lifetime=1000) == pending
    replace(ctx, "login-providers")
    with pytest.raises(ServiceError):
        unseal(ctx, PendingLogin, cookie, lifetime=1000)


def test_the_history_key_is_rotated_as_by_its_own_command(stack: Stack) -> None:
    before = logs.current_key(stack.ctx)
    replace(stack.ctx, "history")
    after = logs.current_key(stack.ctx)
    assert (after.number, after.key_id == before.key_id) == (before.number + 1, False)
