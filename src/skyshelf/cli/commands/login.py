"""`skyshelf login`, `logout`, `whoami` and `profiles`: sessions and stored logins."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import click

from skyshelf.cli.base.errors import CommandFailed, UsageProblem
from skyshelf.cli.base.output import Row, bar, table
from skyshelf.cli.base.params import FILE
from skyshelf.cli.base.prompts import read_code, read_password
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import visible
from skyshelf.cli.commands.curl_session import read_curl_command, session_from_curl
from skyshelf.client import settings
from skyshelf.client.errors import AuthenticationError, ConfigurationError, SecondFactorRequiredError, SkyshelfError
from skyshelf.client.hosts import SETTINGS as HOSTS
from skyshelf.client.sync_client import Client
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.sizes import format_size


def _host_pairs(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in value]
    if not all(name in HOSTS and url for name, _, url in pairs):
        raise click.BadParameter(f"use NAME=URL, where NAME is one of {', '.join(HOSTS)}")
    return {name: url for name, _, url in pairs}


class ProfileRecord(Projection, frozen=True, kw_only=True):
    """A login stored on this machine."""

    profile: str
    server: str | None
    user_id: str | None
    is_default: bool
    is_logged_in: bool


@client_command(
    "login",
    "skyshelf login --server https://drive.example.org you@example.org",
    "skyshelf login --from-curl < copied.txt",
    record=ProfileRecord,
)
@click.argument("email", required=False)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of prompting.")
@click.option(
    "--code-stdin",
    is_flag=True,
    help="Read a second-factor code from standard input too, on the line after the password.",
)
@click.option(
    "--from-curl",
    is_flag=True,
    help="Take the session from a browser's request, copied as cURL and pasted at the prompt or on standard input.",
)
@click.option("--curl-file", type=FILE, help="Read the copied request from a file.")
@click.option("--host", multiple=True, callback=_host_pairs, metavar="NAME=URL", help="Set the address of one host.")
def login(
    *,
    session: CommandSession,
    email: str | None,
    password_stdin: bool,
    code_stdin: bool,
    from_curl: bool,
    curl_file: Path | None,
    host: dict[str, str],
) -> None:
    """Log in to a server.

    The session is stored as a profile in a file that only you can read; use --profile to store several. The password is
    prompted for, and never an argument, where other users could see it. If the account has a second factor, the code is
    prompted for or taken from SKYSHELF_LOGIN_CODE.
    """
    name, filed = _current_profile(session)
    known = {setting: value for setting, value in filed.items() if isinstance(value, str)}
    named = session.server or os.environ.get("SKYSHELF_SERVER")
    places = _places(named, host, known)
    # The device and the application's key and secret are only for the profile's own server.
    kept = known if settings.named_origins(places) <= settings.stored_origins(filed) else {}
    if from_curl or curl_file is not None:
        values = _settings_from_curl(places, is_named=bool(named or host), file=curl_file)
        with _temporary_client(name, values) as client:
            who = client.account.profile()
    else:
        if email is None:
            raise click.UsageError("the email address is missing: skyshelf login --server URL EMAIL")
        if not places:
            raise click.UsageError("the server is missing: skyshelf login --server https://drive.example.org EMAIL")
        if code_stdin and not password_stdin:
            raise click.UsageError("--code-stdin requires --password-stdin: two lines, the password and the code")
        password = read_password("Password", from_stdin=password_stdin)
        code = read_code(from_stdin=True) if code_stdin else os.environ.get("SKYSHELF_LOGIN_CODE") or None
        values = dict(places)
        with _temporary_client(name, values) as client:
            values |= _log_in(client, email, password, code, kept.get("device_key"))
            who = client.account.profile()
    # Hosts of an earlier login would get the session of this one.
    pair = {setting: kept.get(setting) for setting in ("api_key", "app_secret")}
    settings.save_profile(settings.config_path(), name, dict.fromkeys(("server", *HOSTS)) | pair | values)
    session.out.record(_profile_record(name, values, settings.read_config(settings.config_path())))
    session.out.note(f"Logged in as {who.display_name or who.email_id or who.user_id} (profile {name}).")


def _current_profile(session: CommandSession) -> tuple[str, dict[str, object]]:
    config = settings.read_config(settings.config_path())
    name = session.profile or os.environ.get("SKYSHELF_PROFILE") or config.default_profile or settings.DEFAULT_PROFILE
    return name, config.profiles.get(name, {})


def _places(server: str | None, hosts: dict[str, str], known: dict[str, str]) -> dict[str, str]:
    """Where to log in; the profile's own hosts, unless another server is named."""
    stored = {setting: known[setting] for setting in ("server", *HOSTS) if setting in known}
    if server is None or settings.origin_text(server) == settings.origin_text(stored.get("server", "")):
        return {**stored, **({"server": server} if server else {}), **hosts}
    return {"server": server, **hosts}


