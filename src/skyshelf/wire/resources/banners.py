"""Promotional banners, which the operator manages."""

from skyshelf.wire.models import AnswerModel


class BannerCard(AnswerModel, frozen=True, kw_only=True):
    """A banner and the period in which it is shown."""

    card_id: str | None = None
    title: str | None = None
    text: str | None = None
    image_url: str | None = None
    action_url: str | None = None
    start_date: int | None = None
    end_date: int | None = None


class BannerList(AnswerModel, frozen=True, kw_only=True):
    """The banners to show now."""

    cards: list[BannerCard] | None = None
