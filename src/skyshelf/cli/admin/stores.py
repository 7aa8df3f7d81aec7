"""Options that name a server's stores, opening them, and printing results of `skyshelf admin`."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from skyshelf.cli.admin.config_file import StoreOption
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.output import table

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.access import Access
    from skyshelf.storage.metadata.contracts.accounts import Account


Command = TypeVar("Command", bound=Callable[..., Any])

DATA_DEFAULT = Path("skyshelf-data")

data_option = click.option(
    "--data",
    cls=StoreOption,
    envvar="SKYSHELF_SERVE_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    default=DATA_DEFAULT,
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
    help="Object store with the file contents: s3://bucket/prefix?endpoint=…  [default: --data]",
)
debug_option = click.option("--debug", is_flag=True, help="Show the full traceback on errors.")


def metadata_url(data: Path, metadata: str | None, *, looking: bool = False) -> str:
    """The URL of the metadata store; a data folder must exist, and belong to who changes it."""
    from skyshelf.storage.local_paths import local_path_or_none
    from skyshelf.storage.open import embedded_urls

    url = embedded_urls(data)[0] if metadata is None else metadata
    file = local_path_or_none(url)
    if file is None:
        return url
    if not _exists(file):
        place = data if metadata is None else file
        raise CommandFailed(
            f"no Skyshelf data in {place}: name its folder with --data, or make it with skyshelf admin init"
        )
    if not looking:
        check_owner(file)
    return url


def blobs_url(data: Path, blobs: str | None, *, looking: bool = False) -> str:
    """The URL of the blob store; a folder must exist, because opening a missing one would create an empty store."""
    from skyshelf.storage.local_paths import local_path_or_none
    from skyshelf.storage.open import embedded_urls

    url = embedded_urls(data)[1] if blobs is None else blobs
    folder = local_path_or_none(url)
    if folder is None:
        return url
    if not _exists(folder):
        place = data if blobs is None else folder
        raise CommandFailed(f"no file contents in {place}: name its folder with --data, or a bucket with --blobs")
    if not looking:
        check_owner(folder)
    return url


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise CommandFailed(
            f"{path} cannot be reached ({error.strerror}): run the command as the owner of the store"
        ) from error


def check_owner(file: Path) -> None:
    """Another user would leave files behind that the server cannot use; root gives everything to the owner."""
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
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise CommandFailed(f"the data folder {data} is not writable: change its owner, or name another with --data")


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def store_options(command: Command) -> Command:
    """Options of a command that needs only metadata."""
    for option in (debug_option, json_option, metadata_option, data_option):
        command = option(command)
    return command


def both_store_options(command: Command) -> Command:
    """Options of a command that needs file contents too."""
    for option in (debug_option, json_option, blobs_option, metadata_option, data_option):
        command = option(command)
    return command


class _NoBlobs:
    """Stands in for the blob store in commands that need only metadata."""


@contextmanager
def open_metadata_only(
    *, data: Path, metadata: str | None, debug: bool, looking: bool = False
) -> Iterator["ServiceContext"]:
    """A service context without file contents; `looking` for a command that changes nothing."""
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.open import open_metadata

    with _report_store_errors(debug=debug):
        store = open_metadata(metadata_url(data, metadata, looking=looking), _access(looking=looking))
        try:
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
        rows, bytes_ = open_stores(
            metadata_url(data, metadata, looking=looking), contents, access=_access(looking=looking)
        )
        ctx = ServiceContext(metadata=rows, blobs=bytes_)
        try:
            load_retention(ctx)
            with _as_operator():
                yield ctx
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()


@contextmanager
def _as_operator() -> Iterator[None]:
    """The audit trail names the user who runs the command, and who became that user with sudo."""
    from skyshelf.service.audit.origins import Origin, current_origin

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
def open_account(email: str, **store: Any) -> Iterator[tuple["ServiceContext", "Account"]]:
    """A service context, and the account with that address."""
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.accounts.accounts import find_account

        yield ctx, find_account(ctx, email)


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


def print_result(as_json: bool, data: object, text: str) -> None:
    """Print a command's result as JSON, or as text."""
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(data)).decode())
    elif text:
        click.echo(text)


def print_table(as_json: bool, data: object, rows: Sequence[tuple[str, ...]], *, empty: str) -> None:
    """Print a command's list as JSON, or as a table; `empty` if there are no rows."""
    print_result(as_json, data, "\n".join(table(rows)) or empty)


@contextmanager
def prepare_restored(data: Path, metadata: str | None, blobs: str | None) -> Iterator[tuple[str, str]]:
    """The URLs of a store that is about to be made; what root makes belongs to the owner of the folder afterwards."""
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