def _settings_from_curl(places: dict[str, str], *, is_named: bool, file: Path | None) -> dict[str, str]:
    """The settings of a copied session, which may only be sent to the server it was copied from."""
    copied = session_from_curl(read_curl_command(file))
    if settings.origin_text(copied.origin) in settings.named_origins(places):
        return {**places, **copied.settings}
    if is_named:
        raise ConfigurationError(
            f"the request was copied from {copied.origin}, which is not among the servers named, and its session is"
            " sent to no other: leave out --server, or name that server too with --host"
        )
    return {"server": copied.origin, **copied.settings}


def _log_in(client: Client, email: str, password: str, code: str | None, device_key: str | None) -> dict[str, str]:
    try:
        _request_session(client, email, password, code, device_key)
    except SecondFactorRequiredError as error:
        if not sys.stdin.isatty():
            raise CommandFailed(
                "the account requires a second-factor code, and there is no terminal to ask for it: pass it with"
                " --code-stdin or in SKYSHELF_LOGIN_CODE",
                error.exit_code,
            ) from None
        _request_session(client, email, password, read_code(from_stdin=False), device_key)
    except AuthenticationError as error:
        message = f"{error.message.removesuffix('.')}. Check them and try again.{_hint(client)}"
        raise CommandFailed(message, error.exit_code) from error
    credentials = client.credentials
    assert credentials is not None
    return {"auth_token": credentials.auth_token, "user_id": credentials.user_id, "device_key": credentials.device_key}


def _hint(client: Client) -> str:
    """A hint for people who log in through a provider, and so may have no password."""
    try:
        names = [visible(one.name or "") for one in client.account.login_providers()]
    except SkyshelfError:
        return ""
    if not names:
        return ""
    return (
        f" If you log in with {' or '.join(names)} in the browser, set a password in the settings there first:"
        " the command line needs one."
    )


def _request_session(client: Client, email: str, password: str, code: str | None, device_key: str | None) -> None:
    import platform

    # Reuse the profile's device, so repeated logins do not fill the list of devices.
    client.login(
        email,
        password,
        code=code,
        device_name=(platform.node() or "command line")[:100],
        platform_type=f"skyshelf on {platform.system() or 'an unknown system'}",
        device_key=device_key,
    )


@contextmanager
def _temporary_client(name: str, values: dict[str, str]) -> Iterator[Client]:
    """A client for settings that are not saved yet: settings that fail must not replace working ones."""
    from tempfile import TemporaryDirectory

    hosts = {setting: value for setting, value in values.items() if setting in HOSTS}
    with TemporaryDirectory(prefix="skyshelf-login-") as folder:
        config = Path(folder) / "config.json"
        settings.write_config(config, settings.ConfigFile(name, {name: dict(values)}))
        with Client(
            values.get("server"),
            auth_token=values.get("auth_token"),
            user_id=values.get("user_id"),
            device_key=values.get("device_key"),
            profile=name,
            config=config,
            hosts=hosts,
        ) as client:
            yield client


@client_command("logout", "skyshelf logout")
def logout(*, session: CommandSession) -> None:
    """Log out, on the server and on this machine.

    The profile is kept, without its session: `skyshelf profiles --remove NAME` deletes it.
    """
    try:
        session.client.logout()
    except AuthenticationError:
        session.out.note("The session had already ended.")
    name, _ = _current_profile(session)
    if name in settings.read_config(settings.config_path()).profiles:
        settings.forget_session(settings.config_path(), name)
    session.out.note(f"Logged out (profile {name}).")


class UsageRecord(Projection, frozen=True, kw_only=True):
    """Bytes used per kind of file."""

    documents: Annotated[int, From("quota.document_usage")]
    photos: Annotated[int, From("quota.photo_usage")]
    videos: Annotated[int, From("quota.video_usage")]
    audio: Annotated[int, From("quota.audio_usage")]


