"""Options that name a server's stores, opening them, and printing results of `skyshelf admin`."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skyshelf.cli.admin.config_file import StoreOption
from skyshelf.cli.admin.variables import refuse_unknown
from skyshelf.cli.admin.which_store import StoreCommand, announce
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import FOLDER, add_options

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.access import Access

DATA_DEFAULT = Path("skyshelf-data")

data_option = click.option(
    "--data",
    cls=StoreOption,
    envvar="SKYSHELF_SERVE_DATA",
    type=FOLDER,
    default=DATA_DEFAULT,
    callback=refuse_unknown,
    show_default="./skyshelf-data",
    help="The server's data folder.",
)
metadata_option = click.option(
    "--metadata",
    cls=StoreOption,
    envvar="SKYSHELF_SERVE_METADATA",
    metavar="URL",
    help="PostgreSQL database to use instead of the data folder: postgresql://…",
)
blobs_option = click.option(
    "--blobs",
    cls=StoreOption,
    envvar="SKYSHELF_SERVE_BLOBS",
    metavar="URL",
    help="Object store for file contents: s3://bucket/prefix?endpoint=…  [default: --data]",
)
debug_option = click.option("--debug", is_flag=True, help="Show the full traceback on errors.")


def metadata_url(data: Path, metadata: str | None, *, looking: bool = False) -> str:
    """The URL of the metadata store; a data folder must exist, and belong to the user who changes it."""
    from skyshelf.storage.open import embedded_urls

    missing = "no Skyshelf data in {}: name its folder with --data, or make it with skyshelf admin init"
    return _existing(embedded_urls(data)[0], metadata, data, missing, looking=looking)


def blobs_url(data: Path, blobs: str | None, *, looking: bool = False) -> str:
    """The URL of the blob store; a folder must exist, because opening a missing one would create an empty store."""
    from skyshelf.storage.open import embedded_urls

    missing = "no file contents in {}: name its folder with --data, or a bucket with --blobs"
    return _existing(embedded_urls(data)[1], blobs, data, missing, looking=looking)


def _existing(embedded: str, given: str | None, data: Path, missing: str, *, looking: bool) -> str:
    """The URL of a store, by default the embedded one; CommandFailed if it is a path that does not exist."""
    from skyshelf.storage.local_paths import local_path_or_none

    url = embedded if given is None else given
    path = local_path_or_none(url)
    if path is not None and not _exists(path):
        raise CommandFailed(missing.format(data if given is None else path))
    if path is not None and not looking:
        check_owner(path)
    return url


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise CommandFailed(
            f"{path} cannot be reached ({error.strerror}): run the command as the owner of the store"
        ) from error


def check_owner(file: Path) -> None:
    """Refuse other users, who would leave files that the server cannot use; root gives all files to the owner."""
    if not file.exists():
        return
    owner = file.stat().st_uid
    if os.geteuid() not in {0, owner}:
        import pwd

        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = f"#{owner}"
        folder = file.parent if file.is_file() else file
        raise CommandFailed(f"{folder} belongs to the user {name}: run the command as that user, with sudo -u {name}")


def prepare_folder(data: Path) -> None:
    """Create the data folder, private to its owner; CommandFailed if it cannot be used."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandFailed(f"cannot create the data folder {data}: {error.strerror}") from error
    check_folder(data)


def check_folder(data: Path) -> None:
    """Raise CommandFailed if the data folder cannot be used, or one that is missing cannot be created."""
    existing = next(place for place in (data.absolute(), *data.absolute().parents) if os.path.lexists(place))
    if not existing.is_dir():
        raise CommandFailed(f"cannot create the data folder {data}: {existing} is not a folder")
    if not os.access(existing, os.R_OK | os.W_OK | os.X_OK):
        raise CommandFailed(f"the data folder {data} is not writable: change its owner, or name another with --data")


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


store_options = add_options(data_option, metadata_option, json_option, debug_option)
"""Options of a command that needs only metadata."""

both_store_options = add_options(data_option, metadata_option, blobs_option, json_option, debug_option)
"""Options of a command that needs file contents too."""


class _NoBlobs:
    """Stands in for the blob store in commands that need only metadata."""


@contextmanager
def open_metadata_only(
    *, data: Path, metadata: str | None, debug: bool, looking: bool = False, announced: bool = False
) -> Iterator["ServiceContext"]:
    """A service context without file contents; `looking` for a command that changes nothing."""
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.open import open_metadata

    with _report_store_errors(debug=debug):
        url = metadata_url(data, metadata, looking=looking)
        store = open_metadata(url, _access(looking=looking))
        try:
            if not announced:
                announce(url, looking=looking, opened=store)
            with _as_operator():
                yield ServiceContext(metadata=store, blobs=_NoBlobs())  # type: ignore[arg-type]
        finally:
            store.close()


