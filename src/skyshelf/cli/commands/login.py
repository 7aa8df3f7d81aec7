"""`skyshelf login`, `logout`, `whoami` and `profiles`: who you are to which server."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import click
from msgspec import Struct

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import bar, table
from skyshelf.cli.base.prompts import asked_code
from skyshelf.cli.base.records import AccountRecord, DeviceRecord, ProfileRecord, UsageRecord
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.text import utc_time, visible
from skyshelf.client.errors import AuthenticationError, ConfigurationError, SecondFactorRequiredError
from skyshelf.client.hosts import SETTINGS as HOSTS
from skyshelf.client.settings import (
    DEFAULT_PROFILE,
    ConfigFile,
    config_path,
    forget_session,
    read_config,
    save_profile,
    write_config,
)
from skyshelf.client.sync_client import Client
from skyshelf.wire.client_errors import EXIT_USAGE
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.wire.resources.account import UserProfile


# A session out of "copy as cURL": the headers of any request that a logged-in browser made.

_SETTINGS: Final = {
    "authorization": "auth_token",
    "x-user-id": "user_id",
    "x-device-key": "device_key",
    "x-api-key": "api_key",
    "x-app-secret": "app_secret",
}
_NEEDED: Final = ("authorization", "x-user-id", "x-device-key")
# Windows' own shell: ^ escapes what follows, and a line goes on after ^ at its end.
_CMD_ESCAPE: Final = re.compile(r"\^(\r?\n|.)", re.DOTALL)


class CopiedSession(Struct, frozen=True):
    """The settings of a session, and the origin that the request went to."""

    settings: dict[str, str]
    origin: str

    def __repr__(self) -> str:
        return f"CopiedSession(origin={self.origin!r})"


def session_from_curl(text: str) -> CopiedSession:
    """The session that a copied command carries; the errors never quote it."""
    words = _words(text)
    if not words or words[0].rpartition("/")[2] not in {"curl", "curl.exe"}:
        raise ConfigurationError("that is no curl command: in the browser's network tab, copy a request as cURL")
    headers: dict[str, str] = {}
    url = ""
    following = iter(words[1:])
    for word in following:
        if word in {"-H", "--header"}:
            name, _, value = next(following, "").partition(":")
            headers[name.strip().lower()] = value.strip()
        elif word == "--url":
            url = next(following, "")
        elif word.startswith(("http://", "https://")):
            url = url or word
    missing = [name for name in _NEEDED if not headers.get(name)]
    if missing:
        raise ConfigurationError(
            f"the copied request has no {' and no '.join(missing)} header: copy one that was made after logging in"
        )
    parts = urlsplit(url)
    if not parts.hostname:
        raise ConfigurationError("the copied request has no address: copy the whole command")
    settings = {setting: headers[name] for name, setting in _SETTINGS.items() if headers.get(name)}
    return CopiedSession(settings, f"{parts.scheme}://{parts.netloc}")


def _words(text: str) -> list[str]:
    if '^"' in text:
        text = _CMD_ESCAPE.sub(lambda found: "" if found[1].endswith("\n") else found[1], text)
    # Browsers write $'…' around what has escapes; quotes do the rest.
    text = re.sub(r"\$'((?:[^'\\]|\\.)*)'", lambda found: shlex.quote(_unescaped(found[1])), text.strip())
    try:
        return shlex.split(text)
    except ValueError:
        raise ConfigurationError("the copied command is not whole: copy it again, up to its last quote") from None


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})|\\(.)", lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)


# `skyshelf login`, `logout`, `whoami` and `profiles`: who you are to which server.


def _host_pairs(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    pairs = [one.partition("=") for one in value]
    if not all(name in HOSTS and url for name, _, url in pairs):
        raise click.BadParameter(f"write NAME=URL, where NAME is one of {', '.join(HOSTS)}")
    return {name: url for name, _, url in pairs}


@click.command(
    cls=ClientCommand,
    record=ProfileRecord,
    example=(
        "skyshelf login --server https://drive.example.org you@example.org",
        "skyshelf login --from-curl < copied.txt",
    ),
)
@click.argument("email", required=False)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of asking for it.")
@click.option(
    "--code-stdin",
    is_flag=True,
    help="Read a code of the second factor from standard input too, as the line after the password.",
)
@click.option(
    "--from-curl",
    is_flag=True,
    help='Take the session from a request that a browser made: paste its "copy as cURL" at the prompt or on stdin.',
)
@click.option("--curl-file", type=click.Path(path_type=Path, dir_okay=False), help="Read the copied request from here.")
@click.option("--host", multiple=True, callback=_host_pairs, metavar="NAME=URL", help="The address of one host alone.")
def login(
    *,
    session: Session,
    email: str | None,
    password_stdin: bool,
    code_stdin: bool,
    from_curl: bool,
    curl_file: Path | None,
    host: dict[str, str],
) -> None:
    """Log in to a server.

    The session is kept in a file that only you can read, as a profile: log in with another --profile to keep several.
    A password is never taken from the command line, where others could see it. A code of the second factor is asked for
    where the account wants one, or taken from SKYSHELF_LOGIN_CODE.
    """
    name, filed = _profile_here(session)
    known = {setting: value for setting, value in filed.items() if isinstance(value, str)}
    server = session.server or os.environ.get("SKYSHELF_SERVER") or known.get("server")
    if from_curl or curl_file is not None:
        values = _copied(server, host, curl_file)
        with _trial(name, values) as client:
            who = client.account.profile()
    else:
        if email is None:
            raise click.UsageError("name your e-mail address: skyshelf login --server URL EMAIL")
        if server is None and not host:
            raise click.UsageError("name the server, once: skyshelf login --server https://drive.example.org EMAIL")
        if code_stdin and not password_stdin:
            raise click.UsageError("--code-stdin goes with --password-stdin: two lines, the password and the code")
        password = _password(from_stdin=password_stdin)
        code = asked_code(from_stdin=True) if code_stdin else os.environ.get("SKYSHELF_LOGIN_CODE") or None
        values = {"server": server, **host} if server else host
        with _trial(name, values) as client:
            values |= _session_for(client, email, password, code, known.get("device_key"))
            who = client.account.profile()
    save_profile(config_path(), name, values)
    session.out.one(_profile_record(name, values, read_config(config_path())))
    session.out.note(f"Logged in as {who.display_name or who.email_id or who.user_id} (profile {name}).")


def _profile_here(session: Session) -> tuple[str, dict[str, object]]:
    config = read_config(config_path())
    name = session.profile or os.environ.get("SKYSHELF_PROFILE") or config.default_profile or DEFAULT_PROFILE
    return name, config.profiles.get(name, {})


def _copied(server: str | None, hosts: dict[str, str], file: Path | None) -> dict[str, str]:
    pass

    copied = session_from_curl(_copied_text(file))
    return {"server": server or copied.origin, **hosts, **copied.settings}


def _copied_text(file: Path | None) -> str:
    if file is not None:
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise CommandFailed(f"{file} cannot be read: name the file that holds the copied command") from problem
    if not sys.stdin.isatty():
        return sys.stdin.read()
    click.echo("Paste the copied cURL command, then an empty line:", err=True)
    lines = []
    while line := sys.stdin.readline().rstrip("\r\n"):
        lines.append(line)
    return "\n".join(lines)


def _session_for(client: Client, email: str, password: str, code: str | None, device_key: str | None) -> dict[str, str]:
    try:
        _open_session(client, email, password, code, device_key)
    except SecondFactorRequiredError as needed:
        if not sys.stdin.isatty():
            raise CommandFailed(
                "the account asks for a code too, and there is no terminal to ask for it: give it with --code-stdin, or"
                " in SKYSHELF_LOGIN_CODE",
                needed.exit_code,
            ) from None
        _open_session(client, email, password, asked_code(from_stdin=False), device_key)
    opened = client.credentials
    assert opened is not None
    return {"auth_token": opened.auth_token, "user_id": opened.user_id, "device_key": opened.device_key}


def _open_session(client: Client, email: str, password: str, code: str | None, device_key: str | None) -> None:
    import platform

    # The device of the profile again, so that logging in often does not fill the list of devices.
    client.login(
        email,
        password,
        code=code,
        device_name=(platform.node() or "command line")[:100],
        platform_type=f"skyshelf on {platform.system() or 'an unknown system'}",
        device_key=device_key,
    )


def _password(*, from_stdin: bool) -> str:
    """One line; its end is not part of the password."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise CommandFailed("there is no terminal to ask for the password: give it with --password-stdin", EXIT_USAGE)
    password: str = click.prompt("Password", hide_input=True, err=True)
    return password


