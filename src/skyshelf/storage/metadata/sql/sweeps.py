"""Rows that are no longer needed, a few at a time."""

from collections.abc import Mapping

from skyshelf.storage.metadata.sql.statements import Sql, Value


def sweep(sql: Sql, table: str, key: str, *, old: str, oldest_by: str, params: Mapping[str, Value]) -> int:
    """Delete the oldest of the `old` rows, up to the parameter `limit`, and leave those that somebody else is at.

    They are chosen once. In a plain IN, PostgreSQL can choose anew for every row that it looks at; it passes over what
    it has locked itself then, and so deletes more than the limit.
    """
    return sql.run(
        f"WITH chosen AS MATERIALIZED (SELECT {key} FROM {table} WHERE {old}"
        f" ORDER BY {oldest_by} LIMIT :limit FOR UPDATE SKIP LOCKED)"
        f" DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM chosen)",
        params,
    )
