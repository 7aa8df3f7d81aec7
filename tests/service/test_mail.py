"""Messages by email, taken by a real mail server."""

import re
import ssl
import uuid
from collections.abc import Callable
from email.message import EmailMessage
from functools import partial

import pytest
import trustme
from msgspec.structs import replace
from tests.real_parts.mail_server import Running, running_mail_server
from tests.server.api import HeldClock, new_account

from skyshelf.service.accounts import accounts, password_links
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.jobs.runner import ACCOUNT_JOBS, MAIL_JOBS, JobRunner
from skyshelf.service.mail import messages
from skyshelf.service.mail.outgoing import put_mail, request_password_mail
from skyshelf.service.process.mail_settings import MailDelayed, MailRefused, MailSettings, mail_settings
from skyshelf.storage.metadata.alarms import ENDED
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.tree import NewFolder, Rename
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import ALARM_LIMIT_MIN
from skyshelf.wire.resources.credentials import PasswordMailRequest, WelcomeHeaders, WelcomeRequest

PUBLIC = "https://drive.example.org"


def settings_for(running: Running, password: str | None = None) -> MailSettings:
    return mail_settings(running.url, sender=None, password=password, public_url=PUBLIC)


def ask(ctx: ServiceContext, email: str, address: str = "192.0.2.1", language: str = "en") -> None:
    request = PasswordMailRequest(email_id=email, language="de" if language == "de" else "en")
    request_password_mail(ctx, request, address)


def work(ctx: ServiceContext) -> None:
    """Whatever is due."""
    runner = JobRunner(ctx, jobs=MAIL_JOBS, tasks=())
    while runner.work_once():
        pass


def token_in(message: EmailMessage) -> str:
    found = re.search(rf"{PUBLIC}/drive/welcome#(\S+)", message.get_content())
    assert found is not None, message.get_content()
    return found[1]


