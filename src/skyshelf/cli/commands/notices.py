"""`skyshelf promotions` and `banners`: what the operator grants and announces."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.account_records import BannerRecord, PromotionRecord
from skyshelf.cli.base.output import table
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.resources.account import Promotion
from skyshelf.wire.resources.banners import BannerCard
from skyshelf.wire.sizes import format_size


@click.command("promotions", cls=ClientCommand, record=PromotionRecord, many=True, example="skyshelf promotions")
def promotions(*, session: CommandSession) -> None:
    """List extra storage granted for a limited time."""
    found = session.client.account.promotions()
    promotions_found = [(one, True) for one in found.active_promotions or ()]
    promotions_found += [(one, False) for one in found.expired_promotions or ()]

    def record(pair: tuple[Promotion, bool]) -> PromotionRecord:
        one, is_active = pair
        return PromotionRecord(
            promotion_id=one.promotion_id,
            name=one.name,
            quota_bytes=one.quota,
            starts=utc_time(one.start_date),
            ends=utc_time(one.end_date),
            is_active=is_active,
        )

    def lines(pairs: Iterable[tuple[Promotion, bool]]) -> Iterator[str]:
        rows = (
            (
                visible(one.name or ""),
                format_size(one.quota or 0),
                f"{'until' if is_active else 'ended'} {local_time(one.end_date) or 'further notice'}",
            )
            for one, is_active in pairs
        )
        yield from table(rows, right=frozenset({1}))

    session.out.records(promotions_found, record, lines, empty="No promotions.")


@click.command("banners", cls=ClientCommand, record=BannerRecord, many=True, example="skyshelf banners")
def banners(*, session: CommandSession) -> None:
    """List announcements from the server's operator."""

    def record(one: BannerCard) -> BannerRecord:
        return BannerRecord(card_id=one.card_id, title=one.title, text=one.text, action_url=one.action_url)

    def lines(found: Iterable[BannerCard]) -> Iterator[str]:
        for one in found:
            text = ": ".join(visible(part) for part in (one.title, one.text) if part)
            yield f"{text}  {visible(one.action_url)}" if one.action_url else text

    session.out.records(session.client.server_info.banners(), record, lines, empty="No announcements.")