@contextmanager
def open_context(
    *, data: Path, metadata: str | None, blobs: str | None, debug: bool, looking: bool = False
) -> Iterator["ServiceContext"]:
    """A service context with metadata and file contents; `looking` for a command that changes nothing."""
    from skyshelf.service.context import ServiceContext
    from skyshelf.service.retention import load_retention
    from skyshelf.storage.open import open_stores

    with _report_store_errors(debug=debug):
        contents = blobs_url(data, blobs, looking=looking)
        urls = metadata_url(data, metadata, looking=looking), contents
        rows, bytes_ = open_stores(*urls, access=_access(looking=looking))
        ctx = ServiceContext(metadata=rows, blobs=bytes_)
        try:
            announce(*urls, looking=looking, opened=rows)
            load_retention(ctx)
            with _as_operator():
                yield ctx
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()


@contextmanager
def _as_operator() -> Iterator[None]:
    """Name the user who runs the command in the audit trail, and who became that user with sudo."""
    from skyshelf.service.audit import Origin, current_origin

    names = [_user_name(), os.environ.get("SUDO_USER", "")]
    token = current_origin.set(Origin(actor=f"command:{'/'.join(name for name in names if name)}"))
    try:
        yield
    finally:
        current_origin.reset(token)


def _user_name() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"#{os.geteuid()}"


def _access(*, looking: bool) -> "Access":
    from skyshelf.storage.access import Access

    return Access.LOOK if looking else Access.WRITE


@contextmanager
def _report_store_errors(*, debug: bool) -> Iterator[None]:
    from skyshelf.storage.errors import AccountMissing, EmailTaken, StorageError
    from skyshelf.wire.refusals import Refusal

    with report_errors(StorageError, Refusal, debug=debug):
        try:
            yield
        except AccountMissing as missing:
            raise CommandFailed("no account with that address: `skyshelf admin user ls` lists them") from missing
        except EmailTaken as taken:
            raise CommandFailed(f"{taken}; case is ignored") from taken


class Result(NamedTuple):
    """What a command prints: data as JSON, or a text."""

    data: object
    text: str


def listed(data: object, rows: Iterable[tuple[str, ...]], *, empty: str) -> Result:
    """A list, whose text is a table; `empty` if there are no rows."""
    return Result(data, "\n".join(table(rows)) or empty)


def fields_of(one: object, *names: str) -> dict[str, Any]:
    """These attributes, by the names that they have in JSON; `job=task` is the attribute `task` as `job`."""
    pairs = [name.rpartition("=") for name in names]
    return {
        re.sub("_(.)", lambda found: found[1].upper(), shown or name): getattr(one, name) for shown, _, name in pairs
    }


def print_result(as_json: bool, data: object, text: str) -> None:
    """Print a command's result as JSON, or as text."""
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(data)).decode())
    elif text:
        click.echo(text)


def store_command(
    group: click.Group,
    name: str,
    *lines: str,
    looking: bool = False,
    asks: bool = True,
    check: Callable[..., None] | None = None,
) -> Callable[[Callable[..., Result]], click.Command]:
    """Make a function a command that opens the metadata and prints the function's result; `lines` are examples.

    The function gets the context first. `looking` and `asks` are what the command declares as a StoreCommand. `check`
    may refuse the arguments before the store is opened.
    """

    def declare(run: Callable[..., Result]) -> click.Command:
        own: list[click.Parameter] = run.__dict__.pop("__click_params__", [])

        @store_options
        @wraps(run)
        def command(*, data: Path, metadata: str | None, as_json: bool, debug: bool, **given: Any) -> None:
            if check is not None:
                check(**given)
            with open_metadata_only(data=data, metadata=metadata, debug=debug, looking=looking) as ctx:
                result = run(ctx, **given)
            print_result(as_json, *result)

        # In the help, the options of the stores come after a command's own parameters.
        command.__dict__["__click_params__"] += own
        return group.command(name, cls=StoreCommand, looking=looking, asks=asks, epilog=examples(*lines))(command)

    return declare


def account_command(
    group: click.Group, name: str, *lines: str, looking: bool = False, asks: bool = True
) -> Callable[[Callable[..., Result]], click.Command]:
    """Make a function a store command about one account, which it gets after the context."""

    def declare(run: Callable[..., Result]) -> click.Command:
        @click.argument("email")
        @wraps(run)
        def on_account(ctx: "ServiceContext", *, email: str, **given: Any) -> Result:
            from skyshelf.service.accounts.accounts import find_account

            return run(ctx, find_account(ctx, email), **given)

        return store_command(group, name, *lines, looking=looking, asks=asks)(on_account)

    return declare


@contextmanager
def prepare_restored(data: Path, metadata: str | None, blobs: str | None) -> Iterator[tuple[str, str]]:
    """The URLs of a store about to be created; files created by root are then given to the owner of the folder."""
    from skyshelf.storage.open import METADATA_FILE, embedded_urls

    if metadata is None or blobs is None:
        existed = data.exists()
        prepare_folder(data)
        if existed:
            check_owner(data)
    rows, contents = embedded_urls(data)
    yield metadata or rows, blobs or contents
    if metadata is None and os.geteuid() == 0 and data.stat().st_uid != 0:
        os.chown(data / METADATA_FILE, data.stat().st_uid, data.stat().st_gid)
