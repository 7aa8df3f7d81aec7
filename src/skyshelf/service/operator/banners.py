"""Banners: the operator's announcements to everybody."""

from msgspec.structs import replace

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.operator.input import check_period, normalize_key, validate_label, validate_text, validate_url
from skyshelf.storage.metadata.contracts.settings import Banner
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.resources.banners import BannerCard, BannerList
from skyshelf.wire.resources.operators import BannerEditRequest, BannerRequest


def live_banners(ctx: ServiceContext) -> BannerList:
    """The current banners, newest first."""
    with ctx.metadata.read() as unit:
        banners = unit.banners.live(ctx.clock.now())
    return BannerList(cards=[card_of(banner) for banner in banners])


def all_banners(ctx: ServiceContext) -> list[Banner]:
    """All banners, including past and future ones, latest start first."""
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
    """All banners in their wire form."""
    return BannerList(cards=[card_of(banner) for banner in all_banners(ctx)])


def create(ctx: ServiceContext, request: BannerRequest) -> BannerCard:
    """Add a banner; without dates it is shown from now on, without an end."""
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
        title=validate_label(banner.title, "The title"),
        text=validate_text(banner.text, "The text"),
        image_url=validate_url(banner.image_url, "The image URL"),
        action_url=validate_url(banner.action_url, "The link"),
    )


def card_of(banner: Banner) -> BannerCard:
    """A stored banner in its wire form."""
    return BannerCard(
        card_id=banner.banner_key,
        title=banner.title,
        text=banner.text,
        image_url=banner.image_url,
        action_url=banner.action_url,
        start_date=banner.start_at,
        end_date=banner.end_at,
    )
