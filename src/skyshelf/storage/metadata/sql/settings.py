"""Settings in SQL."""

from skyshelf.storage.metadata.sql.statements import Sql


class SqlSettings:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, name: str) -> bytes | None:
        row = self._sql.one("SELECT value FROM settings WHERE name = :name", {"name": name})
        return row[0] if row else None

    def set_once(self, name: str, value: bytes) -> bytes:
        # Whoever comes second waits here until the first has committed, and then reads what that one wrote.
        self._sql.run(
            "INSERT INTO settings (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING",
            {"name": name, "value": value},
        )
        winner = self.get(name)
        assert winner is not None
        return winner