@contextmanager
def _trial(name: str, values: dict[str, str]) -> Iterator[Client]:
    """A client of settings that are not kept yet: what does not work must not replace what does."""
    from tempfile import TemporaryDirectory

    hosts = {setting: value for setting, value in values.items() if setting in HOSTS}
    with TemporaryDirectory(prefix="skyshelf-login-") as folder:
        config = Path(folder) / "config.json"
        write_config(config, ConfigFile(name, {name: dict(values)}))
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


@click.command(cls=ClientCommand, example="skyshelf logout")
def logout(*, session: Session) -> None:
    """End the session, on the server and on this machine."""
    try:
        session.client.logout()
    except AuthenticationError:
        session.out.note("The session had ended already.")
    name, _ = _profile_here(session)
    if name in read_config(config_path()).profiles:
        forget_session(config_path(), name)
    session.out.note(f"Logged out (profile {name}).")


@click.command(cls=ClientCommand, record=AccountRecord, example="skyshelf whoami")
def whoami(*, session: Session) -> None:
    """Say who is logged in, and how full the account is."""
    who = session.client.account.profile()
    record = _account_record(who)
    session.out.one(record, _account_lines(record))


def _account_record(who: "UserProfile") -> AccountRecord:
    quota = who.quota
    return AccountRecord(
        user_id=who.user_id,
        name=who.display_name,
        email=who.email_id,
        root_folder_key=who.root_folder_key,
        allocated_bytes=quota.allocated_bytes if quota else None,
        used_bytes=quota.used_bytes if quota else None,
        usage=UsageRecord(
            documents=(quota and quota.document_usage) or 0,
            photos=(quota and quota.photo_usage) or 0,
            videos=(quota and quota.video_usage) or 0,
            audio=(quota and quota.audio_usage) or 0,
        ),
        devices=[
            DeviceRecord(device_key=one.device_key, name=one.device_name, platform=one.platform_type)
            for one in who.devices or ()
        ],
        deletes=utc_time(who.deletion_date),
    )


