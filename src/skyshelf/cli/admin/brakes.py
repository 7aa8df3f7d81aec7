"""`skyshelf admin brake`: jobs that stopped because something seems wrong."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import open_metadata_only, print_result, print_table, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples

if TYPE_CHECKING:
    from skyshelf.service.jobs.brakes import Brake


@click.group
def brake() -> None:
    """Show and release brakes of background jobs.

    A job that would delete too much stops instead, until somebody has looked.
    """


@brake.command("ls", epilog=examples("skyshelf admin brake ls --data /srv/skyshelf"))
@store_options
def ls(*, as_json: bool, **store: Any) -> None:
    """List the jobs that are stopped, and why."""
    with open_metadata_only(looking=True, **store) as ctx:
        from skyshelf.service.jobs.brakes import brakes

        found = brakes(ctx)
        rows = [(one.task, _time(one.since), one.reason) for one in found]
        print_table(as_json, [_as_json(one) for one in found], rows, empty="No job is stopped.")


@brake.command(
    "release", epilog=examples('skyshelf admin brake release clock --reason "the server was switched off for a week"')
)
@click.argument("job")
@click.option("--reason", required=True, help="Why it is right to go on; kept in the log.")
@store_options
def release(*, job: str, reason: str, as_json: bool, **store: Any) -> None:
    """Let a stopped job run for a day.

    Look first: `skyshelf admin brake ls` says why it stopped. If the server runs with a wrong or restored database, the
    job would delete files that the right database knows.
    """
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.jobs import brakes

        released = brakes.release(ctx, job, reason)
        if released is None:
            raise CommandFailed(f"{job} is not stopped: `skyshelf admin brake ls` lists the jobs that are")
        until = _time(released.released_until)
        print_result(
            as_json, _as_json(released), f"Released {job} until {until}. It was stopped because {released.reason}."
        )


def _time(ms: int) -> str:
    from skyshelf.wire.times import from_epoch_ms

    return f"{from_epoch_ms(ms):%Y-%m-%d %H:%M} UTC"


def _as_json(one: "Brake") -> dict[str, Any]:
    return {
        "job": one.task,
        "since": one.since,
        "reason": one.reason,
        "releasedUntil": one.released_until or None,
        "releasedFor": one.released_for or None,
    }
