"""How many connections PostgreSQL allows to this service, and who has them."""

from contextlib import closing
from secrets import token_hex

import psycopg
from psycopg.conninfo import conninfo_to_dict
from tests.real_parts import shared

from skyshelf.storage.metadata.postgres.store import PostgresStore


def test_connections_are_counted_by_whose_they_are() -> None:
    with shared.postgres().database() as url, closing(PostgresStore(url)) as store:
        # Connections of former tests end when the server gets to it, and count until then.
        for _ in range(20):
            before = store.connection_limits()
            with psycopg.connect(url) as connection:
                total = int(connection.execute("SHOW max_connections").fetchone()[0])  # type: ignore[index]
                reserved = int(connection.execute("SHOW superuser_reserved_connections").fetchone()[0])  # type: ignore[index]
                now = store.connection_limits()
            if now.others == before.others + 1:
                break
        assert (now.allowed, now.others) == (total - reserved, before.others + 1)
        assert now.allowed_by == f"max_connections is {total}, {reserved} of them reserved"
        with closing(PostgresStore(url)) as one, closing(PostgresStore(url)) as another:
            one.check()
            another.check()
            assert store.connection_limits().processes == before.processes + 2


def test_limits_of_the_role_and_of_the_database_count_where_they_are_smaller() -> None:
    role = f"limited_{token_hex(4)}"
    with shared.postgres().large_database() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN SUPERUSER CONNECTION LIMIT 20".encode())
        try:
            with closing(PostgresStore(_as_url(url, role))) as store:
                found = store.connection_limits()
                assert (found.allowed, found.allowed_by) == (20, "the limit of its role")
                name = conninfo_to_dict(url)["dbname"]
                connection.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT 12'.encode())
                found = store.connection_limits()
                assert (found.allowed, found.allowed_by) == (12, "the limit of the database")
        finally:
            connection.execute(f"DROP ROLE {role}".encode())


def _as_url(url: str, role: str) -> str:
    """Return the URL for another role."""
    return url.replace("postgresql://postgres", f"postgresql://{role}", 1)