class DeviceRecord(Projection, frozen=True, kw_only=True):
    """A registered device."""

    device_key: str | None
    name: Annotated[str | None, From("device_name")]
    platform: Annotated[str | None, From("platform_type")]


class AccountRecord(Projection, frozen=True, kw_only=True):
    """The account that is logged in, and its storage in bytes; null where the server gives no value."""

    user_id: str
    name: Annotated[str, From("display_name")]
    email: Annotated[str | None, From("email_id")]
    root_folder_key: str | None
    allocated_bytes: Annotated[int | None, From("quota.allocated_bytes")]
    used_bytes: Annotated[int | None, From("quota.used_bytes")]
    usage: Annotated[UsageRecord, From(UsageRecord.of)]
    devices: list[DeviceRecord]
    deletes: Annotated[Time, From("deletion_date")]


@client_command("whoami", "skyshelf whoami", record=AccountRecord)
def whoami(*, session: CommandSession) -> None:
    """Show who is logged in, and the storage used."""
    record = AccountRecord.of(session.client.account.profile())
    session.out.record(record, _account_lines(record))


def _account_lines(record: AccountRecord) -> Iterator[str]:
    yield visible(f"{record.name} <{record.email}>" if record.email else record.name or record.user_id)
    if record.allocated_bytes is not None and record.used_bytes is not None:
        yield from _usage_lines(record.usage, record.used_bytes, record.allocated_bytes)
    if record.devices:
        yield "devices:"
        rows = [(f"  {visible(one.name or '?')}", visible(one.platform or "")) for one in record.devices]
        yield from table(rows)
    if record.deletes:
        yield (
            f"This account will be deleted on {record.deletes};"
            " `skyshelf account cancel-deletion` cancels the deletion."
        )


def _usage_lines(usage: UsageRecord, used_bytes: int, allocated_bytes: int) -> Iterator[str]:
    part = used_bytes / allocated_bytes if allocated_bytes > 0 else 1.0
    yield f"{bar(part)}  {format_size(used_bytes)} of {format_size(allocated_bytes)} ({part:.1%})"
    kinds = {"photos": usage.photos, "videos": usage.videos, "audio": usage.audio, "documents": usage.documents}
    yield from table(
        [
            (f"  {kind}", bar(size / used_bytes if used_bytes else 0, columns=12), format_size(size))
            for kind, size in kinds.items()
        ],
        right={2},
    )


@client_command("profiles", "skyshelf profiles", "skyshelf profiles --default work", records=ProfileRecord)
@click.option("--default", "default", metavar="NAME", help="Make this profile the default.")
@click.option("--remove", metavar="NAME", help="Remove this profile; log out of it first.")
def profiles(*, session: CommandSession, default: str | None, remove: str | None) -> None:
    """List and manage the logins stored on this machine.

    The default profile is marked with *; other commands use it unless --profile names another.
    """
    config = settings.read_config(settings.config_path())
    for name in (default, remove):
        if name is not None and name not in config.profiles:
            raise UsageProblem(f"no profile {name!r}: `skyshelf profiles` lists them")
    if default is not None or remove is not None:
        kept = {name: values for name, values in config.profiles.items() if name != remove}
        chosen = default or config.default_profile
        config = settings.ConfigFile(chosen if chosen in kept else next(iter(kept), None), kept)
        settings.write_config(settings.config_path(), config)
    records = [_profile_record(name, values, config) for name, values in config.profiles.items()]
    session.out.rows(records, lambda record: record, _profile_row)
    if not records:
        session.out.note("No logins stored: run `skyshelf login --server URL EMAIL`.")


def _profile_record(
    name: str, values: "dict[str, object] | dict[str, str]", config: settings.ConfigFile
) -> ProfileRecord:
    server, user_id = values.get("server"), values.get("user_id")
    return ProfileRecord(
        profile=name,
        server=server if isinstance(server, str) else None,
        user_id=user_id if isinstance(user_id, str) else None,
        is_default=(config.default_profile or settings.DEFAULT_PROFILE) == name,
        is_logged_in=bool(values.get("auth_token")),
    )


def _profile_row(record: ProfileRecord) -> Row:
    return (
        "*" if record.is_default else " ",
        visible(record.profile),
        visible(record.server or ""),
        "logged in" if record.is_logged_in else "logged out",
    )
