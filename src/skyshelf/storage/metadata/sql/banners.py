"""Banners in SQL."""

from skyshelf.storage.metadata.banners import Banner
from skyshelf.storage.metadata.sql.keys import key_text, raw
from skyshelf.storage.metadata.sql.statements import Row, Sql

_COLUMNS = "banner_key, title, text, image_url, action_url, start_at, end_at"
_ORDER = "ORDER BY start_at DESC, banner_key DESC"


class SqlBanners:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, banner: Banner) -> None:
        self._sql.run(
            f"INSERT INTO banners ({_COLUMNS}) VALUES (:key, :title, :text, :image, :action, :start, :end)",
            {
                "key": raw(banner.banner_key),
                "title": banner.title,
                "text": banner.text,
                "image": banner.image_url,
                "action": banner.action_url,
                "start": banner.start_at,
                "end": banner.end_at,
            },
        )

    def live(self, now: int) -> list[Banner]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM banners WHERE start_at <= :now AND end_at > :now {_ORDER}", {"now": now}
        )
        return [_banner(row) for row in rows]

    def everything(self) -> list[Banner]:
        return [_banner(row) for row in self._sql.all(f"SELECT {_COLUMNS} FROM banners {_ORDER}")]

    def remove(self, banner_key: str) -> bool:
        return bool(self._sql.run("DELETE FROM banners WHERE banner_key = :key", {"key": raw(banner_key)}))


def _banner(row: Row) -> Banner:
    key, title, text, image, action, start, end = row
    return Banner(
        banner_key=key_text(key),
        title=title,
        text=text,
        image_url=image,
        action_url=action,
        start_at=start,
        end_at=end,
    )
