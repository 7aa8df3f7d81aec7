"""Promotions in SQL."""

from skyshelf.storage.metadata.contracts.quota import Promotion
from skyshelf.storage.metadata.contracts.settings import Banner
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.statements import Row, Sql, key_text, raw

_SELECT = "SELECT promotion_key, account_id, name, space, start_at, end_at FROM promotions"
_PROMOTION_ORDER = "ORDER BY start_at DESC, promotion_key DESC"


def _promotion(row: Row) -> Promotion:
    key, owner, name, space, start, end = row
    return Promotion(promotion_key=key_text(key), account_id=owner, name=name, space=space, start_at=start, end_at=end)


class SqlPromotions:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, promotion: Promotion) -> None:
        if promotion.account_id is not None:
            lock_account(self._sql, promotion.account_id)
        self._sql.run(
            "INSERT INTO promotions (promotion_key, account_id, name, space, start_at, end_at)"
            " VALUES (:key, :account, :name, :space, :start, :end)",
            {
                "key": raw(promotion.promotion_key),
                "account": promotion.account_id,
                "name": promotion.name,
                "space": promotion.space,
                "start": promotion.start_at,
                "end": promotion.end_at,
            },
        )

    def of_account(self, account_id: int) -> list[Promotion]:
        rows = self._sql.all(
            f"{_SELECT} WHERE account_id = :account OR account_id IS NULL {_PROMOTION_ORDER}", {"account": account_id}
        )
        return [_promotion(row) for row in rows]

    def everything(self) -> list[Promotion]:
        return [_promotion(row) for row in self._sql.all(f"{_SELECT} {_PROMOTION_ORDER}")]

    def remove(self, promotion_key: str) -> bool:
        return bool(self._sql.run("DELETE FROM promotions WHERE promotion_key = :key", {"key": raw(promotion_key)}))


# Banners in SQL.

_BANNER_COLUMNS = "banner_key, title, text, image_url, action_url, start_at, end_at"
_BANNER_ORDER = "ORDER BY start_at DESC, banner_key DESC"


class SqlBanners:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, banner: Banner) -> None:
        self._sql.run(
            f"INSERT INTO banners ({_BANNER_COLUMNS}) VALUES (:key, :title, :text, :image, :action, :start, :end)",
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
        running = f"SELECT {_BANNER_COLUMNS} FROM banners WHERE start_at <= :now AND end_at > :now {_BANNER_ORDER}"
        rows = self._sql.all(running, {"now": now})
        return [_banner(row) for row in rows]

    def everything(self) -> list[Banner]:
        return [_banner(row) for row in self._sql.all(f"SELECT {_BANNER_COLUMNS} FROM banners {_BANNER_ORDER}")]

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


# Settings in SQL.


class SqlSettings:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, name: str) -> bytes | None:
        row = self._sql.one("SELECT value FROM settings WHERE name = :name", {"name": name})
        return row[0] if row else None

    def set_once(self, name: str, value: bytes) -> bytes:
        # The second writer waits here until the first has committed, and then reads the first one's value.
        self._sql.run(
            "INSERT INTO settings (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING",
            {"name": name, "value": value},
        )
        winner = self.get(name)
        assert winner is not None
        return winner

    def set(self, name: str, value: bytes) -> None:
        self._sql.run(
            "INSERT INTO settings (name, value) VALUES (:name, :value) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            {"name": name, "value": value},
        )

    def delete(self, name: str) -> None:
        self._sql.run("DELETE FROM settings WHERE name = :name", {"name": name})
