"""`skyshelf contacts`, `tags`, `promotions` and `banners`: the small lists of an account."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.listing_group import ListingGroup
from skyshelf.cli.output import table
from skyshelf.cli.records import BannerRecord, ContactRecord, EmailRecord, PromotionRecord, TagRecord
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.sizes import readable
from skyshelf.cli.targets import target
from skyshelf.cli.visible_text import local_time, utc_time, visible
from skyshelf.wire.account import Promotion
from skyshelf.wire.contacts import Contact
from skyshelf.wire.feeds import ManualTag
from skyshelf.wire.messaging import BannerCard


@click.group("contacts", cls=ListingGroup)
def contacts() -> None:
    """Look into the address book."""


@contacts.command("ls", cls=ClientCommand, record=ContactRecord, many=True, example="skyshelf contacts ls")
@click.option("--all", "everybody", is_flag=True, help="Those who are not active any more too.")
def contacts_ls(*, session: Session, everybody: bool) -> None:
    """List the contacts."""

    def record(one: Contact) -> ContactRecord:
        return ContactRecord(
            contact_id=one.contact_id,
            name=one.display_name,
            emails=[mail.email_id for mail in one.emails or () if mail.email_id],
            phones=[phone.number for phone in one.phones or () if phone.number],
        )

    def lines(found: Iterable[Contact]) -> Iterator[str]:
        shown = map(record, found)
        yield from table(
            (visible(one.name or ""), visible(", ".join(one.emails)), visible(", ".join(one.phones))) for one in shown
        )

    session.out.many(
        session.client.contacts(only_active=not everybody), record, lines, none="The address book is empty."
    )


@contacts.command("emails", cls=ClientCommand, record=EmailRecord, many=True, example="skyshelf contacts emails")
def contacts_emails(*, session: Session) -> None:
    """List the e-mail addresses of the contacts."""
    session.out.many(
        session.client.contact_emails(),
        lambda one: EmailRecord(email=one.email_id, name=one.display_name),
        lambda found: table((visible(one.email_id or ""), visible(one.display_name or "")) for one in found),
    )


@click.group("tags", cls=ListingGroup)
def tags() -> None:
    """Look at tags."""


@tags.command("ls", cls=ClientCommand, record=TagRecord, many=True, example="skyshelf tags ls /Photos/beach.jpg")
@click.argument("path", required=False)
def tags_ls(*, session: Session, path: str | None) -> None:
    """List the tags of a file or folder, or those used lately."""

    def record(one: ManualTag) -> TagRecord:
        return TagRecord(tag_id=one.tag_id, name=one.tag_name, created=utc_time(one.created_date))

    found = session.client.recent_tags() if path is None else session.client.object_tags(target(path))
    session.out.many(
        found, record, lambda all_: (visible(one.tag_name or "") for one in all_), none="There are no tags."
    )


@click.command("promotions", cls=ClientCommand, record=PromotionRecord, many=True, example="skyshelf promotions")
def promotions(*, session: Session) -> None:
    """List storage that was given for a time."""
    found = session.client.promotions()
    marked = [(one, True) for one in found.active_promotions or ()]
    marked += [(one, False) for one in found.expired_promotions or ()]

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
                readable(one.quota or 0),
                f"{'until' if is_active else 'ended'} {local_time(one.end_date) or 'further notice'}",
            )
            for one, is_active in pairs
        )
        yield from table(rows, right=frozenset({1}))

    session.out.many(marked, record, lines, none="No storage was given for a time.")


@click.command("banners", cls=ClientCommand, record=BannerRecord, many=True, example="skyshelf banners")
def banners(*, session: Session) -> None:
    """List what the operator of the server has to say."""

    def record(one: BannerCard) -> BannerRecord:
        return BannerRecord(card_id=one.card_id, title=one.title, text=one.text, action_url=one.action_url)

    def lines(found: Iterable[BannerCard]) -> Iterator[str]:
        for one in found:
            said = ": ".join(visible(part) for part in (one.title, one.text) if part)
            yield f"{said}  {visible(one.action_url)}" if one.action_url else said

    session.out.many(session.client.banners(), record, lines, none="The operator has nothing to say.")
