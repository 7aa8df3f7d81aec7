"""Which store a command works on: said on standard error before anything is changed, and asked about on a terminal."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.prompts import confirm
from skyshelf.cli.base.text import format_count, safe_line, visible

if TYPE_CHECKING:
    from skyshelf.storage.metadata.store import MetadataStore
    from skyshelf.storage.summary import Summary

_ID_SHOWN = 8
_YES: Final = "skyshelf.store.yes"


class StoreCommand(click.Command):
    """A command that opens a store, and declares what it does to it.

    On a terminal it asks before it changes the store, unless it is `looking`, and so changes nothing, or declares with
    `asks=False` that it only adds something, gives something back, or asks its own question.
    """

    def __init__(self, *args: Any, looking: bool = False, asks: bool = True, **options: Any) -> None:
        super().__init__(*args, **options)
        self.looking = looking
        self.asks = asks and not looking
        if self.asks:
            yes = click.Option(
                ["--yes"], is_flag=True, expose_value=False, callback=_note_yes, help="Do not ask for confirmation."
            )
            # In the help, it comes before the options of the stores.
            names = [one.name for one in self.params]
            self.params.insert(names.index("data") if "data" in names else len(names), yes)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a file or folder that cannot be used is a sentence in every command."""
        try:
            with report_errors(OSError, debug=bool(ctx.params.get("debug"))):
                return super().invoke(ctx)
        except CommandFailed as failed:
            if isinstance(failed.__cause__, BrokenPipeError):
                # The reader of the output has gone.
                raise failed.__cause__ from None
            raise


def _note_yes(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[_YES] = value


def place_of(url: str) -> str:
    """Where a store is, for people: a path, or a host and a name, without the passwords and keys of the URL."""
    from skyshelf.storage.local_paths import local_path_or_none

    path = local_path_or_none(url)
    if path is not None:
        return str(path)
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def announce(
    metadata: str,
    *blobs: str,
    looking: bool,
    opened: "MetadataStore | None" = None,
    question: str = "Continue?",
    is_required: bool = False,
) -> None:
    """Say which store is read or changed, and on a terminal ask before it is changed.

    `opened` is its metadata where that is open already. CommandFailed if the answer is no, or if one `is_required` and
    there is neither a terminal nor --yes.
    """
    named = ", ".join(dict.fromkeys(map(place_of, (metadata, *blobs))))
    verb = "Reading" if looking else "Changing"
    click.echo(safe_line(f"{verb} the store {visible(named)}{_known(metadata, opened)}"), err=True)
    context = click.get_current_context(silent=True)
    if not looking and context is not None and isinstance(context.command, StoreCommand) and context.command.asks:
        confirm(question, yes=context.meta.get(_YES, False), is_required=is_required)


def _known(metadata: str, opened: "MetadataStore | None") -> str:
    """What is known of the store: the start of its identity, and the number of its objects."""
    from skyshelf.storage.errors import StorageError

    # A store that is damaged there is one that some commands can still read; others report what is wrong.
    with suppress(StorageError):
        if (summary := _summary(metadata, opened)) is not None:
            found = summary.identity
            named = "" if found is None else f", identity {found.store[:_ID_SHOWN]}"
            return f"{named}, {format_count(summary.objects, 'object')}"
    return ""


def _summary(metadata: str, opened: "MetadataStore | None") -> "Summary | None":
    from skyshelf.storage.summary import summary_at, summary_of

    return summary_at(metadata) if opened is None else summary_of(opened)