def _account_lines(record: AccountRecord) -> Iterator[str]:
    yield visible(f"{record.name} <{record.email}>" if record.email else record.name or record.user_id)
    if record.allocated_bytes is not None and record.used_bytes is not None:
        yield from _usage_lines(record.usage, record.used_bytes, record.allocated_bytes)
    if record.devices:
        yield "devices:"
        rows = [(f"  {visible(one.name or '?')}", visible(one.platform or "")) for one in record.devices]
        yield from table(rows)
    if record.deletes:
        yield f"This account goes for good on {record.deletes}: `skyshelf account keep` keeps it."


def _usage_lines(usage: UsageRecord, used_bytes: int, allocated_bytes: int) -> Iterator[str]:
    part = used_bytes / allocated_bytes if allocated_bytes > 0 else 1.0
    yield f"{bar(part)}  {format_size(used_bytes)} of {format_size(allocated_bytes)} ({part:.1%})"
    kinds = {"photos": usage.photos, "videos": usage.videos, "audio": usage.audio, "documents": usage.documents}
    yield from table(
        [
            (f"  {kind}", bar(size / used_bytes if used_bytes else 0, columns=12), format_size(size))
            for kind, size in kinds.items()
        ],
        right=frozenset({2}),
    )


@click.command(
    cls=ClientCommand,
    record=ProfileRecord,
    many=True,
    example=("skyshelf profiles", "skyshelf profiles --default work"),
)
@click.option("--default", "default", metavar="NAME", help="Use this profile where none is named.")
@click.option("--remove", metavar="NAME", help="Forget this profile; log out of it first.")
def profiles(*, session: Session, default: str | None, remove: str | None) -> None:
    """List the logins that are kept on this machine."""
    config = read_config(config_path())
    for name in (default, remove):
        if name is not None and name not in config.profiles:
            raise CommandFailed(f"there is no profile {name!r}: `skyshelf profiles` lists them", EXIT_USAGE)
    if default is not None or remove is not None:
        kept = {name: values for name, values in config.profiles.items() if name != remove}
        chosen = default or config.default_profile
        config = ConfigFile(chosen if chosen in kept else next(iter(kept), None), kept)
        write_config(config_path(), config)
    records = [_profile_record(name, values, config) for name, values in config.profiles.items()]
    session.out.many(records, lambda record: record, lambda found: table(map(_profile_row, found)))
    if not records:
        session.out.note("There is no login yet: begin with `skyshelf login --server URL EMAIL`.")


def _profile_record(name: str, values: "dict[str, object] | dict[str, str]", config: ConfigFile) -> ProfileRecord:
    server, user_id = values.get("server"), values.get("user_id")
    return ProfileRecord(
        profile=name,
        server=server if isinstance(server, str) else None,
        user_id=user_id if isinstance(user_id, str) else None,
        is_default=(config.default_profile or DEFAULT_PROFILE) == name,
        is_logged_in=bool(values.get("auth_token")),
    )


def _profile_row(record: ProfileRecord) -> tuple[str, ...]:
    return (
        "*" if record.is_default else " ",
        visible(record.profile),
        visible(record.server or ""),
        "logged in" if record.is_logged_in else "logged out",
    )
