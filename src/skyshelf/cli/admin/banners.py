"""`skyshelf admin banner`: announcements to all users."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.periods import end_ms, format_period, period_options, start_ms
from skyshelf.cli.admin.stores import open_metadata_only, print_result, print_table, store_options
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import FutureTime

if TYPE_CHECKING:
    from skyshelf.storage.metadata.contracts.settings import Banner


@click.group
def banner() -> None:
    """Manage announcements, which clients show to all users."""


@banner.command(
    "add",
    epilog=examples(
        'skyshelf admin banner add "Maintenance" "Offline on Sunday from 8 to 9." --until 2027-05-02T09:00',
    ),
)
@click.argument("title")
@click.argument("text")
@click.option("--image-url", default="", metavar="URL", help="Picture to show.")
@click.option("--action-url", default="", metavar="URL", help="Page to link to.")
@period_options
@store_options
def add(
    *,
    title: str,
    text: str,
    image_url: str,
    action_url: str,
    start: int | None,
    end: int,
    as_json: bool,
    **store: Any,
) -> None:
    """Add an announcement."""
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.operator.banners import add_banner

        added = add_banner(
            ctx, title, text, image_url=image_url, action_url=action_url, start_at=start_ms(start), end_at=end_ms(end)
        )
        print_result(as_json, _as_json(added), f"Added banner {added.banner_key}, shown {_period(added)}.")


@banner.command("ls", epilog=examples("skyshelf admin banner ls --json"))
@store_options
def ls(*, as_json: bool, **store: Any) -> None:
    """List all announcements: current, past and future."""
    with open_metadata_only(looking=True, **store) as ctx:
        from skyshelf.service.operator.banners import all_banners

        found = all_banners(ctx)
        rows = [(one.banner_key, one.title, _period(one)) for one in found]
        print_table(as_json, [_as_json(one) for one in found], rows, empty="No banners.")


@banner.command("edit", epilog=examples("skyshelf admin banner edit 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F --until 7d"))
@click.argument("key")
@click.option("--title", help="New title.")
@click.option("--text", help="New text.")
@click.option("--image-url", metavar="URL", help="New picture; empty to remove it.")
@click.option("--action-url", metavar="URL", help="New page to link to; empty to remove the link.")
@click.option("--from", "start_at", type=FutureTime(), help="New start: 7d, 2027-05-01.")
@click.option("--until", "end_at", type=FutureTime(), help="New end: 30d, 2027-05-01, or never.")
@store_options
def edit(*, key: str, as_json: bool, data: Any, metadata: Any, debug: bool, **changes: Any) -> None:
    """Edit an announcement. Everything else stays unchanged."""
    chosen = {name: value for name, value in changes.items() if value is not None}
    if not chosen:
        raise CommandFailed("nothing to change: `skyshelf admin banner edit --help` lists the options")
    if "start_at" in chosen:
        chosen["start_at"] = start_ms(chosen["start_at"])
    if "end_at" in chosen:
        chosen["end_at"] = end_ms(chosen["end_at"])
    with open_metadata_only(data=data, metadata=metadata, debug=debug) as ctx:
        from skyshelf.service.operator.banners import edit_banner

        edited = edit_banner(ctx, key, **chosen)
        print_result(as_json, _as_json(edited), f"Changed banner {edited.banner_key}, shown {_period(edited)}.")


@banner.command("delete", epilog=examples("skyshelf admin banner delete 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F"))
@click.argument("key")
@store_options
def delete(*, key: str, as_json: bool, **store: Any) -> None:
    """Delete an announcement."""
    with open_metadata_only(**store) as ctx:
        from skyshelf.service.operator.banners import remove_banner

        remove_banner(ctx, key)
        print_result(as_json, {"removed": key}, f"Deleted banner {key}.")


def _period(one: "Banner") -> str:
    return format_period(one.start_at, one.end_at)


def _as_json(one: "Banner") -> dict[str, object]:
    return {
        "cardId": one.banner_key,
        "title": one.title,
        "text": one.text,
        "imageUrl": one.image_url,
        "actionUrl": one.action_url,
        "startDate": one.start_at,
        "endDate": one.end_at,
    }
