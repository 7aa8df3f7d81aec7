"""`skyshelf admin scrub`: the check of every stored content against its hash."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.checked import DAMAGE, not_checked_on_errors
from skyshelf.cli.admin.live_line import LiveLine
from skyshelf.cli.admin.stores import both_store_options, open_context, open_metadata_only, print_result, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.service.integrity.damage import DamageReport
    from skyshelf.service.integrity.scrub_state import ScrubRound, ScrubState

_SHOWN_MAX = 20


@click.group
def scrub() -> None:
    """Compare every stored content with its hash.

    The server does so in the background, within the number of days in the setting scrub_days.
    """


@scrub.command("status", epilog=examples("skyshelf admin scrub status --data /srv/skyshelf --json"))
@store_options
def status(*, as_json: bool, debug: bool, **store: Any) -> None:
    """Show how far the scrub is, and which files are damaged.

    Exits with 1 if content is known to be damaged, and with 2 if the store cannot be read.
    """
    with (
        not_checked_on_errors(as_json=as_json, debug=debug),
        open_metadata_only(looking=True, debug=True, **store) as ctx,
    ):
        from skyshelf.service.integrity import damage
        from skyshelf.service.integrity import scrub as scrubbing

        state, found = scrubbing.state_of(ctx), damage.reports(ctx)
        print_result(as_json, _as_json(ctx, state, found), _text(ctx, state, found))
    _fail_on(found)


@scrub.command("run", epilog=examples("skyshelf admin scrub run --data /srv/skyshelf"))
@both_store_options
def run(*, as_json: bool, debug: bool, **stores: Any) -> None:
    """Read every stored content now and compare it with its hash.

    It may run while the server is running, and reads as fast as the disk allows.

    Exits with 1 if content is damaged, and with 2 if the store cannot be read.
    """
    with not_checked_on_errors(as_json=as_json, debug=debug), open_context(debug=True, **stores) as ctx:
        from skyshelf.service.integrity import damage
        from skyshelf.service.integrity import scrub as scrubbing

        with ctx.metadata.snapshot() as unit:
            line = LiveLine(unit.inspection.totals().blobs)
        with line:
            line.begin("contents")
            scrubbing.scrub_all(ctx, line.progress)
        state, found = scrubbing.state_of(ctx), damage.reports(ctx)
        print_result(as_json, _as_json(ctx, state, found), _text(ctx, state, found))
    _fail_on(found)


def _fail_on(found: "list[DamageReport]") -> None:
    if found:
        raise CommandFailed(
            f"{format_count(len(found), 'content')} damaged: restore the files from a backup, or upload them again",
            DAMAGE,
        )


def _as_json(ctx: "ServiceContext", state: "ScrubState | None", found: "list[DamageReport]") -> dict[str, Any]:
    from skyshelf.service.integrity.scrub import period_ms

    return {
        "outcome": "damage" if found else "well",
        "passed": not found,
        "progress": round(state.share, 4) if state else 0.0,
        "round": _round(state.now) if state else None,
        "roundEndsBy": state.now.began + period_ms(ctx) if state else None,
        "previousRound": _round(state.previous) if state and state.previous else None,
        "damaged": [
            {
                "sha256": one.sha256,
                "location": one.location,
                "fault": one.fault,
                "foundAt": one.found_at,
                "files": [
                    {
                        "name": holder.name,
                        "objectKey": holder.object_key,
                        "version": holder.version,
                        "account": holder.account_id,
                    }
                    for holder in one.holders
                ],
            }
            for one in found
        ],
    }


def _round(one: "ScrubRound") -> dict[str, Any]:
    return {
        "began": one.began,
        "ended": one.ended or None,
        "contents": one.contents,
        "bytes": one.size,
        "damaged": one.damaged,
    }


def _text(ctx: "ServiceContext", state: "ScrubState | None", found: "list[DamageReport]") -> str:
    from skyshelf.service.integrity.scrub import period_ms

    if state is None:
        lines = ["The scrub has not begun: the server starts it within a minute."]
    else:
        read = f"{format_count(state.now.contents, 'content')} ({format_size(state.now.size)}) read"
        if state.now.ended:
            lines = [f"Round of {_date(state.now.began)}: finished on {_date(state.now.ended)}, {read}."]
            lines.append(f"The next round begins on {_date(state.now.began + period_ms(ctx))}.")
        else:
            lines = [f"Round of {_date(state.now.began)}: {state.share:.1%} done, {read}."]
            lines.append(f"It ends by {_date(state.now.began + period_ms(ctx))}.")
    for one in found[:_SHOWN_MAX]:
        lines.append(f"DAMAGED  {one.sha256} {visible(one.fault)}; found on {_date(one.found_at)}")
        lines += [
            f"           version {holder.version} of “{visible(holder.name)}” ({holder.object_key},"
            f" account {holder.account_id})"
            for holder in one.holders
        ]
    if len(found) > _SHOWN_MAX:
        lines.append(f"and {len(found) - _SHOWN_MAX:,} more: --json lists all")
    return "\n".join(lines if found else [*lines, "No content is known to be damaged."])


def _date(ms: int) -> str:
    from skyshelf.wire.times import from_epoch_ms

    return f"{from_epoch_ms(ms):%Y-%m-%d %H:%M} UTC"
