"""Promotions in SQL."""

from skyshelf.storage.metadata.promotions import Promotion
from skyshelf.storage.metadata.sql.keys import key_text, raw
from skyshelf.storage.metadata.sql.locks import lock_account
from skyshelf.storage.metadata.sql.statements import Row, Sql

_SELECT = "SELECT promotion_key, account_id, name, space, start_at, end_at FROM promotions"
_ORDER = "ORDER BY start_at DESC, promotion_key DESC"


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
            f"{_SELECT} WHERE account_id = :account OR account_id IS NULL {_ORDER}", {"account": account_id}
        )
        return [_promotion(row) for row in rows]

    def everything(self) -> list[Promotion]:
        return [_promotion(row) for row in self._sql.all(f"{_SELECT} {_ORDER}")]

    def remove(self, promotion_key: str) -> bool:
        return bool(self._sql.run("DELETE FROM promotions WHERE promotion_key = :key", {"key": raw(promotion_key)}))
