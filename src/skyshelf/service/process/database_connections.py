"""Whether the database server allows as many connections as the server's processes may open."""

from typing import Final

from skyshelf.storage.metadata.store import ConnectionLimits, MetadataStore

_BESIDE_POOL: Final = 1
"""Connections of a worker besides those of its pool: the one of its event loop."""
_PER_WORKER_MIN: Final = 2


def connections_problem(
    metadata: MetadataStore, *, workers: int, per_worker: int, is_counted: bool = False
) -> str | None:
    """Return a sentence if this server's workers may run out of connections, with what to set; None if they cannot.

    If they run already and are counted among the processes of the service, they do not count twice.
    """
    limits = metadata.connection_limits()
    if limits is None:
        return None
    others = max(0, limits.processes - workers) if is_counted else limits.processes
    return problem_of(limits._replace(processes=others), workers=workers, per_worker=per_worker)


def problem_of(limits: ConnectionLimits, *, workers: int, per_worker: int) -> str | None:
    """Compare all processes of the service at their most, and what other programs have, with the limit."""
    processes = workers + limits.processes
    needed = processes * (per_worker + _BESIDE_POOL) + limits.others
    if needed <= limits.allowed:
        return None
    own = f"{workers} × {per_worker + _BESIDE_POOL} of this server"
    beside = [f"{limits.processes} × {per_worker + _BESIDE_POOL} of its other processes"] if limits.processes else []
    beside += [f"{limits.others} of other programs"] if limits.others else []
    fewer = (limits.allowed - limits.others) // processes - _BESIDE_POOL
    advice = f"at least {needed - limits.allowed} more connections there"
    if fewer >= _PER_WORKER_MIN:
        advice += f", or --database-connections {fewer} on every instance"
    return (
        f"PostgreSQL allows {limits.allowed} connections ({limits.allowed_by}), and up to {needed} may be needed"
        f" ({', '.join([own, *beside])}): under load, requests wait for a connection and fail. Set {advice}"
    )
