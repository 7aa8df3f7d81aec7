"""The parts of a stack while a crowd works: processor, memory, connections and growth of each."""

from pathlib import Path
from typing import Final

import psycopg
from tests.real_parts import shared
from tests.real_parts.servers import Stack

from benchmarks.server_process import cpu_seconds_of, family_of, kilobytes
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.open import METADATA_FILE


def share(seconds: float, of: float) -> str:
    return f"{100 * seconds / of:.0f} %"


_LASTING: Final = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
"""A process of PostgreSQL that does not end with the connection that asks for it."""


class Parts:
    """Server, database and object store; an embedded database is part of the server."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        store = stack.ctx.metadata
        self.url = store._url if isinstance(store, PostgresStore) else None
        self._file = stack.servers[0].data / METADATA_FILE
        self._postmaster = 0 if self.url is None else _parent(self._number(_LASTING))

    def _pids(self) -> dict[str, list[int]]:
        pids = {"server": [pid for server in self._stack.servers for pid in server.processes()]}
        if self.url is not None:
            pids |= {"PostgreSQL": family_of(self._postmaster), "S3": family_of(shared.seaweedfs().process_id)}
        return pids

    def processor(self) -> dict[str, float]:
        """Seconds so far, by part."""
        if self.url is None:
            roots = {"server": self._pids()["server"][:1]}
        else:
            roots = {
                "server": self._pids()["server"][:1],
                "PostgreSQL": [self._postmaster],
                "S3": [shared.seaweedfs().process_id],
            }
        return {name: sum(map(cpu_seconds_of, pids)) for name, pids in roots.items()}

    def memory(self) -> dict[str, float]:
        """Bytes by part: of the server without mapped files, which the system drops when needed; of the others with
        shared pages, counted once."""
        fields = {"server": "Pss_Anon:"}
        return {
            name: 1024 * sum(kilobytes(pid, "smaps_rollup", fields.get(name, "Pss:")) for pid in pids)
            for name, pids in self._pids().items()
        }

    def connections(self) -> dict[str, int]:
        """How many sockets and database connections are open."""
        server = self._pids()["server"]
        sockets = sum(
            1 for pid in server for file in Path(f"/proc/{pid}/fd").iterdir() if _target(file).startswith("socket:")
        )
        found = {"sockets of the server": sockets}
        if self.url is not None:
            clients = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            found["connections to PostgreSQL"] = self._number(f"{clients} AND pid <> pg_backend_pid()")
        return found

    def database(self) -> int:
        """Bytes of the database, without its log."""
        if self.url is not None:
            return self._number("SELECT pg_database_size(current_database())")
        return self._file.stat().st_size

    def _log(self) -> int:
        log = self._file.with_name(self._file.name + "-wal")
        return log.stat().st_size if log.exists() else 0

    def sizes(self) -> dict[str, int]:
        """Bytes of the database, of its log, and of all that the server has written. SQLite's log is used again."""
        written = sum(_written(pid) for pid in self._pids()["server"])
        found = {"growth of the database": self.database(), "written to disk by the server": written}
        if self.url is None:
            found["growth of the log (WAL)"] = self._log()
        else:
            found["written to the log (WAL)"] = self._number(
                "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
            )
        return found

    def vacuum(self) -> None:
        """Clean up after many changes at once, which PostgreSQL does on its own within minutes."""
        if self.url is not None:
            with psycopg.connect(self.url, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")

    def _number(self, query: str) -> int:
        assert self.url is not None
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(query.encode()).fetchone()
        assert row is not None
        return int(row[0])


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def _written(pid: int) -> int:
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))
