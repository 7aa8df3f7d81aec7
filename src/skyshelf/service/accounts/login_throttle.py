"""Login throttle: limits wrong passwords by account and by IP address.

Two buckets guard a login. The address's bucket closes for up to 15 minutes, and attempts while it is closed do not
count against the account. The account's bucket closes for at most a minute: guessing stays slow however many
addresses take part, and an owner who was locked out by someone else can log in from another address within that
minute. A device that is registered with the account has a separate bucket, so strangers cannot lock out the owner's
own devices at all.

Codes of a second factor have a separate bucket, which only a right code empties. Codes are short, and only someone
who knows the password gets that far, so it remembers failures for a day and closes for up to an hour.
"""

import hashlib
from collections.abc import Callable

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import Throttled
from skyshelf.service.networks import network_of
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.accounts import ThrottleRule
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit

_SECOND, _MINUTE = 1000, 60_000
OF_ACCOUNT = ThrottleRule(free_failures=10, first_pause=_SECOND, longest_pause=_MINUTE, memory=15 * _MINUTE)
OF_ADDRESS = ThrottleRule(free_failures=20, first_pause=_SECOND, longest_pause=15 * _MINUTE, memory=60 * _MINUTE)
OF_CODES = ThrottleRule(free_failures=10, first_pause=_SECOND, longest_pause=60 * _MINUTE, memory=24 * 60 * _MINUTE)
# A message is a nuisance to people who did not ask for it: few for one recipient, and not many for one sender.
OF_MAIL = ThrottleRule(free_failures=3, first_pause=5 * _MINUTE, longest_pause=60 * _MINUTE, memory=24 * 60 * _MINUTE)
OF_MAIL_ADDRESS = ThrottleRule(free_failures=20, first_pause=_MINUTE, longest_pause=60 * _MINUTE, memory=60 * _MINUTE)
LONGEST_MEMORY = max(rule.memory for rule in (OF_ACCOUNT, OF_ADDRESS, OF_CODES, OF_MAIL, OF_MAIL_ADDRESS))


class Buckets:
    """The buckets that an attempt counts against."""

    device_key = ""

    def __init__(self, account: bytes, address: bytes) -> None:
        self.account = account
        self.address = address


def app_buckets(email: str, address: str) -> Buckets:
    """Return the buckets of an attempt with an app password."""
    return Buckets(_digest("app", email.casefold()), _digest("app address", network_of(address)))


def passkey_buckets(credential_id: str, address: str) -> Buckets:
    """Return those of a login with a passkey: it cannot be guessed, and trying does not lock out password logins."""
    return Buckets(_digest("passkey", credential_id), _digest("address", network_of(address)))


def provider_buckets(provider_id: str, address: str) -> Buckets:
    """Return those of a login through a provider: it is not known in advance who logs in."""
    network = network_of(address)
    return Buckets(_digest("provider", provider_id, network), _digest("address", network))


def mail_buckets(email: str, address: str) -> Buckets:
    """Return the buckets of a request for a message."""
    return Buckets(_digest("mail", email.casefold()), _digest("mail address", network_of(address)))


class LoginBuckets(Buckets):
    """The buckets of a login with a password."""

    def __init__(self, email: str, address: str, known_device: str | None) -> None:
        # Unknown email addresses have buckets, too, so nothing shows whether an account exists.
        subject = f"device:{known_device}" if known_device else "anybody"
        super().__init__(_digest("login", email.casefold(), subject), _digest("address", network_of(address)))
        self.device_key = known_device or ""
        self.codes = _digest("code", email.casefold(), subject)


def check(ctx: ServiceContext, buckets: Buckets) -> None:
    """Throttled if `admit` would refuse an attempt now. Nothing is counted: an attempt that would have to wait for the
    costly verification is refused before it waits."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        closed_until = unit.throttles.closed_until([buckets.address, buckets.account], now)
    _refuse_until(closed_until, now)


def admit(ctx: ServiceContext, buckets: Buckets) -> None:
    """Admit an attempt to the costly verification; Throttled after too many.

    It counts against the account at once, so simultaneous attempts cannot slip through together.
    """
    _admit(ctx, buckets.address, buckets.account, OF_ACCOUNT)


def admit_code(ctx: ServiceContext, buckets: LoginBuckets) -> None:
    """Admit a code of the second factor, after the password."""
    _admit(ctx, buckets.address, buckets.codes, OF_CODES)


def admit_mail(ctx: ServiceContext, buckets: Buckets, work: Callable[[Unit, int], None]) -> None:
    """Do the work, in the same commit, unless too many messages were requested."""
    now = ctx.clock.now()

    def admit_and_work(unit: Unit) -> int:
        closed = unit.throttles.admit(buckets.address, now, OF_MAIL_ADDRESS)
        closed = closed or unit.throttles.admit(buckets.account, now, OF_MAIL)
        if not closed:
            work(unit, now)
        return closed

    _refuse_until(ctx.metadata.write(admit_and_work), now)


def _admit(ctx: ServiceContext, address: bytes, counted: bytes, rule: ThrottleRule) -> None:
    now = ctx.clock.now()

    def work(unit: Unit) -> int:
        closed = unit.throttles.closed_until([address], now)
        return closed or unit.throttles.admit(counted, now, rule)

    with even_while_read_only():
        closed_until = ctx.metadata.write(work)
    _refuse_until(closed_until, now)


def _refuse_until(closed_until: int, now: int) -> None:
    if closed_until > now:
        raise Throttled(-(-(closed_until - now) // _SECOND))


def failed(ctx: ServiceContext, buckets: Buckets, event: AuditEvent | None = None) -> None:
    """Count a failure against the address, and record it; repeated failures are only counted."""
    now = ctx.clock.now()
    group = "" if event is None else f"failures {network_of(event.address)}"
    events = [event] if event is not None and ctx.trail.is_first(ctx.metadata, event, group) else []

    def work(unit: Unit) -> None:
        unit.throttles.failed(buckets.address, now, OF_ADDRESS)
        unit.audit.add(events)

    with even_while_read_only():
        ctx.metadata.write(work)


def succeeded(unit: Unit, buckets: Buckets) -> None:
    """Forget the account's failures. The address's stay: logging in to one's own account must not clear them."""
    unit.throttles.succeeded(buckets.account)


def code_succeeded(unit: Unit, buckets: LoginBuckets) -> None:
    unit.throttles.succeeded(buckets.codes)


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
