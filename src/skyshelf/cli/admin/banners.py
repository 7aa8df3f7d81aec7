"""`skyshelf admin banner`: what the operator tells everybody."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.periods import begins, ends, span, span_options
from skyshelf.cli.admin.stores import aligned, opened_rows, store_options, tell
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import Until

if TYPE_CHECKING:
    from skyshelf.storage.metadata.contracts.settings import Banner


@click.group
def banner() -> None:
    """Tell everybody something, by a card that clients show."""


@banner.command("add")
@click.argument("title")
@click.argument("text")
@click.option("--image-url", default="", metavar="URL", help="A picture on the card.")
@click.option("--action-url", default="", metavar="URL", help="Where the card leads to.")
@span_options
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
    """Put up a banner.

    \b
    Example:
      skyshelf admin banner add "Maintenance" "We are away on Sunday from 8 to 9." --until 2027-05-02T09:00
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.operator.banners import add_banner

        added = add_banner(
            ctx, title, text, image_url=image_url, action_url=action_url, start_at=begins(start), end_at=ends(end)
        )
        tell(as_json, _json_of(added), f"The banner is up {_span(added)}; its key is {added.banner_key}.")


@banner.command("list")
@store_options
def list_banners(*, as_json: bool, **store: Any) -> None:
    """List banners, those that are over and those to come too.

    \b
    Example:
      skyshelf admin banner list --json
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.operator.banners import all_banners

        found = all_banners(ctx)
        rows = [(one.banner_key, one.title, _span(one)) for one in found]
        tell(as_json, [_json_of(one) for one in found], aligned(rows) if rows else "There are no banners.")


@banner.command("edit")
@click.argument("key")
@click.option("--title")
@click.option("--text")
@click.option("--image-url", metavar="URL", help="Empty takes the picture away.")
@click.option("--action-url", metavar="URL", help="Empty takes the link away.")
@click.option("--from", "start_at", type=Until(), help="When it begins.")
@click.option("--until", "end_at", type=Until(), help="When it ends: 30d, 2027-05-01, or never.")
@store_options
def edit(*, key: str, as_json: bool, data: Any, metadata: Any, debug: bool, **changes: Any) -> None:
    """Change what a banner says, or when; what is not named stays.

    \b
    Example:
      skyshelf admin banner edit 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F --until 7d
    """
    named = {name: value for name, value in changes.items() if value is not None}
    if not named:
        raise CommandFailed("say what is to change: skyshelf admin banner edit --help lists the options")
    if "start_at" in named:
        named["start_at"] = begins(named["start_at"])
    if "end_at" in named:
        named["end_at"] = ends(named["end_at"])
    with opened_rows(data=data, metadata=metadata, debug=debug) as ctx:
        from skyshelf.service.operator.banners import edit_banner

        edited = edit_banner(ctx, key, **named)
        tell(as_json, _json_of(edited), f"The banner {edited.banner_key} is up {_span(edited)}.")


@banner.command("remove")
@click.argument("key")
@store_options
def remove(*, key: str, as_json: bool, **store: Any) -> None:
    """Take a banner down.

    \b
    Example:
      skyshelf admin banner remove 0197F0C2A5B87D3E9C4F1A2B3C4D5E6F
    """
    with opened_rows(**store) as ctx:
        from skyshelf.service.operator.banners import remove_banner

        remove_banner(ctx, key)
        tell(as_json, {"removed": key}, f"The banner {key} is gone.")


def _span(one: "Banner") -> str:
    return f"{span(one.start_at, one.end_at)} (UTC)"


def _json_of(one: "Banner") -> dict[str, object]:
    return {
        "cardId": one.banner_key,
        "title": one.title,
        "text": one.text,
        "imageUrl": one.image_url,
        "actionUrl": one.action_url,
        "startDate": one.start_at,
        "endDate": one.end_at,
    }
