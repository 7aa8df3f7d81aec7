"""How many connections PostgreSQL allows, and who has them."""

from typing import Final

import psycopg

from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.store import ConnectionLimits

# The second name exists since PostgreSQL 16. A limit of -1 is none.
_ALLOWED: Final = """
    SELECT current_setting('max_connections')::int,
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0),
      (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user),
      (SELECT datconnlimit FROM pg_database WHERE datname = current_database())
"""
# Of sessions of other roles, only the existence is visible.
_HELD: Final = """
    SELECT count(*) FILTER (WHERE application_name IS NULL OR application_name NOT LIKE 'skyshelf %'),
      count(DISTINCT application_name) FILTER (
        WHERE application_name LIKE 'skyshelf %' AND application_name <> current_setting('application_name'))
    FROM pg_stat_activity WHERE backend_type = 'client backend'
"""


def connection_limits(connection: psycopg.Connection[Row]) -> ConnectionLimits:
    """Return the smallest of the limits that apply to the role of this connection, and who is connected besides it."""
    total, reserved, of_role, of_database = connection.execute(_ALLOWED).fetchone() or (0, 0, -1, -1)
    others, processes = connection.execute(_HELD.encode()).fetchone() or (0, 0)
    limits = [(total - reserved, f"max_connections is {total}, {reserved} of them reserved")]
    limits += [(of_role, "the limit of its role")] if of_role >= 0 else []
    limits += [(of_database, "the limit of the database")] if of_database >= 0 else []
    allowed, allowed_by = min(limits)
    return ConnectionLimits(allowed, allowed_by, others, processes)
