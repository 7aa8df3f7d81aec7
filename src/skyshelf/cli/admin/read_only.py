"""`skyshelf admin read-only`: reading goes on, and nothing is written."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import open_metadata_only, print_result, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples

if TYPE_CHECKING:
    from skyshelf.storage.metadata.read_only import ReadOnly


@click.group("read-only")
def read_only() -> None:
    """Switch writing off and on again.

    All instances obey at once. Listing, downloading and logging in work; every change is refused with your reason, and
    background jobs rest.
    """


@read_only.command(
    "on", epilog=examples('skyshelf admin read-only on --reason "We are moving to a new disk, until about 22:00"')
)
@click.option("--reason", required=True, help="Shown to everybody whose change is refused.")
@store_options
def on(*, reason: str, as_json: bool, **store: Any) -> None:
    """Refuse all changes.

    When the command ends, changes that were already running are complete and no other one can happen.
    """
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.audit import kinds
        from skyshelf.service.audit.events import new_event
        from skyshelf.storage.metadata import read_only as mode

        chosen = mode.ReadOnly(reason, ctx.clock.now())
        mode.switch_on(ctx.metadata, chosen, [new_event(ctx, kinds.READ_ONLY_ON, reason=reason)])
        print_result(as_json, _as_json(chosen), f"The service is read-only: {reason}")


@read_only.command("off", epilog=examples("skyshelf admin read-only off"))
@store_options
def off(*, as_json: bool, **store: Any) -> None:
    """Accept changes again."""
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.audit import kinds
        from skyshelf.service.audit.events import new_event
        from skyshelf.storage.identity import moved
        from skyshelf.storage.metadata import read_only as mode

        where = moved(ctx.metadata)
        if where is not None:
            raise CommandFailed(f"{where}: start the server there, or start it here once with --adopt REASON")
        was_on = mode.switch_off(ctx.metadata, [new_event(ctx, kinds.READ_ONLY_OFF)])
        text = "The service accepts changes again." if was_on else "The service was not read-only."
        print_result(as_json, _as_json(None), text)


@read_only.command("status", epilog=examples("skyshelf admin read-only status --json"))
@store_options
def status(*, as_json: bool, **store: Any) -> None:
    """Show whether changes are refused, and why."""
    with open_metadata_only(looking=True, **store) as ctx:
        from skyshelf.storage.metadata import read_only as mode

        now = mode.read_only(ctx.metadata)
        text = "The service accepts changes."
        if now is not None:
            from skyshelf.wire.times import from_epoch_ms

            text = f"Read-only since {from_epoch_ms(now.since):%Y-%m-%d %H:%M} UTC: {now.reason}"
        print_result(as_json, _as_json(now), text)


def _as_json(mode: "ReadOnly | None") -> dict[str, object]:
    if mode is None:
        return {"readOnly": False}
    return {"readOnly": True, "reason": mode.reason, "since": mode.since}