def test_a_forgotten_password_is_replaced_by_the_link_in_the_message(ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        ask(ctx, "Ada@Example.org")
        work(ctx)
        (message,) = running.server.received
    assert message["To"] == account.email
    assert message["From"] == "Skyshelf <skyshelf@drive.example.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert "A new password for drive.example.org" in message["Subject"]
    request = WelcomeRequest(token=token_in(message), password="a new password")
    assert password_links.use_link(ctx, request, "192.0.2.1").email_id == account.email


def test_an_invitation_in_german(ctx: ServiceContext) -> None:
    account = accounts.add_account(ctx, "grace@example.org", "Grace", "Hopper", None)
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        ctx.metadata.write(lambda unit: put_mail(unit, "invitation", "de", account.email, ctx.clock.now()))
        work(ctx)
        (message,) = running.server.received
    assert message["Subject"] == "Dein Konto bei drive.example.org"
    assert message.get_content().startswith("Hallo Grace,")
    assert password_links.welcome(ctx, WelcomeHeaders(token=token_in(message))).kind == "invitation"


def test_nothing_shows_whether_there_is_an_account(ctx: ServiceContext) -> None:
    disabled = new_account(ctx, "disabled@example.org")
    accounts.disable(ctx, disabled)
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        ask(ctx, "nobody@example.org")
        ask(ctx, disabled.email)
        with ctx.metadata.read() as unit:
            assert unit.outbox.next_due(list(MAIL_JOBS)) is not None
        work(ctx)
        assert running.server.attempts == 0
    with ctx.metadata.read() as unit:
        assert unit.outbox.next_due(list(MAIL_JOBS)) is None


def test_no_secret_is_stored_with_a_message_that_waits(ctx: ServiceContext) -> None:
    new_account(ctx, "ada@example.org")
    ctx = replace(ctx, mail=mail_settings("smtp://localhost:1", sender=None, password=None, public_url=PUBLIC))
    ask(ctx, "ada@example.org")
    work(ctx)
    with ctx.metadata.read() as unit:
        ((_, subject, attempts, error),) = unit.outbox.errors(9)
    assert re.fullmatch(r"new-password en \d+ ada@example.org", subject)
    assert attempts == 1
    assert "cannot be reached" in error


def test_a_message_is_tried_again_until_it_is_taken_and_then_no_more(ctx: ServiceContext, clock: HeldClock) -> None:
    new_account(ctx, "ada@example.org")
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        running.server.refusal = "451 come back later"
        ask(ctx, "ada@example.org")
        work(ctx)
        assert (running.server.attempts, running.server.received) == (1, [])
        running.server.refusal = None
        clock.advance(minutes=2)
        work(ctx)
        clock.advance(days=1)
        work(ctx)
        assert running.server.attempts == 2
        assert len(running.server.received) == 1


def test_a_message_that_is_refused_for_good_is_not_sent_again(ctx: ServiceContext, clock: HeldClock) -> None:
    new_account(ctx, "ada@example.org")
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        running.server.refusal = "550 no such mailbox"
        ask(ctx, "ada@example.org")
        work(ctx)
        clock.advance(days=1)
        work(ctx)
        assert running.server.attempts == 1


def test_a_message_that_nobody_takes_for_days_is_given_up(ctx: ServiceContext, clock: HeldClock) -> None:
    new_account(ctx, "ada@example.org")
    ctx = replace(ctx, mail=mail_settings("smtp://localhost:1", sender=None, password=None, public_url=PUBLIC))
    ask(ctx, "ada@example.org")
    work(ctx)
    clock.advance(days=3)
    work(ctx)
    with ctx.metadata.read() as unit:
        assert unit.outbox.next_due(list(MAIL_JOBS)) is None


def test_few_messages_go_to_one_address_and_not_many_from_one_network(ctx: ServiceContext) -> None:
    ctx = replace(ctx, mail=mail_settings("smtp://localhost:1", sender=None, password=None, public_url=PUBLIC))
    for number in range(4):
        ask(ctx, "ada@example.org", f"198.51.100.{number}")
    with pytest.raises(Throttled):
        ask(ctx, "ADA@example.org", "192.0.2.7")
    for number in range(21):
        ask(ctx, f"somebody{number}@example.org", "203.0.113.5")
    with pytest.raises(Throttled):
        ask(ctx, "another@example.org", "203.0.113.5")


def test_without_a_mail_server_it_says_so(ctx: ServiceContext) -> None:
    with pytest.raises(ServiceError, match="sends no email"):
        ask(ctx, "ada@example.org")


def _deliver(settings: MailSettings) -> None:
    message = EmailMessage()
    message["From"], message["To"] = settings.sender, "ada@example.org"
    message.set_content("Hello")
    messages.deliver(settings, message)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ssl.SSLContext]:
    """Makes a certificate for a host, which the system trusts."""
    authority = trustme.CA()

    def certificate(host: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(host).configure_cert(context)
        return context

    def default(**_: object) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        authority.configure_trust(context)
        return context

    monkeypatch.setattr(ssl, "create_default_context", default)
    return certificate


# The library warns of a login without STARTTLS, even where everything is inside of TLS.
@pytest.mark.filterwarnings("ignore:Requiring AUTH")
@pytest.mark.parametrize("from_start", [True, False], ids=["smtps", "smtp"])
def test_a_password_is_sent_inside_of_tls_alone(trusted: Callable[[str], ssl.SSLContext], from_start: bool) -> None:
    login = ("drive", "a secret")
    with running_mail_server(tls=trusted("localhost"), from_start=from_start, login=login) as running:
        _deliver(settings_for(running, "a secret"))
        assert len(running.server.received) == 1
        with pytest.raises(MailDelayed, match="user or the password"):
            _deliver(settings_for(running, "a guess"))


def test_a_server_without_tls_or_with_a_wrong_certificate_gets_no_password(
    trusted: Callable[[str], ssl.SSLContext],
) -> None:
    with running_mail_server(login=None) as running:
        plain = replace(settings_for(running), user="drive", password="a secret")
        with pytest.raises(MailRefused, match="offers no TLS"):
            _deliver(plain)
        assert running.server.attempts == 0
    with running_mail_server(tls=trusted("other.example.org"), login=("drive", "a secret")) as running:
        with pytest.raises(MailDelayed, match="certificate"):
            _deliver(settings_for(running, "a secret"))
        assert running.server.attempts == 0


@pytest.mark.parametrize(
    ("url", "sender", "password", "public", "sentence"),
    [
        ("mail.example.org", None, None, PUBLIC, "mail server's URL"),
        ("https://mail.example.org", None, None, PUBLIC, "mail server's URL"),
        ("smtp://ada:secret@mail.example.org", None, None, PUBLIC, "must not contain the password"),
        ("smtp://mail.example.org", None, None, None, "needs --public-url"),
        ("smtp://ada@mail.example.org", None, None, PUBLIC, "belong together"),
        ("smtp://mail.example.org", None, "secret", PUBLIC, "belong together"),
        ("smtp://mail.example.org:99999", None, None, PUBLIC, "port"),
        ("smtp://mail.example.org", "not an address", None, PUBLIC, "--mail-from is an address"),
        ("smtp://mail.example.org", "a@b.example\nBcc: eve@example.org", None, PUBLIC, "--mail-from is an address"),
    ],
)
def test_settings_that_cannot_be_used_say_why(
    url: str, sender: str | None, password: str | None, public: str | None, sentence: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as refused:
        mail_settings(url, sender=sender, password=password, public_url=public)
    assert "secret" not in str(refused.value)


def test_settings_do_not_show_the_password() -> None:
    settings = mail_settings("smtps://ada@mail.example.org", sender=None, password="s3cret", public_url=PUBLIC)
    assert "s3cret" not in repr(settings)
    assert (settings.host, settings.port, settings.is_tls, settings.user) == ("mail.example.org", 465, True, "ada")


def raise_alarm(ctx: ServiceContext, account: Account, name: str) -> str:
    """The key of a device of that name that is paused now."""
    device = NewDevice(device_key=str(uuid.uuid4()), device_name=name, platform_type="X")
    now = ctx.clock.now()

    def much(unit: Unit) -> None:
        unit.devices.register(account.account_id, device, now)
        unit.alarms.set_limit(account.account_id, ALARM_LIMIT_MIN)
        unit.act_as(f"{device.device_key}/0123456789abcdef")
        folder = NewFolder(object_key=ctx.new_key(), parent_key=account.root_key, name=device.device_key)
        unit.tree.add_folder(account.account_id, folder, now)
        for turn in range(4):  # a quarter point each
            names = [f"{turn}.{number} of {folder.object_key}" for number in range(ALARM_LIMIT_MIN)]
            unit.tree.apply(account.account_id, [Rename(folder.object_key, one) for one in names], now)

    ctx.metadata.write(much)
    return device.device_key


def test_the_owner_of_a_paused_device_gets_a_message(ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    raise_alarm(ctx, account, "Laptop\r\nof {host}: http://evil.example/")
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        tell(ctx)
        work(ctx)
        (message,) = running.server.received
    assert message["To"] == account.email
    assert message["Subject"].startswith("A device was paused at drive.example.org / Ein Gerät")
    text = message.get_content()
    assert "    Laptop  of  host   http   evil example\n" in text.replace("\r\n", "\n")
    assert f"{PUBLIC}/drive/\n" in text.replace("\r\n", "\n")
    assert "welcome#" not in text


def test_a_decision_comes_before_the_message_and_a_server_without_mail_sends_none(ctx: ServiceContext) -> None:
    account = new_account(ctx, "ada@example.org")
    raise_alarm(ctx, account, "Laptop")
    tell(ctx)
    with ctx.metadata.read() as unit:
        assert unit.outbox.next_due([*ACCOUNT_JOBS, *MAIL_JOBS]) is None
    device_key = raise_alarm(ctx, account, "Phone")
    with running_mail_server() as running:
        ctx = replace(ctx, mail=settings_for(running))
        tell(ctx)
        with ctx.metadata.read() as unit:
            waiting = [one.device_key for one in unit.alarms.of_account(account.account_id)]
        for key in waiting:
            decide = partial(decided, account.account_id, key, ctx.clock.now())
            ctx.metadata.write(decide)
        assert device_key in waiting
        work(ctx)
        assert running.server.attempts == 0


def decided(account_id: int, device_key: str, now: int, unit: Unit) -> None:
    unit.alarms.decide(account_id, device_key, ENDED, now, by="")


def tell(ctx: ServiceContext) -> None:
    runner = JobRunner(ctx, jobs=ACCOUNT_JOBS, tasks=())
    while runner.work_once():
        pass
