"""`skyshelf admin history-key`: the key that signs the histories of all accounts."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import open_metadata_only, print_result, print_table, store_options
from skyshelf.cli.base.groups import examples

if TYPE_CHECKING:
    from skyshelf.storage.metadata.history.log import HistoryKey


@click.group("history-key")
def history_key() -> None:
    """Show and replace the key that signs histories.

    Clients keep what was signed, and verify later heads with it: `skyshelf verify-history`.
    """


@history_key.command("ls", epilog=examples("skyshelf admin history-key ls --data /srv/skyshelf"))
@store_options
def ls(*, as_json: bool, **store: Any) -> None:
    """List all keys, oldest first; the last one is in use."""
    with open_metadata_only(looking=True, **store) as ctx:
        with ctx.metadata.read() as unit:
            found = unit.history_keys.all()
        rows = [(one.key_id, _time(one.created_at), _time(one.retired_at) or "in use") for one in found]
        print_table(as_json, [_as_json(one) for one in found], rows, empty="There is no key yet.")


@history_key.command("rotate", epilog=examples("skyshelf admin history-key rotate --data /srv/skyshelf"))
@store_options
def rotate(*, as_json: bool, **store: Any) -> None:
    """Replace the key, such as after a theft of the database or a backup.

    The former key signs the new one, so that clients accept it, and is destroyed; its public key stays published. Heads
    that were signed before stay valid.
    """
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.proofs.keys import rotate as replace_key

        made = replace_key(ctx)
        print_result(as_json, _as_json(made), f"Heads are signed with the key {made.key_id} from now on.")


def _time(ms: int) -> str:
    from skyshelf.wire.times import from_epoch_ms

    return f"{from_epoch_ms(ms):%Y-%m-%d %H:%M} UTC" if ms else ""


def _as_json(one: "HistoryKey") -> dict[str, Any]:
    return {"keyId": one.key_id, "createdDate": one.created_at, "retiredDate": one.retired_at or None}
