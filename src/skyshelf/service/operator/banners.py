"""Banners: the operator's announcements to everybody."""

import unicodedata
from urllib.parse import urlsplit

from msgspec.structs import replace

from skyshelf.service.accounts.accounts import clean_label
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.operator.promotions import check_period, normalize_key
from skyshelf.service.pages import projected
from skyshelf.storage.metadata.contracts.accounts import Banner
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import DESCRIPTION_CHARS_MAX, TIME_MS_MAX
from skyshelf.wire.resources.account import BannerCard, BannerList
from skyshelf.wire.resources.operators import BannerEditRequest, BannerRequest


def live_banners(ctx: ServiceContext) -> BannerList:
    """List the current banners, newest first."""
    with ctx.metadata.read() as unit:
        banners = unit.banners.live(ctx.clock.now())
    return BannerList(cards=[card_of(banner) for banner in banners])


def all_banners(ctx: ServiceContext) -> list[Banner]:
    """List all banners, including past and future ones, latest start first."""
    with ctx.metadata.read() as unit:
        return unit.banners.everything()


def add_banner(
    ctx: ServiceContext, title: str, text: str, *, image_url: str, action_url: str, start_at: int, end_at: int
) -> Banner:
    banner = _clean(
        Banner(
            banner_key=ctx.new_key(),
            title=title,
            text=text,
            image_url=image_url,
            action_url=action_url,
            start_at=start_at,
            end_at=end_at,
        )
    )
    event = new_event(ctx, kinds.BANNER_ADDED, banner=banner.banner_key, title=banner.title)
    recorded(ctx, lambda unit: unit.banners.add(banner), event)
    return banner


def edit_banner(ctx: ServiceContext, banner_key: str, **changes: str | int) -> Banner:
    """Change some fields of a banner; its key stays, so clients recognise it."""
    key = normalize_key(banner_key)

    def work(unit: Unit) -> Banner:
        found = [banner for banner in unit.banners.everything() if banner.banner_key == key]
        if not found:
            raise _not_found()
        edited = _clean(replace(found[0], **changes))
        unit.banners.remove(edited.banner_key)
        unit.banners.add(edited)
        return edited

    return recorded(ctx, work, new_event(ctx, kinds.BANNER_EDITED, banner=key, changed=list(changes)))


def remove_banner(ctx: ServiceContext, banner_key: str) -> None:
    key = normalize_key(banner_key)
    event = new_event(ctx, kinds.BANNER_REMOVED, banner=key)
    if key is None or not recorded(ctx, lambda unit: unit.banners.remove(key), event):
        raise _not_found()


# In the browser


def list_all(ctx: ServiceContext) -> BannerList:
    return BannerList(cards=[card_of(banner) for banner in all_banners(ctx)])


def create(ctx: ServiceContext, request: BannerRequest) -> BannerCard:
    """Add a banner; without dates it is shown from now on."""
    added = add_banner(
        ctx,
        request.title,
        request.text,
        image_url=request.image_url or "",
        action_url=request.action_url or "",
        start_at=ctx.clock.now() if request.start_date is None else request.start_date,
        end_at=TIME_MS_MAX if request.end_date is None else request.end_date,
    )
    return card_of(added)


def edit(ctx: ServiceContext, banner_key: str, request: BannerEditRequest) -> BannerCard:
    changes = {
        "title": request.title,
        "text": request.text,
        "image_url": request.image_url,
        "action_url": request.action_url,
        "start_at": request.start_date,
        "end_at": request.end_date,
    }
    return card_of(
        edit_banner(ctx, banner_key, **{name: value for name, value in changes.items() if value is not None})
    )


def _not_found() -> ServiceError:
    return ServiceError(codes.BANNER_NOT_FOUND, "No such banner: `skyshelf admin banner ls` lists them")


def _clean(banner: Banner) -> Banner:
    check_period(banner.start_at, banner.end_at)
    return replace(
        banner,
        title=clean_label(banner.title, "The title"),
        text=_validate_text(banner.text),
        image_url=_validate_url(banner.image_url, "The image URL"),
        action_url=_validate_url(banner.action_url, "The link"),
    )


def _validate_text(text: str) -> str:
    """Return printable text of any number of lines."""
    cleaned = unicodedata.normalize("NFC", text.strip())
    if len(cleaned) > DESCRIPTION_CHARS_MAX or not all(line.isprintable() for line in cleaned.split("\n")):
        raise ServiceError(
            codes.INVALID_REQUEST, f"The text can have at most {DESCRIPTION_CHARS_MAX} printable characters"
        )
    return cleaned


def _validate_url(url: str, what: str) -> str:
    """Return a web address, or nothing; other schemes could make clients open something unexpected."""
    cleaned = url.strip()
    parts = urlsplit(cleaned)
    if cleaned and (parts.scheme not in {"http", "https"} or not parts.netloc or not cleaned.isprintable()):
        raise ServiceError(
            codes.INVALID_REQUEST, f"{what} must be a web address such as https://example.org/picture.png"
        )
    if len(cleaned) > DESCRIPTION_CHARS_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"{what} can have at most {DESCRIPTION_CHARS_MAX} characters")
    return cleaned


def card_of(banner: Banner) -> BannerCard:
    return projected(BannerCard, banner, card_id=banner.banner_key)
